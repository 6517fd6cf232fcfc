// The folder of this package, and the Node that runs it.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Found from `src/` and from `dist/` alike; links are resolved. */
export function ownPackageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  // Not by package.json: dist/ has one as well.
  while (!existsSync(join(folder, "sounds"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the folder of hookbell's package was not found");
    folder = parent;
  }
  return folder;
}

/** A real path, often with a version in it. */
export function runningNode(): string {
  return process.execPath;
}
