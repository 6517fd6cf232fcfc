// Finds the command that the arguments name, and runs it.
import { join, sep } from "node:path";
import { parseArguments } from "../console/arguments.ts";
import { type CommandIo, createCommandIo } from "../console/command-io.ts";
import { commandOf, helpFor, overview } from "./help.ts";
import { commandTable } from "./table.ts";
import type { Command, Effect } from "../console/command.ts";
import { commands } from "./commands.ts";
import { wings } from "../wings/index.ts";
import { hookFlags } from "../intake/hook-arguments.ts";
import {
  codeOf,
  describeWriteError,
  type ExitCode,
  exitCodes,
  messageOf,
  usageError,
  UserError,
} from "../model/errors.ts";
import { nearest, suggest } from "../rules/nearest.ts";
import { remedyHint } from "../system/files/unwritable.ts";
import { hasPipedInput } from "../system/terminal/stdin.ts";
import { version } from "../system/version.ts";
import { jsonLine } from "../console/output/text.ts";

const ownFlags = ["--version", "-v", "--help", "-h"];
const firstWords = Object.keys(commandTable).filter((name) => !name.includes(" "));

/** Runs a command; prints the error if it throws. */
export async function runCommandLine(argv: readonly string[], io = createCommandIo()): Promise<number> {
  try {
    return await main(argv, io);
  } catch (error) {
    return showError(error, io);
  }
}

async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined) {
    // `hookbell` with piped input is `hookbell hook`. Cron and the like pipe nothing.
    if (!io.isStdinTerminal && hasPipedInput()) return await run(["hook"]);
    io.stdout(overview(io));
    return exitCodes.done;
  }
  if (first === "--help" || first === "-h" || first === "help") {
    const topic = rest.filter((word) => !word.startsWith("-"));
    if (topic.length > 0) return await run([...topic, "--help"]);
    io.stdout(overview(io));
    return exitCodes.done;
  }
  if (first === "--version" || first === "-v") {
    io.stdout(`${version}\n`);
    return exitCodes.done;
  }
  // Agents that cannot pass a subcommand use only the hook's flags.
  if (first.startsWith("-")) {
    refuseFlag(first, io.isStdinTerminal);
    return await run(["hook", ...argv]);
  }
  return await run(argv);

  async function run(words: readonly string[]): Promise<number> {
    const flags = flagsOf(words);
    const topic = flags.includes("--help") || flags.includes("-h") ? commandOf(words) : undefined;
    if (topic !== undefined) {
      io.stdout(await helpFor(topic, io));
      return exitCodes.done;
    }
    try {
      return await runCommand(words, io);
    } catch (error) {
      if (words[0] !== "hook") return showError(error, io, flags.includes("--json") ? io.stdout : undefined);
      showError(error, io);
      // An agent reads exit code 2 or more as "block", and output as an answer.
      return exitCodes.failed;
    }
  }
}

/** What stands before `--`. */
function flagsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}

/**
 * Runs the command that the first words name, `fleet add` before `fleet`, with the words after them. Throws if it would grant
 * something, and no person has started it.
 */
export async function runCommand(words: readonly string[], io: CommandIo): Promise<number> {
  const [first = "", second = "", ...rest] = words;
  const find = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined);
  const run = async (name: string, command: Command, args: string[]): Promise<number> => {
    if (effectOf(name, command, args) === "grants") {
      (await import("../console/require-person.ts")).requirePerson(first, io);
    }
    return await (
      await command.load(wings)
    )(args, io);
  };
  const subcommand = find(`${first} ${second}`);
  if (subcommand !== undefined) return await run(`${first} ${second}`, subcommand, rest);
  const seconds = Object.keys(commands).flatMap((name) =>
    name.startsWith(`${first} `) ? name.split(" ").slice(1) : [],
  );
  const isMissing = second === "" || second.startsWith("-");
  const mayFollow = isMissing || seconds.length === 0 || commandTable[first]?.words !== undefined;
  const command = mayFollow ? find(first) : undefined;
  if (command !== undefined) return await run(first, command, words.slice(1));
  if (seconds.length === 0) {
    throw usageError("command", `there is no command ${JSON.stringify(first)}`, suggest(first, firstWords, "commands"));
  }
  const message = isMissing
    ? `${first} needs a subcommand`
    : `there is no command ${JSON.stringify(`${first} ${second}`)}`;
  throw usageError(first, message, suggest(second, seconds, "commands"));
}

/** Throws a usage error where the command would: both read the same words and flags. */
export function effectOf(name: string, { effect }: Command, args: string[]): Effect {
  if (typeof effect === "string") return effect;
  const { values, positionals } = parseArguments(args, commandTable[name]?.flags ?? {});
  return effect({ words: positionals, flags: values });
}

/** Throws a usage error for a flag such as `--verison`, unless an agent may have meant `hook`, whose flags work without the command. */
function refuseFlag(first: string, isStdinTerminal: boolean): void {
  const [flag = ""] = first.split("=", 1);
  if (hookFlags.includes(flag)) return;
  const others = [...ownFlags, ...firstWords];
  const meant = nearest(flag, [...hookFlags, ...others]);
  const isOther = meant !== undefined && others.includes(meant);
  if (!isOther && !isStdinTerminal) return;
  throw new UserError("usage.flag", `there is no flag ${JSON.stringify(flag)}`, {
    hint: meant === undefined ? "hookbell --help shows what there is" : `did you mean ${JSON.stringify(meant)}?`,
    // This may be an agent's hook, and more than 1 would mean "block".
    exitCode: isStdinTerminal ? exitCodes.usage : exitCodes.failed,
  });
}

const readingCalls = new Set([
  "scandir",
  "opendir",
  "stat",
  "statfs",
  "lstat",
  "read",
  "readlink",
  "realpath",
  "access",
]);

/** Where `json` is set, it prints `{ "error": { "code", "message", "hint"?, … } }`. */
export function showError(
  error: unknown,
  { stderr, places }: Pick<CommandIo, "stderr" | "places">,
  json?: CommandIo["stdout"],
): ExitCode {
  const userError = error instanceof UserError ? error : asFileProblem(error, places.stateDir);
  if (userError === undefined) {
    json?.(jsonLine({ error: { code: "bug", message: messageOf(error) } }));
    stderr(`hookbell: this is a bug in hookbell; please report it with these lines:\n${traceOf(error)}\n`);
    return exitCodes.bug;
  }
  const { code, message, hint, details, exitCode } = userError;
  const [firstLine = ""] = message.split("\n");
  json?.(jsonLine({ error: { code, message: details === undefined ? message : firstLine, hint, ...details } }));
  stderr(`hookbell: ${message}\n${hint === undefined ? "" : `  ${hint.replaceAll("\n", "\n  ")}\n`}`);
  return exitCode;
}

/** A report may become public, and the first line of a SyntaxError quotes what was read. */
function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const calls = error.stack?.match(/^ {4}at .*$/gm) ?? [];
  return [`${error.name}: ${messageOf(error)}`, ...calls].join("\n");
}

/**
 * The user can fix file system errors, wherever they happen. Errors of the network name no path. A missing file or program is
 * hookbell's fault: it should have looked.
 */
function asFileProblem(error: unknown, stateDir: string): UserError | undefined {
  const code = codeOf(error);
  if (code === undefined || code === "ENOENT") return undefined;
  const { path, syscall } = error as { path?: unknown; syscall?: unknown };
  if (typeof path !== "string" || typeof syscall !== "string" || syscall.startsWith("spawn")) return undefined;
  const isReading = readingCalls.has(syscall);
  const isState = path === stateDir || path.startsWith(join(stateDir, sep));
  return new UserError("files.unusable", `cannot ${isReading ? "read" : "use"} ${path}: ${describeWriteError(error)}`, {
    hint: remedyHint(error, path, isState),
    exitCode: isReading ? exitCodes.failed : exitCodes.cannotWrite,
  });
}
