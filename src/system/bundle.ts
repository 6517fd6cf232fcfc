// Finds and runs the other bundles in dist/.
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The folder of the script that Node was started with, behind npm's link. */
function ownFolder(): string {
  return dirname(realpathSync(process.argv[1] ?? ""));
}

/** The command line that runs this hookbell with these arguments. */
export function cliCommand(...args: readonly string[]): [string, ...string[]] {
  return [process.execPath, join(ownFolder(), "cli.js"), ...args];
}

/** The command line that starts a dispatcher in the background. */
export function dispatcherCommand(): [string, ...string[]] {
  return cliCommand("dispatch", "--detached");
}

/** Runs another bundle in this process, as if started with these arguments. */
export function runSibling(file: string, args: readonly string[]): void {
  const path = join(ownFolder(), file);
  process.argv.splice(1, Infinity, path, ...args);
  createRequire(path)(path);
}
