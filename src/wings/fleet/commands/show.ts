// `hookbell fleet`: what this machine is connected to, what waits for it, who tells now, and for an administrator all members.
import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { type MemberRecord, readAuthority } from "../admin/authority.ts";
import { isDenied } from "../admin/broker.ts";
import { consumerName, limits, type Member, personKeys, stream } from "../names.ts";
import { readFleetStatus } from "../status.ts";
import { exitCodes, type ExitCode } from "../../../model/errors.ts";
import { formatDuration } from "../../../model/figures/duration.ts";
import { objectIn } from "../../../model/json.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { renderTable } from "../../../console/output/table.ts";
import { count, jsonLine } from "../../../console/output/text.ts";
import { fleetCommands } from "../help.ts";
import { asMember, type OwnMembership, ownMembership } from "./own-membership.ts";

interface Machine {
  host: string;
  /** Milliseconds since the epoch. */
  seenAt: number;
  lastInputAt: number | undefined;
  isHere: boolean;
}

interface OwnState {
  org: string;
  person: string;
  host: string;
  role: string | undefined;
  server: string;
  /** Events of its person that this machine has not taken yet; undefined if it takes none. */
  waiting: number | undefined;
  /** The machine's own events that wait to be published. */
  unpublished: number;
  machines: Machine[];
}

export async function showFleet(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, fleetCommands.fleet.flags, 0);
  const own = await ownMembership(io);
  const authority = readAuthority(io.places.configDir);
  if (own === undefined && authority === undefined) {
    io.stdout(
      values.json
        ? jsonLine({})
        : "no fleet. A fleet connects several machines through nats-server; one machine needs none.\n" +
            "To start one: hookbell fleet init --org NAME --person NAME; to join one: hookbell fleet join FILE\n",
    );
    return exitCodes.done;
  }
  const state = own === undefined ? undefined : await readState(io, own);
  const members = authority?.members.map(({ person, host, role, previousKey }) => ({
    person,
    host,
    role,
    isRotating: previousKey !== undefined,
  }));
  if (values.json) {
    io.stdout(jsonLine({ machine: state, members }));
    return exitCodes.done;
  }
  if (state !== undefined) showState(io, state);
  if (authority !== undefined) showMembers(io, authority.members);
  return exitCodes.done;
}

async function readState(io: CommandIo, own: OwnMembership): Promise<OwnState> {
  const { member, named } = own;
  return await asMember(own, async (connection) => {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const waiting = await manager.consumers
      .info(stream.name, consumerName(member))
      .then((info) => info.num_pending + info.num_ack_pending)
      .catch(() => undefined);
    const unpublished = readFleetStatus({ root: io.places.stateDir })?.unpublished ?? 0;
    const machines = await presentMachines(connection, member, io.clock.now());
    return { ...member, role: named?.role, server: connection.getServer(), waiting, unpublished, machines };
  });
}

/** A role without the right to its person's presence sees none. */
async function presentMachines(connection: NatsConnection, member: Member, nowMs: number): Promise<Machine[]> {
  const machines: Machine[] = [];
  try {
    const bucket = await new Kvm(connection).open("presence", { bindOnly: true });
    const entries = await bucket.history({ key: personKeys(member) });
    for await (const entry of entries) {
      if (entry.operation !== "PUT") continue;
      const host = entry.key.slice(member.person.length + 1);
      const { idleMs } = objectIn(entry.string());
      const seenAt = entry.created.getTime();
      const lastInputAt = typeof idleMs === "number" ? seenAt - idleMs : undefined;
      const isHere = nowMs - seenAt < limits.presenceLifeMs;
      machines.push({ host, seenAt, lastInputAt, isHere });
    }
  } catch (error) {
    if (!isDenied(error)) throw error;
  }
  return machines.sort((a, b) => (b.lastInputAt ?? 0) - (a.lastInputAt ?? 0));
}

function showState(io: CommandIo, { org, person, host, role, server, waiting, unpublished, machines }: OwnState): void {
  const now = io.clock.now();
  io.stdout(`${person}/${host}${role === undefined ? "" : `, a ${role}`} of ${org}, connected to ${server}\n`);
  if (waiting !== undefined) io.stdout(`${count(waiting, "event")} of ${person}'s machines wait to be taken in\n`);
  if (unpublished > 0) io.stdout(`${count(unpublished, "event")} wait here to be published\n`);
  const first = machines.find(({ isHere }) => isHere);
  if (first !== undefined) io.stdout(`${first.host} tells first: the last input was there\n`);
  if (machines.length === 0) return;
  const columns = [
    { header: "MACHINE", cells: machines.map((each) => each.host) },
    { header: "SEEN", cells: machines.map(({ seenAt }) => `${formatDuration(Math.max(0, now - seenAt))} ago`) },
    {
      header: "LAST INPUT",
      cells: machines.map(({ lastInputAt }) =>
        lastInputAt === undefined ? "none" : `${formatDuration(Math.max(0, now - lastInputAt))} ago`,
      ),
    },
  ];
  io.stdout(renderTable(columns, io));
}

function showMembers(io: CommandIo, members: readonly MemberRecord[]): void {
  io.stdout(`${count(members.length, "member")}, by this machine's keys:\n`);
  const columns = [
    { header: "MEMBER", cells: members.map(({ person, host }) => `${person}/${host}`) },
    { header: "ROLE", cells: members.map(({ role }) => role) },
    {
      header: "KEY",
      cells: members.map(({ previousKey }) => (previousKey === undefined ? "" : "new one not used yet")),
    },
  ];
  io.stdout(renderTable(columns, io));
}
