// The program of the single executable, which is Node with hookbell's package in it. It unpacks the package and runs the
// package's files as Node would, so that hooks and child processes name them as they do beside npm's `hookbell`.
import { isAbsolute, join } from "node:path";
import { runFile, runText } from "../system/bundle.ts";
import { systemEnvironment } from "../system/environment.ts";
import { findPlaces } from "../system/paths.ts";
import { unpackCarriedPackage } from "../system/single-executable.ts";
import { version } from "../system/version.ts";

function main(argv: readonly string[]): void {
  const [first = "", ...rest] = argv;
  if (first === "--version" || first === "-v") {
    process.stdout.write(`${version}\n`);
    return;
  }
  const folder = unpackCarriedPackage(findPlaces(systemEnvironment()).stateDir);
  if (first === "-e") runText(rest[0] ?? "", rest.slice(1));
  else if (isAbsolute(first)) runFile(first, rest);
  else runFile(join(folder, "dist", "cli.js"), argv);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`hookbell: cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  // Agents read 2 or more as "block".
  process.exitCode = 1;
}
