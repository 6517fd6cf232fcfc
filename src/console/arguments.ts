// Parses a command's flags and arguments.
import { parseArgs } from "node:util";
import { codeOf, messageOf, usageError } from "../model/errors.ts";
import { suggest } from "../rules/nearest.ts";

export interface ParsedFlag {
  /** The placeholder of its value in `--help`. A flag without one takes no value. */
  value?: string;
  multiple?: boolean;
  short?: string;
  meaning: string;
}

export type Flags = Readonly<Record<string, ParsedFlag>>;

/** The same as `parseArgs` takes them. */
type Typed<T extends Flags> = {
  [Name in keyof T]: T[Name] & { type: T[Name] extends { value: string } ? "string" : "boolean" };
};

/** Throws a usage error (64) for an unknown flag, with the nearest known one, and for more than `maxWords` arguments. */
export function parseArguments<T extends Flags>(
  args: string[],
  flags: T,
  maxWords = Infinity,
): ReturnType<typeof parseArgs<{ options: Typed<T>; allowPositionals: true; args: string[] }>> {
  const parsed = parse(args, flags, maxWords);
  const extra = (parsed.positionals as string[])[maxWords];
  if (extra !== undefined) throw usageError("flag", `unexpected argument ${JSON.stringify(extra)}`, "see --help");
  return parsed;
}

function parse<T extends Flags>(args: string[], flags: T, maxWords: number) {
  const typed = Object.entries(flags).map(([name, flag]) => {
    return [name, { ...flag, type: flag.value === undefined ? "boolean" : "string" }];
  });
  const options = Object.fromEntries(typed) as Typed<T>;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (!codeOf(error)?.startsWith("ERR_PARSE_ARGS")) throw error;
    if (codeOf(error) !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
      throw usageError("flag", describeMisuse(messageOf(error)), "see --help");
    }
    const unknown = /'(--?[^\s'<=]+)/.exec(messageOf(error))?.[1] ?? "";
    const names = Object.keys(flags).map((name) => `--${name}`);
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
