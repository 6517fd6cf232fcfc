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

/** Undefined when the path does not exist. */
export type RealPathOf = (path: string) => string | undefined;

/** pnpm has the version in its folder names; this path does not. */
export function stablePackageFolder(folder: string, realPathOf: RealPathOf): string {
  const parts = /^(.*?)([\\/])(?:node_modules[\\/])?\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/](.+)$/.exec(folder);
  const [, root, slash = "", name] = parts ?? [];
  const link = parts === null ? undefined : [root, "node_modules", name].join(slash);
  return link !== undefined && realPathOf(link) === realPathOf(folder) ? link : folder;
}
