import { dirname, join } from "node:path";
import { isMissing } from "./inspect-path.ts";

/** The folder of the git repository that a file lies in; undefined where it lies in none. */
export function repositoryAbove(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!isMissing(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
