// Finds, loads and runs the bundles in dist/.
import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The package's folder, behind npm's link. */
function ownFolder(): string {
  return dirname(realpathSync(process.argv[1] ?? ""));
}

export function cliCommand(...args: readonly string[]): [string, ...string[]] {
  return [process.execPath, join(ownFolder(), "cli.js"), ...args];
}

export function dispatcherCommand(): [string, ...string[]] {
  return cliCommand("dispatch", "--detached");
}

/** The identity differs for each installed version, wherever npm's link leads to now; undefined while there is none. */
export function programIdentity(): string | undefined {
  try {
    const { dev, ino, mtimeMs, size } = statSync(join(ownFolder(), "cli.js"));
    return [dev, ino, mtimeMs, size].join(" ");
  } catch {
    return undefined;
  }
}

/** The program runs as if Node had been started with it. */
export function runSibling(file: string, args: readonly string[]): void {
  runFile(join(ownFolder(), file), args);
}

export function runFile(path: string, args: readonly string[]): void {
  process.argv.splice(1, Infinity, path, ...args);
  process.getBuiltinModule("node:module").createRequire(path)(path);
}

/** Runs a script as `node -e` does; the single executable is its own `node`. */
export function runText(text: string, args: readonly string[]): void {
  const { constants, Script } = process.getBuiltinModule("node:vm");
  const { createRequire } = process.getBuiltinModule("node:module");
  process.argv.splice(1, Infinity, ...args);
  Object.assign(globalThis, { require: createRequire(process.execPath) });
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  new Script(text, { filename: "[eval]", importModuleDynamically }).runInThisContext();
}
