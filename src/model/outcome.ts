// The outcome of an attempt, and which failures are retried.
/** Why a delivery failed. `retryPolicy` alone decides what follows. */
export const failureReasons = [
  "network",
  "timeout",
  "rateLimited",
  "serverError",
  "unknown",
  "unauthorized",
  "gone",
  "rejected",
  "unavailable",
  /** A variable is not set, a password store is locked, a file is missing. The receiver was not asked. */
  "missingSecret",
  "expired",
] as const;
export type FailureReason = (typeof failureReasons)[number];

export interface Delivered {
  status: "delivered";
  /** What the receiver answered, for the journal: short, without secrets. */
  detail?: string;
  /** Kept for this session and channel and passed to the next send as `remembered`, such as a message id to edit. */
  remember?: Record<string, string>;
}

export interface Failed {
  status: "failed";
  reason: FailureReason;
  /** One line: what happened and what to change. Without secrets. */
  detail: string;
  /** Milliseconds that the receiver asked us to wait. */
  retryAfterMs?: number;
}

export type Outcome = Delivered | Failed;

export function delivered(more: Omit<Delivered, "status"> = {}): Delivered {
  return { status: "delivered", ...more };
}

export function failed(reason: FailureReason, detail: string, retryAfterMs?: number): Failed {
  return retryAfterMs === undefined
    ? { status: "failed", reason, detail }
    : { status: "failed", reason, detail, retryAfterMs };
}

/** `ifHarmless`: retried only if the channel type says that a repeat is harmless. `no`: a dead letter. */
const retryPolicy: Record<FailureReason, "yes" | "ifHarmless" | "no"> = {
  network: "yes",
  timeout: "yes",
  rateLimited: "yes",
  serverError: "yes",
  unknown: "ifHarmless",
  unauthorized: "no",
  gone: "no",
  rejected: "no",
  unavailable: "no",
  missingSecret: "yes",
  expired: "no",
};

export function isRetried(reason: FailureReason, isRepeatHarmless: boolean): boolean {
  const policy = retryPolicy[reason];
  return policy === "yes" || (policy === "ifHarmless" && isRepeatHarmless);
}
