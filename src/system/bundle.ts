// Finds, loads and runs the bundles in dist/.
import { existsSync, realpathSync } from "node:fs";
import * as nodeModule from "node:module";
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
  nodeModule.createRequire(path)(path);
}

/** From Node 22.8 on, keeps what it compiles of the chunks in the state folder, for the next start; makes no state folder. */
export function keepCompiled(stateDir: string): void {
  // The types are those of Node 20.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (existsSync(stateDir)) enableCompileCache?.(join(stateDir, "compile-cache"));
}
