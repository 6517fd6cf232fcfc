// The folder of this package, and the Node that runs it.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Works from `src/` and from `dist/` alike. */
export function ownPackageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  // package.json would not do: dist/ has one as well.
  while (!existsSync(join(folder, "sounds"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the folder of hookbell's package was not found");
    folder = parent;
  }
  return folder;
}

export function runningNode(): string {
  return process.execPath;
}
