#!/usr/bin/env node
// The program `hookbell`: its arguments decide what it loads.
import { join } from "node:path";
import type * as CommandLine from "../cli/command-line.ts";
import { parseHookArguments } from "../intake/hook-arguments.ts";
import { runSibling } from "../system/bundle.ts";
import { systemEnvironment } from "../system/environment.ts";
import { findPlaces } from "../system/paths.ts";
import { loadChunk } from "../system/process/compile-cache.ts";
import { hasPipedInput } from "../system/terminal/stdin.ts";
import { version } from "../system/version.ts";

/** The file of `cli/command-line.ts`; scripts/build.mjs fills it in. */
declare const commandLineChunk: string;

async function main(argv: readonly string[]): Promise<void> {
  const [first, ...rest] = argv;
  if (first === "--version" || first === "-v") {
    process.stdout.write(`${version}\n`);
    return;
  }
  const hookArgs = first === "hook" ? rest : argv;
  if (isHook(first) && parseHookArguments(hookArgs).status === "plain") {
    runSibling("hook.cjs", hookArgs);
    return;
  }
  const path = join(import.meta.dirname, commandLineChunk);
  const { runCommandLine } = loadChunk(path, findPlaces(systemEnvironment()).stateDir) as typeof CommandLine;
  process.exitCode = await runCommandLine(argv);
}

/** Some agents pipe a payload without saying `hook`. */
function isHook(first: string | undefined): boolean {
  return first === undefined ? hasPipedInput() : first === "hook" || first.startsWith("-");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`hookbell: cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  // Agents read 2 or more as "block".
  process.exitCode = isHook(process.argv[2]) ? 1 : 70;
});
