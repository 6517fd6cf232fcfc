// A token bucket: how many may go at once, and when the next one may. Throttles, endpoints and rate limits keep it each in their own form.

/** A bucket of `messages` tokens fills in `perMs`. */
export interface Rate {
  messages: number;
  perMs: number;
}

/** How long one token takes to fill. */
function tokenMs({ messages, perMs }: Rate): number {
  return perMs / messages;
}

// All functions take the time at which the bucket is full again, which is all of its state; a past time is a full bucket.

/** The number of tokens now: below 1, none may be taken yet; below 0, more were taken than there were. */
export function peek(fullAt: number, rate: Rate, nowMs: number): number {
  return rate.messages - Math.max(0, fullAt - nowMs) / tokenMs(rate);
}

/** When there is a token: now or later. */
export function nextAt(fullAt: number, rate: Rate, nowMs: number): number {
  return Math.max(nowMs, fullAt - (rate.perMs - tokenMs(rate)));
}

/** When the bucket is full again after a token is taken, whether there is one or not. */
export function take(fullAt: number, rate: Rate, nowMs: number): number {
  return Math.max(nowMs, fullAt) + tokenMs(rate);
}
