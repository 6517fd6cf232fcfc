// `hookbell fleet rotate`: gives a member a new key, and ends the old one when the new one has been used.
import { type Authority, issueCredentials, type MemberRecord, writeAuthority } from "../../../fleet/admin/authority.ts";
import { withBroker } from "../../../fleet/admin/broker.ts";
import { inboxPrefix } from "../../../fleet/names.ts";
import { exitCodes, type ExitCode, UserError } from "../../../model/errors.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { paint } from "../../console/text.ts";
import { fleetCommands } from "../../help/fleet.ts";
import { memberNamed, readMemberName, requireAuthority, settleRotations, whereOf, withMember } from "./authority.ts";
import { ownMembership } from "./own-membership.ts";
import { credentialsName, withServers } from "../../../fleet/credentials.ts";
import { writeFleetFile } from "./this-machine.ts";

export async function rotateKeys(args: string[], io: CommandIo): Promise<ExitCode> {
  const { positionals } = parseArguments(args, fleetCommands["fleet rotate"].flags, 1);
  const authority = requireAuthority(io);
  if (positionals[0] !== undefined) {
    const name = readMemberName(positionals[0], "hookbell fleet rotate PERSON/HOST");
    const member = memberNamed(authority, name);
    if (member === undefined)
      throw new UserError("fleet.member", `${positionals[0]} is no member`, { hint: "see: hookbell fleet" });
    if (member.previousKey !== undefined) {
      throw new UserError("fleet.rotating", `the new key of ${positionals[0]} has not been used yet`, {
        hint: "copy its file there; then, or if it was used: hookbell fleet rotate. If it is stolen: hookbell fleet remove",
      });
    }
    await startRotation(io, authority, member);
  }
  return await endRotations(io, requireAuthority(io));
}

async function startRotation(io: CommandIo, authority: Authority, member: MemberRecord): Promise<void> {
  const { configDir } = io.places;
  const { person, host, role } = member;
  const { key, credentials } = await issueCredentials(authority, member);
  const text = withServers(credentials, whereOf(authority));
  const isHere = (await ownMembership(io))?.key === member.key;
  writeAuthority(configDir, withMember(authority, { person, host, role, key, previousKey: member.key }));
  const path = writeFleetFile(configDir, credentialsName(member), text);
  io.stdout(`${paint(io, "green", "wrote")} ${path}\n`);
  if (!isHere) {
    io.stdout(
      `copy it to ${person}/${host}, and run there: hookbell fleet join ${credentialsName(member)}\n` +
        "the old key is valid until then; afterwards, to revoke it: hookbell fleet rotate\n",
    );
    return;
  }
  const { servers, ca, org } = authority;
  // The broker lists connections that are open.
  await withBroker(
    { servers, ca, credentials, inboxPrefix: inboxPrefix({ org, person, host }) },
    async () => await endRotations(io, requireAuthority(io)),
  );
}

async function endRotations(io: CommandIo, authority: Authority): Promise<ExitCode> {
  const { authority: after, settled } = await settleRotations(authority, io.clock);
  if (settled.length > 0) writeAuthority(io.places.configDir, after);
  for (const { person, host } of settled)
    io.stdout(`${paint(io, "green", "revoked")} the old key of ${person}/${host}\n`);
  for (const { person, host } of after.members.filter(({ previousKey }) => previousKey !== undefined))
    io.stdout(`${person}/${host} has not used its new key yet; both are valid\n`);
  return exitCodes.done;
}
