import { statSync } from "node:fs";
import type { Environment } from "../environment.ts";

/** Whether the superuser stands in for the owner of this folder: `sudo` leaves HOME as it is on macOS, and with `-E`. */
export function isBehindSudo(home: string, { SUDO_UID }: Environment): boolean {
  const uid = Number(SUDO_UID ?? "0");
  if (uid === 0 || process.getuid?.() !== 0) return false;
  try {
    return statSync(home).uid === uid;
  } catch {
    return false;
  }
}
