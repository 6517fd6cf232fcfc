// What the administrator's commands share: the keys, a member named on the command line, and changes that the broker must know.
import { type Authority, type MemberRecord, readAuthority, writeAuthority } from "../admin/authority.ts";
import { pushAccount, usedKeys, withKeys } from "../admin/broker.ts";
import { isToken } from "../names.ts";
import { UserError, usageError } from "../../../model/errors.ts";
import { readIfThere } from "../../../system/files/read.ts";
import type { Clock } from "../../../system/clock.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import type { Where } from "../credentials.ts";

/** Throws if this is not the administrator's machine. */
export function requireAuthority({ places }: Pick<CommandIo, "places">): Authority {
  const authority = readAuthority(places.configDir);
  if (authority !== undefined) return authority;
  throw new UserError("fleet.notAdministrator", "this machine does not have the fleet's keys", {
    hint: "run this where hookbell fleet init was run; to start a fleet here: hookbell fleet init",
  });
}

export function readMemberName(word: string | undefined, usage: string): { person: string; host: string } {
  const [person, host, ...rest] = (word ?? "").split("/");
  if (person !== undefined && host !== undefined && rest.length === 0 && isToken(person) && isToken(host))
    return { person, host };
  const what = word === undefined ? "which member?" : `${JSON.stringify(word)} is no member's name`;
  throw usageError("fleet", what, `${usage}: 1 to 64 letters, digits, _ or - each`);
}

export function memberNamed(
  authority: Authority,
  { person, host }: { person: string; host: string },
): MemberRecord | undefined {
  return authority.members.find((each) => each.person === person && each.host === host);
}

export function withMember(authority: Authority, member: MemberRecord): Authority {
  const others = authority.members.filter((each) => each.person !== member.person || each.host !== member.host);
  return { ...authority, members: [...others, member] };
}

/** The end of the year 9999, in seconds since the epoch. */
const forEver = 253_402_300_799;

/**
 * The broker refuses what was signed for the key before this time. A key is signed once, so the time is the last there is: one
 * by this machine's clock would leave a key valid that was signed while the clock was ahead.
 */
export function withRevoked(authority: Authority, keys: readonly string[]): Authority {
  return { ...authority, revoked: { ...authority.revoked, ...Object.fromEntries(keys.map((key) => [key, forEver])) } };
}

/** What a member needs besides its key. Throws if the file of the certificate authority is gone. */
export function whereOf({ servers, ca }: Authority): Where {
  if (ca === undefined) return { servers };
  const authority = readIfThere(ca);
  if (authority !== undefined) return { servers, authority };
  throw new UserError("fleet.noCertificate", `the certificate authority ${ca} is not there`, {
    hint: "put it back: every member needs it to trust the servers",
  });
}

export async function publishAuthority(authority: Authority, clock: Clock): Promise<void> {
  await withKeys(authority, "system", clock.now(), async (connection) => await pushAccount(connection, authority));
}

/**
 * Ends rotations whose new key has been used, and tells the broker all revocations: an earlier command may have been cut off before
 * it could. Returns the authority as it is on the disk then.
 */
export async function settleRotations(
  authority: Authority,
  { places, clock }: Pick<CommandIo, "places" | "clock">,
): Promise<{ authority: Authority; settled: MemberRecord[] }> {
  const pending = authority.members.filter(({ previousKey }) => previousKey !== undefined);
  return await withKeys(authority, "system", clock.now(), async (connection) => {
    const used = pending.length === 0 ? new Set() : await usedKeys(connection, authority);
    const settled = pending.filter(({ key }) => used.has(key));
    const old = settled.flatMap(({ previousKey = [] }) => previousKey);
    let after = withRevoked(authority, old);
    for (const { person, host, role, key } of settled) after = withMember(after, { person, host, role, key });
    // The record comes first: otherwise another command could hand the broker an account in which the old key is valid.
    if (settled.length > 0) writeAuthority(places.configDir, after);
    await pushAccount(connection, after);
    return { authority: after, settled };
  });
}
