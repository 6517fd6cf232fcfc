// Whether a machine's event carries the signature of its user: https://www.standardwebhooks.com/
import { timingSafeEqual } from "node:crypto";
import { webhookHeaders } from "../../channels/automation/webhook/signature.ts";

/** How far a signature's time may be from now: an overheard one is soon worth nothing. */
const toleranceMs = 5 * 60 * 1000;

export interface SignedRequest {
  id: string | undefined;
  /** Seconds since the epoch, as text. */
  timestamp: string | undefined;
  /** One or more signatures with spaces between them. */
  signature: string | undefined;
  body: string;
}

/** Why the request is not from a holder of the secret; undefined when it is. */
export function signatureProblem(request: SignedRequest, secret: string, nowMs: number): string | undefined {
  const { id, timestamp, signature, body } = request;
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return "the headers webhook-id, webhook-timestamp and webhook-signature are required";
  }
  const signedMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  if (!(Math.abs(nowMs - signedMs) <= toleranceMs)) return "webhook-timestamp is more than 5 minutes away from now";
  const expected = Buffer.from(webhookHeaders(id, signedMs, body, [secret])["webhook-signature"] ?? "");
  const isGood = signature.split(" ").some((each) => {
    const given = Buffer.from(each);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isGood ? undefined : "no signature fits";
}
