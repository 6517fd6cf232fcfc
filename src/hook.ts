import { parseHookArguments } from "./commands/hook-arguments.ts";
import { takePayload } from "./commands/take-payload.ts";
import { isDisabled, systemEnvironment } from "./system/environment.ts";
import { runSibling } from "./system/own-files.ts";

/**
 * What agents run: silent with exit 0, or one line a problem on stderr with exit 1; never 2 or more, which agents
 * read as "block". A bundle of its own, without sender libraries, rules or network.
 */
async function main(args: readonly string[]): Promise<number> {
  const env = systemEnvironment();
  if (isDisabled(env)) return 0;
  const options = parseHookArguments(args);
  if (options.status === "other") return await runSibling("cli.js", ["hook", ...args]);
  return complain(options.status === "wrong" ? options.problems : await takePayload(options, env));
}

function complain(lines: readonly string[]): number {
  process.stderr.write(lines.map((line) => `hookbell: ${line}\n`).join(""));
  return lines.length === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.exitCode = complain([`payload: this is a bug in hookbell: ${String(error)}`]);
  },
);
