#!/usr/bin/env node
import { commands, findCommand, type Command } from "./commands/index.ts";
import { createCommandIo } from "./commands/console/create-io.ts";
import { helpFor, overview } from "./commands/help.ts";
import { hasPipedInput } from "./system/terminal/piped-input.ts";
import { version } from "./system/version.ts";
import { refuseFlag } from "./refuse-flag.ts";
import { showError } from "./commands/console/show-error.ts";
import { exitCodes, PersonError, type ExitCode } from "./model/errors.ts";
import { suggest } from "./rules/nearest.ts";

/** argv -> command. */
async function main(argv: readonly string[]): Promise<ExitCode> {
  const io = createCommandIo();
  const [first, ...rest] = argv;
  if (first === undefined) {
    // `hookbell` alone, with something piped into it, is `hookbell hook`; from cron and the like nothing is.
    if (!io.isStdinTerminal && hasPipedInput()) return await run("hook", []);
    io.stdout(overview(io));
    return exitCodes.done;
  }
  if (first === "--help" || first === "-h" || first === "help") {
    const topic = rest.find((word) => !word.startsWith("-"));
    io.stdout(topic === undefined ? overview(io) : helpFor(named(topic).name, io));
    return exitCodes.done;
  }
  if (first === "--version" || first === "-v") {
    io.stdout(`${version}\n`);
    return exitCodes.done;
  }
  // Agents that cannot write a subcommand call us with the hook's own flags.
  if (first.startsWith("-")) {
    refuseFlag(first, io.isStdinTerminal);
    return await run("hook", [...argv]);
  }
  return await run(first, rest);

  async function run(name: string, args: string[]): Promise<ExitCode> {
    const command = named(name);
    const flags = flagsOf(args);
    if (flags.includes("--help") || flags.includes("-h")) {
      io.stdout(helpFor(name, io));
      return exitCodes.done;
    }
    const runCommand = await command.load();
    try {
      return await runCommand(args, io);
    } catch (error) {
      if (name !== "hook")
        return showError(error, process.stderr, flags.includes("--json") ? process.stdout : undefined);
      showError(error, process.stderr);
      // Agents read an exit code of 2 or more of a hook as "block", and what it prints as an answer.
      return exitCodes.failed;
    }
  }
}

/** What stands before `--`. */
function flagsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}

function named(name: string): Command {
  const command = findCommand(name);
  if (command !== undefined) return command;
  const names = commands.map((each) => each.name);
  throw new PersonError("usage.command", `there is no command ${JSON.stringify(name)}`, {
    hint: suggest(name, names, "commands"),
    exitCode: exitCodes.usage,
  });
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.exitCode = showError(error, process.stderr);
  },
);
