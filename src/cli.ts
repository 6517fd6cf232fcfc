#!/usr/bin/env node
import { commands, findCommand } from "./commands/index.ts";
import { createCommandIo } from "./commands/create-io.ts";
import { helpFor, overview } from "./commands/help.ts";
import { version } from "./system/version.ts";
import { showBug, showPersonError } from "./commands/show-error.ts";
import { exitCodes, PersonError, type ExitCode } from "./model/errors.ts";

/** argv -> command. The only place that ends the process. */
async function main(argv: readonly string[]): Promise<ExitCode> {
  const io = createCommandIo();
  const [first, ...rest] = argv;
  if (first === undefined) {
    // `hookbell` alone, with something piped into it, is `hookbell hook`.
    if (!io.isStdinTerminal) return await run("hook", []);
    io.stdout(overview(io));
    return exitCodes.done;
  }
  if (first === "--help" || first === "-h" || first === "help") {
    const topic = rest.find((word) => findCommand(word) !== undefined);
    io.stdout(topic === undefined ? overview(io) : helpFor(topic, io));
    return exitCodes.done;
  }
  if (first === "--version" || first === "-v") {
    io.stdout(`${version}\n`);
    return exitCodes.done;
  }
  // Agents that cannot write a subcommand call us with the hook's own flags.
  if (first.startsWith("-")) return await run("hook", [...argv]);
  return await run(first, rest);

  async function run(name: string, args: string[]): Promise<ExitCode> {
    const command = findCommand(name);
    if (command === undefined) {
      throw new PersonError("usage.command", `there is no command "${name}"`, {
        hint: `the commands are ${commands.map((each) => each.name).join(", ")}`,
        exitCode: exitCodes.usage,
      });
    }
    const end = args.indexOf("--");
    const flags = end === -1 ? args : args.slice(0, end);
    if (flags.includes("--help") || flags.includes("-h")) {
      io.stdout(helpFor(name, io));
      return exitCodes.done;
    }
    const runCommand = await command.load();
    return await runCommand(args, io);
  }
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.exitCode =
      error instanceof PersonError ? showPersonError(error, process.stderr) : showBug(error, process.stderr);
  },
);
