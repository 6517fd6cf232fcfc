// `hookbell fleet rotate`: gives a member a new key, and ends the old one when the new one has been used.
import { typedWord } from "../../../model/places/user-shell.ts";
import { join } from "node:path";
import { type Authority, fleetDir, issueCredentials, type MemberRecord, writeAuthority } from "../admin/authority.ts";
import { exitCodes, type ExitCode, UserError } from "../../../model/errors.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { paint } from "../../../console/output/text.ts";
import { fleetCommands } from "../help.ts";
import {
  memberNamed,
  readMemberName,
  requireAuthority,
  settleRotations,
  whereOf,
  withMember,
  withRevoked,
} from "./authority.ts";
import { asMember, ownMembership } from "./own-membership.ts";
import { credentialsName, readCredentials, withServers } from "../credentials.ts";
import { writeFleetFile } from "./this-machine.ts";

export async function rotateKeys(args: string[], io: CommandIo): Promise<ExitCode> {
  const { positionals } = parseArguments(args, fleetCommands["fleet rotate"].flags, 1);
  const [word] = positionals;
  const authority = requireAuthority(io);
  if (word === undefined) return showPending(io, await endRotations(io, authority));
  const name = readMemberName(word, "hookbell fleet rotate PERSON/HOST");
  const member = memberNamed(authority, name);
  if (member === undefined)
    throw new UserError("fleet.member", `${word} is no member`, { hint: "see: hookbell fleet" });
  const next = member.previousKey === undefined ? undefined : await takeUp(io, authority, member);
  if (next === "settled") return exitCodes.done;
  const rotating = next ?? (await startRotation(io, requireAuthority(io), member));
  const own = await ownMembership(io);
  if (own?.key === rotating.key) {
    // The broker lists connections that are open.
    return showPending(io, await asMember(own, async () => await endRotations(io, requireAuthority(io))));
  }
  if (next !== undefined) {
    throw new UserError("fleet.rotating", `the new key of ${word} has not been used yet`, {
      hint: `copy its file there: ${fileOf(io, member)}; then, or if it was used: hookbell fleet rotate. If it is stolen: hookbell fleet remove ${word}`,
    });
  }
  io.stdout(
    `copy it to ${word}, and run there: hookbell fleet join ${typedWord(credentialsName(member))}\n` +
      "the old key is valid until then; afterwards, to revoke it: hookbell fleet rotate\n",
  );
  return showPending(io, await endRotations(io, requireAuthority(io)));
}

const fileOf = ({ places }: CommandIo, member: MemberRecord): string =>
  join(fleetDir(places.configDir), credentialsName(member));

/**
 * Goes on with a rotation that has begun: it may have been cut off at any point. Undefined if its key is lost, since the file was
 * never written, or is not here any more: then it needs another one.
 */
async function takeUp(
  io: CommandIo,
  authority: Authority,
  member: MemberRecord,
): Promise<MemberRecord | "settled" | undefined> {
  const isHere = readCredentials(readIfThere(fileOf(io, member)) ?? "")?.key === member.key;
  const after = await endRotations(io, authority);
  if (memberNamed(after, member)?.previousKey === undefined) return "settled";
  return isHere ? member : undefined;
}

/** The record comes before the file: a key that is not in it could not be revoked. */
async function startRotation(io: CommandIo, authority: Authority, before: MemberRecord): Promise<MemberRecord> {
  const { configDir } = io.places;
  const { person, host, role, previousKey = before.key } = before;
  const { key, credentials } = await issueCredentials(authority, before);
  const text = withServers(credentials, whereOf(authority));
  const member = { person, host, role, key, previousKey };
  const isLost = before.previousKey !== undefined;
  writeAuthority(configDir, withMember(isLost ? withRevoked(authority, [before.key]) : authority, member));
  const path = writeFleetFile(configDir, credentialsName(before), text);
  io.stdout(`${paint(io, "green", "wrote")} ${path}\n`);
  if (isLost) io.stdout("the key that was made before is revoked: it was not used, and its file is not here\n");
  return member;
}

async function endRotations(io: CommandIo, before: Authority): Promise<Authority> {
  const { authority, settled } = await settleRotations(before, io);
  for (const { person, host } of settled)
    io.stdout(`${paint(io, "green", "revoked")} the old key of ${person}/${host}\n`);
  return authority;
}

function showPending(io: CommandIo, { members }: Authority): ExitCode {
  for (const { person, host } of members.filter(({ previousKey }) => previousKey !== undefined))
    io.stdout(`${person}/${host} has not used its new key yet; both are valid\n`);
  return exitCodes.done;
}
