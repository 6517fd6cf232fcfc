import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of our own package, from a module in it wherever the bundler put it; undefined outside of it. */
export function packageRoot(moduleUrl: string): string | undefined {
  let folder = dirname(fileURLToPath(moduleUrl));
  for (;;) {
    if (isOurs(join(folder, "package.json"))) return folder;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function isOurs(manifest: string): boolean {
  try {
    const content: unknown = JSON.parse(readFileSync(manifest, "utf8"));
    return typeof content === "object" && content !== null && "name" in content && content.name === "hookbell";
  } catch {
    return false;
  }
}
