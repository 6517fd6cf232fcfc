import { randomBytes } from "node:crypto";

/** 24 hexadecimal digits of chance. */
export function randomId(): string {
  return randomBytes(12).toString("hex");
}
