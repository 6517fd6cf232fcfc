// `hookbell computers`: restarts a computer's install step, lists those of your own server, or adds one to it.
import { resolve } from "node:path";
import { exitCodes, UserError, type ExitCode, usageError } from "../../../model/errors.ts";
import { printableLine } from "../../../model/text.ts";
import type { Computer } from "../contract/computers.ts";
import type { PlatformEvent } from "../events/event.ts";
import { acceptedInstall, refusedInstall } from "../events/install.ts";
import { addComputer } from "../server/computers.ts";
import { randomId } from "../../../system/crypto.ts";
import { tryToStat } from "../../../system/files/files.ts";
import { hostName } from "../../../system/process/identity.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { type Column, renderTable } from "../../../console/output/table.ts";
import { localTime } from "../../../console/output/show-entry.ts";
import { jsonLine } from "../../../console/output/text.ts";
import { addComputerFlags, platformCommands } from "../help.ts";
import { dataDirOf } from "./server-folder.ts";
import { openPlatformClient } from "./open-client.ts";
import { queueEvents } from "../events/ask-for-news.ts";

export async function installDeps(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, platformCommands.computers.flags, 1);
  const [id] = positionals;
  if (id === undefined) {
    throw usageError("computers", "the computer's id is missing", "hookbell computers install-deps ID");
  }
  const { client, settings } = await openPlatformClient(io, values.config);
  const queue = async (makeEvents: () => PlatformEvent[]): Promise<void> => {
    if (settings.installs === true) await queueEvents(io, makeEvents());
  };
  let computer: Computer;
  try {
    computer = await client.retryInstallDeps(id);
  } catch (error) {
    // The service did not refuse what was not sent, and an answer that cannot be read may say that it has begun.
    if (error instanceof UserError && error.details?.isAccepted === true) {
      await queue(() => acceptedInstall({ id, name: id }, io.clock.now()));
    } else if (error instanceof UserError && error.details?.status !== undefined) {
      await queue(() => [refusedInstall(id, error.message, io.clock.now())]);
    }
    throw error;
  }
  io.stdout(values.json === true ? jsonLine(computer) : showComputer(computer, io));
  await queue(() => acceptedInstall(computer, io.clock.now()));
  return exitCodes.done;
}

function showComputer({ id, name, status, provisioningSteps: steps = [] }: Computer, io: CommandIo): string {
  const state = status === undefined ? "" : `. Status: ${status}`;
  const line = `Install session started on ${printableLine(name)} (${printableLine(id)})${state}\n`;
  const next = "To see how it ends on a server of your own: hookbell computers list\n";
  if (steps.length === 0) return line + next;
  const columns = [
    { header: "Step", cells: steps.map((step) => step.name), minWidth: 12 },
    { header: "State", cells: steps.map((step) => step.status) },
    { header: "Session", cells: steps.map((step) => step.installSessionId ?? ""), omit: 1 },
    { header: "Error", cells: steps.map((step) => step.error ?? ""), minWidth: 12 },
  ];
  const filled = columns.filter(({ cells }) => cells.some((cell) => cell !== ""));
  return `${line}\n${renderTable(filled, io)}\n${next}`;
}

export async function listComputers(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, platformCommands.computers.flags, 0);
  const { client } = await openPlatformClient(io, values.config);
  const computers = await client.listComputers();
  if (values.json === true) io.stdout(jsonLine({ computers }));
  else if (computers.length === 0) {
    io.stdout("the server knows no computers; on its machine: hookbell computers add NAME -- PROGRAM ARGUMENT...\n");
  } else io.stdout(showComputers(computers, io));
  return exitCodes.done;
}

function showComputers(computers: readonly Computer[], io: CommandIo): string {
  // A server of one's own has one step, which the last session is about.
  const steps = computers.map(({ provisioningSteps }) => provisioningSteps?.[0]);
  const time = (atMs: number | undefined): string => (atMs === undefined ? "" : localTime(atMs));
  const columns: Column[] = [
    { header: "Computer", cells: computers.map(({ name }) => name) },
    { header: "Id", cells: computers.map(({ id }) => id) },
    { header: "Installation", cells: steps.map((step) => step?.status ?? "") },
    { header: "Began", cells: steps.map((step) => time(step?.startedAt)), omit: 2 },
    { header: "Ended", cells: steps.map((step) => time(step?.completedAt)), omit: 1 },
    { header: "Error", cells: steps.map((step) => step?.error ?? ""), minWidth: 20 },
  ];
  const filled = columns.filter(({ cells }) => cells.some((cell) => cell !== ""));
  return renderTable(filled, io);
}

export async function registerComputer(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, addComputerFlags);
  const [name, program, ...rest] = positionals;
  if (name === undefined || program === undefined) {
    throw usageError(
      "computers",
      "the computer's name and the command that installs its dependencies are missing",
      "hookbell computers add NAME -- PROGRAM ARGUMENT... (for another machine: -- ssh HOST PROGRAM)",
    );
  }
  const cwd = values.cwd === undefined ? io.cwd : resolve(io.cwd, values.cwd);
  if (tryToStat(cwd)?.isFolder !== true) {
    throw new UserError("computers.folder", `there is no folder ${cwd}, in which the command would run`, {
      hint: "give a folder of the machine that runs hookbell serve: --cwd DIR",
      exitCode: exitCodes.badInput,
    });
  }
  const computer = {
    id: `cmp_${randomId()}`,
    name,
    hostname: values.hostname ?? hostName(),
    argv: [program, ...rest] as [string, ...string[]],
    cwd,
    createdAt: io.clock.now(),
  };
  await addComputer(dataDirOf(values.data, io), computer, io.clock);
  const next = `hookbell computers install-deps ${computer.id}`;
  io.stdout(
    values.json === true ? jsonLine(computer) : `${name} is registered as ${computer.id}; to install: ${next}\n`,
  );
  return exitCodes.done;
}
