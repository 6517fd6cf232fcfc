// Signs a webhook's message after the Standard Webhooks specification.
import { hmacSha256 } from "../../../system/crypto.ts";

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const prefix = "whsec_";
const base64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** The problem never quotes the secret. */
export function signingSecretProblem(secret: string): string | undefined {
  if (secret.startsWith("whsk_") || secret.startsWith("whpk_")) {
    return "the signing secret is a key for ed25519 signatures, which hookbell does not support; expected whsec_ and base64";
  }
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  return base64.test(encoded)
    ? undefined
    : `the signing secret is not whsec_ and base64; make one with: echo "whsec_$(openssl rand -base64 32)"`;
}

/** The specification's own libraries do the same. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, "base64");
}

/**
 * The three headers over exactly this body. `id` is the same for every attempt, `nowMs` is this attempt's time. There is
 * one signature for each secret, so that a receiver can change secrets without missing a message.
 */
export function webhookHeaders(
  id: string,
  nowMs: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1000);
  const signatures = secrets.map((secret) => `v1,${hmacSha256(keyOf(secret), `${id}.${timestamp}.${body}`)}`);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    ...(signatures.length === 0 ? {} : { "webhook-signature": signatures.join(" ") }),
  };
}
