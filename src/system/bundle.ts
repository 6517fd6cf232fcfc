// Finds, loads and runs the bundles in dist/.
import { existsSync, realpathSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";

/** Behind npm's link. */
function ownFolder(): string {
  return dirname(realpathSync(process.argv[1] ?? ""));
}

export function cliCommand(...args: readonly string[]): [string, ...string[]] {
  return [process.execPath, join(ownFolder(), "cli.js"), ...args];
}

export function dispatcherCommand(): [string, ...string[]] {
  return cliCommand("dispatch", "--detached");
}

/** As if Node had been started with it. */
export function runSibling(file: string, args: readonly string[]): void {
  const path = join(ownFolder(), file);
  process.argv.splice(1, Infinity, path, ...args);
  nodeModule.createRequire(path)(path);
}

/** From Node 22.8 on, keeps the compiled chunks in the state folder. Makes no state folder. */
export function keepCompiled(stateDir: string): void {
  // The types are those of Node 20.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (existsSync(stateDir)) enableCompileCache?.(join(stateDir, "compile-cache"));
}
