/** Why a delivery failed. What follows from each stands in `retryPolicy` and nowhere else. */
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
  /**
   * A secret cannot be had: a variable is not set where this dispatcher was started, a password store is locked, a file is
   * not there. The next dispatcher may have it, or this one later; the receiver was not asked.
   */
  "missingSecret",
  "expired",
] as const;
export type FailureReason = (typeof failureReasons)[number];

export interface Delivered {
  status: "delivered";
  /** What the receiver said, for the journal; short, without secrets. */
  detail?: string;
  /** Kept for this session and channel, and handed to the next send as `remembered` (a message id to replace, say). */
  remember?: Record<string, string>;
}

export interface Failed {
  status: "failed";
  reason: FailureReason;
  /** One line for the person: what happened and what to change. Without secrets. */
  detail: string;
  /** Milliseconds before which the receiver does not want to hear from us again. */
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

/** `yes`: try again later. `ifHarmless`: only where the channel says a repeat is harmless. `no`: a dead letter. */
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
