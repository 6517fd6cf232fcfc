// `hookbell fleet remove`: revokes a member's keys at once, or takes this machine out of its fleet.
import { readAuthority, writeAuthority } from "../admin/authority.ts";
import { exitCodes, type ExitCode, UserError } from "../../../model/errors.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { endWithoutConsent } from "../../../console/confirm.ts";
import { paint } from "../../../console/output/text.ts";
import { fleetCommands } from "../help.ts";
import { memberNamed, publishAuthority, readMemberName, requireAuthority, withRevoked } from "./authority.ts";
import { credentialsName } from "../credentials.ts";
import { readWritten, removeFleetFile, undoOnThisMachine } from "./this-machine.ts";

export async function removeMember(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, fleetCommands["fleet remove"].flags, 1);
  const [word] = positionals;
  if (word === undefined) return await leave(io, values);
  const authority = requireAuthority(io);
  const name = readMemberName(word, "hookbell fleet remove PERSON/HOST");
  const member = memberNamed(authority, name);
  if (member === undefined)
    throw new UserError("fleet.member", `${word} is no member`, { hint: "see: hookbell fleet" });
  const keys = [member.key, ...(member.previousKey === undefined ? [] : [member.previousKey])];
  const after = withRevoked({ ...authority, members: authority.members.filter((each) => each !== member) }, keys);
  // The record comes first: if the broker is away, the next `fleet rotate` tells it.
  writeAuthority(io.places.configDir, after);
  removeFleetFile(io.places.configDir, credentialsName(name));
  try {
    await publishAuthority(after, io.clock);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.code, `the key of ${word} is still valid: ${error.message}`, {
      hint: "as soon as the broker can be reached, from any shell: hookbell fleet rotate",
    });
  }
  io.stdout(
    `${paint(io, "green", "revoked")} the key of ${word}: the broker has ended its connections and refuses it\n`,
  );
  return exitCodes.done;
}

async function leave(io: CommandIo, flags: { yes?: boolean | undefined }): Promise<ExitCode> {
  const { configDir } = io.places;
  const { files, rules } = readWritten(configDir);
  if (files.length === 0 && rules === undefined) {
    io.stdout("nothing to remove: fleet has written nothing on this machine\n");
    return exitCodes.done;
  }
  const isAdministrator = readAuthority(configDir) !== undefined;
  if (isAdministrator)
    io.stdout("the fleet's keys are among the files: without a copy, no one can add or revoke members\n");
  const end = await endWithoutConsent(io, flags, "Take this machine out of its fleet?");
  if (end !== undefined) return end;
  for (const line of await undoOnThisMachine(io)) io.stdout(`${line}\n`);
  return exitCodes.done;
}
