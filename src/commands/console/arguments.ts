// Parses a command's flags and arguments.
import { parseArgs, type ParseArgsConfig } from "node:util";
import { codeOf, messageOf, usageError } from "../../model/errors.ts";
import { suggest } from "../../rules/nearest.ts";

export type Flags = NonNullable<ParseArgsConfig["options"]>;

/** Throws a usage error (64) for an unknown flag, with the nearest known one, and for more than `maxWords` arguments. */
export function parseArguments<T extends Flags>(
  args: string[],
  options: T,
  maxWords = Infinity,
): ReturnType<typeof parseArgs<{ options: T; allowPositionals: true; args: string[] }>> {
  const parsed = parse(args, options, maxWords);
  const extra = (parsed.positionals as string[])[maxWords];
  if (extra !== undefined) throw usageError("flag", `unexpected argument ${JSON.stringify(extra)}`, "see --help");
  return parsed;
}

function parse<T extends Flags>(args: string[], options: T, maxWords: number) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (!codeOf(error)?.startsWith("ERR_PARSE_ARGS")) throw error;
    if (codeOf(error) !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
      throw usageError("flag", describeMisuse(messageOf(error)), "see --help");
    }
    const unknown = /'(--?[^\s'<=]+)/.exec(messageOf(error))?.[1] ?? "";
    const names = Object.keys(options).map((name) => `--${name}`);
    const words = maxWords > 0 ? "\nput arguments that start with a dash after --" : "";
    throw usageError("flag", `there is no flag ${unknown}`, `${suggest(unknown, names, "flags")}${words}`);
  }
}

/** Node's message names the flag: `Option '-n, --last <value>' argument missing`. */
function describeMisuse(message: string): string {
  const flag = /'(-[^'<]*?)(?: <value>)?'/.exec(message)?.[1] ?? "a flag";
  if (message.includes("does not take an argument")) return `${flag} takes no value`;
  if (message.includes("ambiguous")) return `${flag} needs a value; one that starts with a dash follows "="`;
  return `${flag} needs a value`;
}
