import { lstatSync } from "node:fs";

/** Whether a symbolic link lies at the path; where no file can be read there, it is a broken one. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
