// The program that agents run.
import { parseHookArguments } from "../intake/hook-arguments.ts";
import { takePayload } from "../intake/take-payload.ts";
import { isDisabled, systemEnvironment } from "../system/environment.ts";
import { runSibling } from "../system/bundle.ts";

/** Never exits with 2 or more, which agents read as "block". */
async function main(args: readonly string[]): Promise<number | undefined> {
  const env = systemEnvironment();
  if (isDisabled(env)) return 0;
  const options = parseHookArguments(args);
  if (options.status === "other") {
    runSibling("cli.js", ["hook", ...args]);
    // `cli.js` sets the exit code itself.
    return undefined;
  }
  return complain(options.status === "wrong" ? options.problems : await takePayload(options, env));
}

function complain(lines: readonly string[]): number {
  // The mere name `process.stderr` loads the stream.
  if (lines.length === 0) return 0;
  process.stderr.write(lines.map((line) => `hookbell: ${line}\n`).join(""));
  return 1;
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    if (exitCode === 0) process.exit(0);
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.exitCode = complain([`payload: this is a bug in hookbell: ${String(error)}`]);
  },
);
