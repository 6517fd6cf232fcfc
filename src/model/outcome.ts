// The outcome of an attempt, and which failures are retried.
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
  /** The receiver was not asked, because its secret is missing. */
  "missingSecret",
  "expired",
] as const;
export type FailureReason = (typeof failureReasons)[number];

export interface Delivered {
  status: "delivered";
  /** The receiver's answer: short, without secrets. */
  detail?: string;
  remember?: Record<string, string>;
}

export interface Failed {
  status: "failed";
  reason: FailureReason;
  /** One line, without secrets. */
  detail: string;
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

/** `ifHarmless`: the channel type decides. `no`: a dead letter. */
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
