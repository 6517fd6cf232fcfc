import { parseArgs, type ParseArgsConfig } from "node:util";
import { codeOf, exitCodes, messageOf, UserError } from "../../model/errors.ts";
import { suggest } from "../../rules/nearest.ts";

export type Flags = NonNullable<ParseArgsConfig["options"]>;

/**
 * The flags and words of a command line; anything unknown is a usage error (64) with the nearest flag, and so is a word
 * more than the command takes.
 */
export function parseArguments<T extends Flags>(
  args: string[],
  options: T,
  mostWords = Infinity,
): ReturnType<typeof parseArgs<{ options: T; allowPositionals: true; args: string[] }>> {
  const parsed = parse(args, options, mostWords);
  const extra = (parsed.positionals as string[])[mostWords];
  if (extra !== undefined) throw usage(`${JSON.stringify(extra)} is one word too many here`, "see --help");
  return parsed;
}

function parse<T extends Flags>(args: string[], options: T, mostWords: number) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (!codeOf(error)?.startsWith("ERR_PARSE_ARGS")) throw error;
    if (codeOf(error) !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
      throw usage(messageOf(error).split(". ")[0] ?? "", "see --help");
    }
    const unknown = /'(--?[^\s'<=]+)/.exec(messageOf(error))?.[1] ?? "";
    const names = Object.keys(options).map((name) => `--${name}`);
    const words = mostWords > 0 ? "\nwords that start with a dash stand behind --" : "";
    throw usage(`there is no flag ${unknown} here`, `${suggest(unknown, names, "flags")}${words}`);
  }
}

function usage(message: string, hint: string): UserError {
  return new UserError("usage.flag", message, { hint, exitCode: exitCodes.usage });
}
