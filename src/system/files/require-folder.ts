import { readdirSync } from "node:fs";
import { codeOf } from "../../model/errors.ts";

/** Throws the system's error (`EACCES`, `ENOTDIR`) where there is something that cannot be looked into as a folder; a missing one is fine. */
export function requireFolder(path: string): void {
  try {
    readdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
