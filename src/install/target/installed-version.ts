// The version of an agent's program, read from files: nothing is run.
import { basename, dirname, extname, join } from "node:path";
import { objectOf, parseJson, textOf } from "../../model/json.ts";
import { readIfThere } from "../../system/files/read.ts";
import { realPathOf } from "../../system/files/inspect-path.ts";

const release = /^v?(\d+\.\d+\.\d+)(?:[-+][\w.-]+)?$/;

/** Undefined where neither a package nor a folder's name says it. */
export function installedVersion(program: string): string | undefined {
  const path = realPathOf(program);
  if (path === undefined) return undefined;
  try {
    const run = runByScript(path) ?? path;
    return versionOfPackage(run) ?? versionInPath(run);
  } catch {
    // Its manifest is not readable.
    return undefined;
  }
}

/** npm's script for a package's program on Windows has its path: `"%dp0%\node_modules\@openai\codex\bin\codex.js"` */
function runByScript(path: string): string | undefined {
  if (![".cmd", ".ps1"].includes(extname(path).toLowerCase())) return undefined;
  const [, below] = /"(?:%dp0%|%~dp0|\$basedir)[\\/](node_modules[\\/][^"]+)"/.exec(readIfThere(path) ?? "") ?? [];
  return below === undefined ? undefined : join(dirname(path), ...below.split(/[\\/]/));
}

/** `node_modules/codex/bin/codex.js` and `node_modules/@openai/codex/bin/codex.js` */
function versionOfPackage(path: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const parent = dirname(folder);
    const isPackage = basename(parent) === "node_modules" || basename(dirname(parent)) === "node_modules";
    const text = isPackage ? readIfThere(join(folder, "package.json")) : undefined;
    if (text !== undefined) return release.exec(textOf(objectOf(parseJson(text)).version) ?? "")?.[1];
  }
  return undefined;
}

/** Installers keep a file or a folder for each release: `versions/2.1.332`. */
function versionInPath(path: string): string | undefined {
  const found = path.split(/[\\/]/).flatMap((part) => release.exec(part)?.[1] ?? []);
  return found.at(-1);
}

/** Whether the first of two versions such as `2.1.332` is the newer one. */
export function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((version) => version.split(".").map(Number));
  const differs = left?.findIndex((part, index) => part !== right?.[index]) ?? -1;
  return differs >= 0 && (left?.[differs] ?? 0) > (right?.[differs] ?? 0);
}
