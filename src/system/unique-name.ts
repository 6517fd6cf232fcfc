import { randomBytes } from "node:crypto";

/** A file name that sorts by time and that no other process makes: 13 digits of milliseconds, the pid, chance. */
export function uniqueName(nowMs: number): string {
  return `${String(Math.max(0, Math.trunc(nowMs))).padStart(13, "0")}-${process.pid}-${randomBytes(4).toString("hex")}`;
}

/** 24 hexadecimal digits of chance. */
export function randomId(): string {
  return randomBytes(12).toString("hex");
}
