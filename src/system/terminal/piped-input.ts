import { fstatSync } from "node:fs";

/** Whether somebody writes to our standard input, or a file stands behind it; `/dev/null` and a closed one are nothing. */
export function hasPipedInput(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isSocket() || stats.isFile();
  } catch {
    return false;
  }
}
