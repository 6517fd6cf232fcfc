// Random ids and digests. node:crypto loads when it is first needed: that takes 3 to 10 ms, and many commands need none.

const crypto = () => process.getBuiltinModule("node:crypto");

/** 24 random hexadecimal digits. */
export function randomId(): string {
  return crypto().randomBytes(12).toString("hex");
}

/** 32 bytes that cannot be guessed. */
export function randomKey(): Uint8Array {
  return crypto().randomBytes(32);
}

/** SHA-256 of a text or of bytes, in hex. */
export function sha256(text: string | Uint8Array): string {
  return crypto().createHash("sha256").update(text).digest("hex");
}

/** HMAC with SHA-256 of a text, in base64. */
export function hmacSha256(key: string | Uint8Array, text: string): string {
  return crypto().createHmac("sha256", key).update(text, "utf8").digest("base64");
}
