import { join } from "node:path";
import { removeIfThere, statIfThere, writeWholeSoon } from "../system/files.ts";
import type { Layout } from "./layout.ts";

/**
 * Tells hooks of the shell whether to write down who called their caller, which costs them a tenth of a millisecond:
 * `hooks/hookbell-hook.sh` looks for this file.
 */
export function askForTerminals(layout: Layout, isWanted: boolean): void {
  const path = join(layout.root, "asks-terminal");
  if ((statIfThere(path) !== undefined) === isWanted) return;
  try {
    if (isWanted) writeWholeSoon(path, "");
    else removeIfThere(path);
  } catch {
    // On a full disk the next event tries again.
  }
}
