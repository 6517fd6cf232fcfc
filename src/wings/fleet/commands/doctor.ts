// `doctor`: connects to the fleet's broker, and tries what this machine may do there and what it must not.
import { typedWord } from "../../../model/places/user-shell.ts";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { type Authority, fleetDir, readAuthority } from "../admin/authority.ts";
import { serverFacts, withKeys } from "../admin/broker.ts";
import { clockAheadMs, type ProbedRight, tryRights } from "../admin/probes.ts";
import { addressOf } from "../admin/server-config.ts";
import { checkStreams, replicasFor } from "../admin/streams.ts";
import type { Member } from "../names.ts";
import { type FleetRole, roles } from "../rights.ts";
import { UserError } from "../../../model/errors.ts";
import { formatDuration } from "../../../model/figures/duration.ts";
import { statIfThere } from "../../../system/files/files.ts";
import { isLoopback } from "../../../system/network/destination.ts";
import { asMember, type OwnMembership, ownMembership } from "./own-membership.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { broken, type Finding, ok, warning } from "../../../console/output/finding.ts";

/** The command that shows whether it is fixed. */
const again = "hookbell doctor";
/** Claims expire by the broker's clock, but times in messages are this machine's. */
const maxClockMs = 60_000;
/** A person of no fleet, to try the other roles with. */
const trial = { person: "hookbell-doctor", host: "trial" };

/** Both parts are reported, also if one of them fails; what keeps both from the broker is reported once. */
export async function examineFleet(io: CommandIo): Promise<Finding[]> {
  const own = await reporting(io, async () => {
    const membership = await ownMembership(io);
    return membership === undefined ? [] : await examineOwn(io, membership);
  });
  const broker = await reporting(io, async () => {
    const authority = readAuthority(io.places.configDir);
    return authority === undefined ? [] : await examineBroker(io, authority);
  });
  return [...own, ...broker.filter(({ text }) => own.every((each) => each.text !== text))];
}

async function reporting(io: CommandIo, examine: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examine();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const start = error.code === "fleet.unreachable" ? startOwnServer(io) : undefined;
    if (start !== undefined) return [broken(error.message, start, "start the server, in a terminal of its own:")];
    return [broken(error.message, again, error.hint === undefined ? undefined : `${error.hint}, then:`)];
  }
}

/** The command that starts the broker, if it is to run on this machine and its configuration is here. */
function startOwnServer({ places }: CommandIo): string | undefined {
  const servers = readAuthority(places.configDir)?.servers ?? [];
  const path = join(fleetDir(places.configDir), "nats-server.conf");
  const isHere = servers.every((each) => isLoopback(new URL(each))) && statIfThere(path) !== undefined;
  return isHere && servers.length === 1 ? `nats-server -c ${typedWord(path)}` : undefined;
}

/** The settings and the credentials must name the same machine: otherwise the broker refuses everything. */
async function examineOwn(io: CommandIo, own: OwnMembership): Promise<Finding[]> {
  const { settings, member, named } = own;
  if (named !== undefined) {
    const part = (["org", "person", "host"] as const).find((each) => named[each] !== member[each]);
    if (part !== undefined)
      return [
        broken(
          `the credentials are of ${part} ${named[part]}, and the rules file says ${member[part]}`,
          again,
          'correct the rules file\'s "fleet", then:',
        ),
      ];
  }
  return await asMember(own, async (connection) => {
    const { server, version } = { server: connection.getServer(), version: connection.info?.version ?? "?" };
    const isTls = settings.servers.some((each) => addressOf(each).isTls);
    const how = isTls ? "with TLS" : "without TLS, on this machine";
    const findings = [ok(`connected to ${server}, nats-server ${version}, ${how}`)];
    if (named === undefined) {
      const fix = "use credentials from hookbell fleet add, then:";
      return [...findings, warning("these credentials name no role, so their rights are not checked", again, fix)];
    }
    findings.push(
      ...describeRights(
        `${member.person}/${member.host}, a ${named.role},`,
        await tryRights(connection, named.role, member),
      ),
    );
    if (named.role === "device" || named.role === "host")
      findings.push(...(await examineClock(io, connection, member)));
    return findings;
  });
}

function describeRights(who: string, results: readonly ProbedRight[]): Finding[] {
  const wrong = results.filter(({ isAllowed, wasAllowed }) => wasAllowed !== isAllowed);
  if (wrong.length === 0) {
    const allowed = results.filter(({ isAllowed }) => isAllowed).length;
    const not = results.length - allowed;
    return [ok(`${who} has all ${allowed} rights that it needs, and none of the ${not} that it must not have`)];
  }
  return wrong.map(({ what, isAllowed }) => {
    const fix = "the broker has another release's rights, or was set up by hand; on the administrator's machine:";
    return broken(`${who} ${isAllowed ? "cannot" : "can"} ${what}`, "hookbell fleet init", fix);
  });
}

async function examineClock(io: CommandIo, connection: NatsConnection, member: Member): Promise<Finding[]> {
  const ahead = await clockAheadMs(connection, member, () => io.clock.now());
  if (ahead === undefined) return [];
  if (Math.abs(ahead) <= maxClockMs) return [ok("this machine's clock agrees with the broker's")];
  const text = `this machine's clock is ${formatDuration(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} the broker's`;
  return [warning(text, again, "set the clock, then:")];
}

/** What only the administrator's keys can see: each role's rights, the streams, the servers. */
async function examineBroker(io: CommandIo, authority: Authority): Promise<Finding[]> {
  const { servers, org } = authority;
  const findings: Finding[] = [];
  for (const role of roles) findings.push(...(await tryRole(io, authority, role)));
  await withKeys(authority, "admin", io.clock.now(), async (admin) => {
    const states = await checkStreams(await jetstreamManager(admin), {
      replicas: replicasFor(servers.length),
      change: "nothing",
    });
    for (const { name, what, differences } of states) {
      if (what === "missing") findings.push(broken(`the broker has no stream ${name}`, "hookbell fleet init"));
      for (const difference of differences)
        findings.push(broken(`${name}: ${difference}`, "hookbell fleet init --correct"));
    }
    if (states.every(({ what }) => what === "right"))
      findings.push(ok(`the stream and the buckets of ${org} are set up correctly`));
  });
  for (const { name, version, syncsAlways } of await withKeys(authority, "system", io.clock.now(), serverFacts)) {
    if (syncsAlways === true) findings.push(ok(`${name} writes to its disk before it confirms`));
    else {
      const fix =
        syncsAlways === false
          ? "add sync_interval: always to jetstream in its configuration, start it again, then:"
          : "from 2.10 on, nats-server has sync_interval: always; with three servers, one power failure loses nothing either way";
      const text = `${name}, nats-server ${version}, may confirm messages minutes before it writes them to its disk`;
      findings.push(warning(text, again, fix));
    }
  }
  return findings;
}

async function tryRole(io: CommandIo, authority: Authority, role: FleetRole): Promise<Finding[]> {
  const member = { org: authority.org, ...trial };
  return await withKeys(authority, { role, ...trial }, io.clock.now(), async (connection) =>
    describeRights(`a ${role}`, await tryRights(connection, role, member)),
  );
}
