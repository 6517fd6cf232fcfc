import { statIfThere } from "./files.ts";

/** Whether nothing lies at the path, for sure: what cannot be looked at may be there. */
export function isMissing(path: string): boolean {
  try {
    return statIfThere(path) === undefined;
  } catch {
    return false;
  }
}
