// Finds, loads and runs the bundles in dist/.
import { realpathSync } from "node:fs";
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

/** The program runs as if Node had been started with it. */
export function runSibling(file: string, args: readonly string[]): void {
  const path = join(ownFolder(), file);
  process.argv.splice(1, Infinity, path, ...args);
  process.getBuiltinModule("node:module").createRequire(path)(path);
}
