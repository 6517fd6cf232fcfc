// A fleet that grows in one process: what each machine takes here and on the broker, and how long until a person's device tells.
import { jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import { createUser } from "@nats-io/jwt";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fleet } from "../../src/wings/fleet/fleet.ts";
import { buckets, type Member, stream } from "../../src/wings/fleet/names.ts";
import { readFleetStatus } from "../../src/wings/fleet/status.ts";
import { Secret } from "../../src/model/privacy/secret.ts";
import { publishedIdIn } from "../../src/outbox/incoming.ts";
import { ensureLayout, layoutOf } from "../../src/outbox/layout.ts";
import { systemClock } from "../../src/system/clock.ts";
import { inTemporaryFolder, listNames, removeIfThere } from "../../src/system/files/files.ts";
import { stopping } from "../stopping.ts";
import { percentile } from "../table.ts";
import { startBroker } from "./broker.ts";
import { samplePayload } from "./sample.ts";

const sizes = [100, 1000, 3000, 10_000];
/** One device and nine machines on which agents run. */
const machinesOfPerson = 10;
const connectingAtOnce = 40;
const toldEvents = 200;
const restMs = 10_000;
/** A machine that is busy otherwise reaches fewer. */
const mostMs = 10 * 60_000;
const tellWithinMs = 10_000;

export interface Size {
  machines: number;
  /** How long it took all of them to connect, since the size before. */
  connectMs: number;
  consumers: number;
  /** Bytes, of this process and the broker's. */
  memory: number;
  brokerMemory: number;
  /** Parts of a core while nothing happens but heartbeats. */
  cpu: number;
  brokerCpu: number;
  /** From an event on one machine until the device of its person has the claim to tell it. */
  tellMs: { p50: number; p99: number };
}

/** Bytes on the broker's disk. */
export interface Measured {
  sizes: Size[];
  eventBytes: number;
  presenceBytes: number;
  claimBytes: number;
}

interface Machine {
  member: Member;
  fleet: Fleet;
  root: string;
  isDevice: boolean;
}

/** The two kinds of keys that a fleet gives its machines; that of a host may not see what the person's other machines say. */
function brokerAccess() {
  const [device, host] = [createUser(), createUser()];
  const denied = ["presence", "questions", "sessions"].map((bucket) => `"$JS.API.CONSUMER.CREATE.KV_${bucket}.>"`);
  const config = `accounts { A { jetstream: enabled, users: [
    { user: admin, password: admin }
    { nkey: ${device.getPublicKey()} }
    { nkey: ${host.getPublicKey()}, permissions { publish { deny: [${denied.join(", ")}, "$JS.API.CONSUMER.CREATE.EVENTS.>"] } } }
  ] } }
  no_auth_user: admin`;
  const seedOf = (user: typeof device): Secret => new Secret(new TextDecoder().decode(user.getSeed()));
  return { config, device: seedOf(device), host: seedOf(host) };
}

export async function measureGrowth(folder: string, say: (line: string) => void): Promise<Measured> {
  const access = brokerAccess();
  const broker = await startBroker(join(folder, "growth"), access.config);
  const admin = await broker.connect();
  const manager = await jetstreamManager(admin);
  try {
    return await inTemporaryFolder(async (states) => await grow(states), { preferMemory: true });
  } finally {
    await admin.close();
    await broker.stop();
  }

  async function grow(states: string): Promise<Measured> {
    const machines: Machine[] = [];
    const told = new Map<string, () => void>();
    const open = async (index: number): Promise<void> => {
      const machine = openMachine(join(states, String(index)), index, told);
      machines.push(machine.machine);
      await machine.isConnected;
    };
    const startedAt = performance.now();
    const measured: Size[] = [];
    try {
      for (const size of sizes) {
        const begunAt = performance.now();
        const lane = async (): Promise<void> => {
          while (machines.length < size && performance.now() - startedAt < mostMs) {
            stopping.throwIfAborted();
            await open(machines.length);
          }
        };
        await Promise.all(Array.from({ length: connectingAtOnce }, lane));
        const connectMs = performance.now() - begunAt;
        measured.push({ ...(await measureSize(machines, told)), connectMs });
        say(`${machines.length} machines after ${Math.round((performance.now() - startedAt) / 1000)} seconds`);
        if (machines.length < size) break;
      }
      const bytesOf = async (name: string): Promise<number> => {
        const { state } = await manager.streams.info(name);
        return state.bytes / state.messages;
      };
      return {
        sizes: measured,
        eventBytes: await bytesOf(stream.name),
        presenceBytes: await bytesOf(`KV_${buckets.presence.name}`),
        claimBytes: await bytesOf(`KV_${buckets.claims.name}`),
      };
    } finally {
      await Promise.all(machines.map(async ({ fleet }) => await fleet.finish(false)));
    }
  }

  function openMachine(root: string, index: number, told: Map<string, () => void>) {
    const isDevice = index % machinesOfPerson === 0;
    const person = `p${Math.floor(index / machinesOfPerson)}`;
    const member: Member = { org: "acme", person, host: `h${index % machinesOfPerson}` };
    const layout = layoutOf(root);
    ensureLayout(layout);
    let connected = (): void => {};
    const isConnected = new Promise<void>((resolve) => (connected = resolve));
    let isDue = false;
    const round = async (): Promise<void> => {
      isDue = false;
      if (readFleetStatus(layout)?.what === "connected") connected();
      fleet.round();
      if (!isDevice) return;
      for (const file of listNames(layout.incoming)) {
        const eventId = publishedIdIn(file) ?? "";
        const host = file.split(".")[5] ?? "";
        const { next } = await fleet.turn({ file, event: { id: eventId, host }, asks: false });
        if (next !== "tell") continue;
        removeIfThere(join(layout.incoming, file));
        told.get(eventId)?.();
      }
    };
    const fleet = new Fleet({
      layout,
      tools: { clock: systemClock, random: Math.random },
      member,
      connection: () =>
        Promise.resolve({ servers: [broker.server], credentials: isDevice ? access.device : access.host }),
      asking: { ask: async () => {}, answer: async () => await Promise.resolve(undefined), answeredThere: () => {} },
      look: () => Promise.resolve({ idleMs: isDevice ? 1000 : 3_600_000 }),
      hasLease: () => true,
      wake: () => {
        if (isDue) return;
        isDue = true;
        setImmediate(() => void round());
      },
    });
    return { machine: { member, fleet, root, isDevice }, isConnected };
  }

  async function measureSize(
    machines: readonly Machine[],
    told: Map<string, () => void>,
  ): Promise<Omit<Size, "connectMs">> {
    const tellMs = await timesToTell(machines, told);
    const [cpu, brokerCpu, at] = [process.cpuUsage(), broker.use()?.cpuUs ?? 0, performance.now()];
    await sleep(restMs);
    const us = (performance.now() - at) * 1000;
    const { user, system } = process.cpuUsage(cpu);
    const use = broker.use();
    return {
      machines: machines.length,
      consumers: await consumersOf(manager),
      memory: process.memoryUsage.rss(),
      brokerMemory: use?.memory ?? 0,
      cpu: (user + system) / us,
      brokerCpu: ((use?.cpuUs ?? 0) - brokerCpu) / us,
      tellMs: { p50: percentile(tellMs, 0.5), p99: percentile(tellMs, 0.99) },
    };
  }
}

async function consumersOf(manager: JetStreamManager): Promise<number> {
  return (await manager.getAccountInfo()).consumers;
}

let events = 0;

/** In milliseconds; one event after the other, each on another machine on which agents run. */
async function timesToTell(machines: readonly Machine[], told: Map<string, () => void>): Promise<number[]> {
  const hosts = machines.filter(({ isDevice }) => !isDevice);
  const times: number[] = [];
  for (let index = 0; index < toldEvents; index += 1) {
    stopping.throwIfAborted();
    const host = hosts[Math.floor((index * hosts.length) / toldEvents)];
    if (host === undefined) break;
    const eventId = `evt_${(events += 1).toString(16).padStart(24, "0")}`;
    const isTold = new Promise<boolean>((resolve) => told.set(eventId, () => resolve(true)));
    const startedAt = performance.now();
    const position = `${Date.now()}-${events}`;
    host.fleet.publish(samplePayload(position, eventId), { id: eventId, agent: "claude-code", session: "s1" }, {});
    await host.fleet.sync();
    host.fleet.round();
    const isInTime = await Promise.race([isTold, sleep(tellWithinMs).then(() => false)]);
    if (!isInTime) throw new Error(`no one told of an event of ${host.member.person}/${host.member.host}`);
    times.push(performance.now() - startedAt);
    told.delete(eventId);
  }
  return times;
}
