// `hookbell computers add`: registers a machine and its install command with the server.
import { exitCodes, type ExitCode, usageError } from "../../model/errors.ts";
import { addComputer } from "../../server/computers.ts";
import { hostName } from "../../system/process/identity.ts";
import { randomId } from "../../system/crypto.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { jsonLine } from "../console/text.ts";
import { addComputerFlags } from "../help/server.ts";
import { dataDirOf } from "./serve.ts";

export async function addComputerCommand(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, addComputerFlags);
  const [name, program, ...rest] = positionals;
  if (name === undefined || program === undefined) {
    throw usageError(
      "computers",
      "the computer's name and the command that installs its dependencies are missing",
      "hookbell computers add NAME -- PROGRAM ARGUMENT... (for another machine: -- ssh HOST PROGRAM)",
    );
  }
  const computer = {
    id: `cmp_${randomId()}`,
    name,
    hostname: values.hostname ?? hostName(),
    argv: [program, ...rest] as [string, ...string[]],
    cwd: values.cwd ?? io.cwd,
    createdAt: io.clock.now(),
  };
  await addComputer(dataDirOf(values.data, io), computer, io.clock);
  const next = `hookbell computers install-deps ${computer.id}`;
  io.stdout(
    values.json === true ? jsonLine(computer) : `${name} is registered as ${computer.id}; to install: ${next}\n`,
  );
  return exitCodes.done;
}
