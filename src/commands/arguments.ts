import { parseArgs, type ParseArgsConfig } from "node:util";
import { closest } from "fastest-levenshtein";
import { codeOf, exitCodes, messageOf, PersonError } from "../model/errors.ts";

export type Flags = NonNullable<ParseArgsConfig["options"]>;

/** The flags and words of a command line; anything unknown is a usage error (64) with the nearest flag. */
export function parseArguments<T extends Flags>(
  args: string[],
  options: T,
): ReturnType<typeof parseArgs<{ options: T; allowPositionals: true; args: string[] }>> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (!codeOf(error)?.startsWith("ERR_PARSE_ARGS")) throw error;
    const unknown = /'(--?[^\s'<=]+)/.exec(messageOf(error))?.[1] ?? "";
    const names = Object.keys(options).map((name) => `--${name}`);
    const isUnknown = codeOf(error) === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    throw new PersonError(
      "usage.flag",
      isUnknown ? `there is no flag ${unknown} here` : (messageOf(error).split(". ")[0] ?? ""),
      {
        hint: isUnknown && names.length > 0 ? `did you mean ${closest(unknown, names)}?` : "see --help",
        exitCode: exitCodes.usage,
      },
    );
  }
}
