// `hookbell fleet join FILE`: makes this machine a member with the credentials from `fleet add`.
import { typedWord } from "../../../model/places/user-shell.ts";
import { join } from "node:path";
import { fleetDir } from "../admin/authority.ts";
import { readCredentials, credentialsName, serversIn } from "../credentials.ts";
import { type BrokerTarget, withBroker } from "../admin/broker.ts";
import { inboxPrefix } from "../names.ts";
import { exitCodes, type ExitCode, UserError, usageError } from "../../../model/errors.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { showEdit } from "../../../commands/channels/rules-file.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { endWithoutConsent } from "../../../console/confirm.ts";
import { paint } from "../../../console/output/text.ts";
import { fleetCommands } from "../help.ts";
import { planSection, writeFleetFile, writeSection } from "./this-machine.ts";

const authorityName = "ca.pem";

export async function joinFleet(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, fleetCommands["fleet join"].flags, 1);
  const [file] = positionals;
  if (file === undefined)
    throw usageError("fleet", "which file?", "hookbell fleet join FILE, with a file from hookbell fleet add");
  const text = readIfThere(file);
  if (text === undefined) throw new UserError("fleet.noFile", `there is no file ${file}`);
  const [member, where] = [readCredentials(text), serversIn(text)];
  if (member === undefined || where === undefined) {
    throw new UserError("fleet.badFile", `${file} is not a file of hookbell fleet add`, {
      exitCode: exitCodes.badInput,
    });
  }
  if (member.role === "server") {
    throw new UserError("fleet.badFile", `${file} is for hookbell serve`, {
      hint: `hookbell serve --fleet ${typedWord(file)}`,
      exitCode: exitCodes.badInput,
    });
  }
  const { configDir } = io.places;
  const name = credentialsName(member);
  const { org, person, host } = member;
  const ca = where.authority === undefined ? undefined : join(fleetDir(configDir), authorityName);
  const planned = await planSection(io, { org, person, host, servers: where.servers, ca }, name);
  showEdit(io, planned.opened, planned, values["dry-run"] === true);
  const end = await endWithoutConsent(io, values, "Write this?");
  if (end !== undefined) return end;
  const path = writeFleetFile(configDir, name, text);
  if (where.authority !== undefined) writeFleetFile(configDir, authorityName, where.authority);
  writeSection(io, planned);
  io.stdout(
    `${paint(io, "green", "wrote")} ${path}\n${person}/${host} is a ${member.role} of ${org} now; to check it: hookbell doctor\n`,
  );
  await useOnce(io, { servers: where.servers, ca, credentials: text, inboxPrefix: inboxPrefix(member) });
  return exitCodes.done;
}

/** The old key of a rotation ends when the new one has been used; a dispatcher that is connected goes on with the old one until then. */
async function useOnce(io: CommandIo, target: BrokerTarget): Promise<void> {
  try {
    await withBroker(target, async () => await Promise.resolve());
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== "fleet.unreachable") throw error;
    io.stderr(`${paint(io, "yellow", "warning:")} ${error.message}; the dispatcher tries it again by itself\n`);
  }
}
