// Lists the files below a folder. Links are not followed.
import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";

const maxDepth = 12;

/** Relative, with forward slashes, in ascending order. What cannot be read is left out. */
export function* walkFiles(root: string, below = "", depth = 0): Generator<string> {
  for (const entry of entriesOf(join(root, below))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth < maxDepth) yield* walkFiles(root, path, depth + 1);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
