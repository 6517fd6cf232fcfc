// Random ids.
import { randomBytes } from "node:crypto";

/** 24 random hexadecimal digits. */
export function randomId(): string {
  return randomBytes(12).toString("hex");
}

/** 32 bytes that cannot be guessed. */
export function randomKey(): Uint8Array {
  return randomBytes(32);
}
