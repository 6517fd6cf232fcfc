// How many events a second a machine publishes, beside a bare loop of the client's `publish` on the same server.
import { jetstream } from "@nats-io/jetstream";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inboxPrefix, eventSubject, limits, type Member } from "../../src/wings/fleet/names.ts";
import { createPublisher } from "../../src/wings/fleet/stream/publish.ts";
import { Unpublished } from "../../src/wings/fleet/stream/unpublished.ts";
import { connectToNats } from "../../src/system/network/nats.ts";
import { stopping } from "../stopping.ts";
import { percentile, type Row } from "../table.ts";
import type { Broker } from "./broker.ts";
import { sampleBody } from "./sample.ts";

const member: Member = { org: "acme", person: "ada", host: "box" };
const eventsInRound = 2000;
const rounds = 11;
/** As many as the dispatcher takes in together while many wait. */
const takenInTogether = 32;
const leastRatio = 0.67;

interface Sample {
  perSecond: number;
  /** Of this process, in microseconds for each event. */
  cpuUs: number;
}

/** Round by round, so that a noisy minute of the machine falls on all alike; the ratio is the median of the rounds'. */
export async function reportPublishing(broker: Broker, folder: string): Promise<Row[]> {
  const own = await connectToNats({ servers: [broker.server], name: "bench", inboxPrefix: inboxPrefix(member) });
  const bare = await broker.connect();
  const js = jetstream(bare);
  let events = 0;
  const nextId = (): string => `evt_${(events += 1).toString(16).padStart(24, "0")}`;
  const body = sampleBody();
  const loop = async (inFlight: number): Promise<void> => {
    let left = eventsInRound;
    const lane = async (): Promise<void> => {
      while ((left -= 1) >= 0) {
        const id = nextId();
        await js.publish(eventSubject(member, id), body, { msgID: id });
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
  };
  /** Events that wait on the disk; `isRead`: the process has been started anew. */
  const fill = async (root: string, isRead: boolean) => {
    const unpublished = new Unpublished({ root });
    for (let index = 0; index < eventsInRound; index += 1) {
      unpublished.add(`${String(index).padStart(13, "0")}-bench`, nextId(), body);
      if (index % takenInTogether === 0) await unpublished.sync();
    }
    await unpublished.sync();
    return isRead ? new Unpublished({ root }) : unpublished;
  };
  const timed = async (work: () => Promise<void>): Promise<Sample> => {
    stopping.throwIfAborted();
    const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
    await work();
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    return { perSecond: eventsInRound / seconds, cpuUs: (user + system) / eventsInRound };
  };
  const ours = async (inFlight: number, isRead: boolean): Promise<Sample> => {
    const root = join(folder, "publishing");
    mkdirSync(root, { recursive: true });
    const unpublished = await fill(root, isRead);
    const failures: string[] = [];
    const then = { claimAsTold: async () => {}, onPublished: () => {}, onFailed: (why: string) => failures.push(why) };
    const publisher = createPublisher(own, member, unpublished, Date.now, then, inFlight);
    const sample = await timed(async () => {
      await publisher.pump();
      // Until the events have left the disk, too.
      await unpublished.finish();
    });
    if (failures.length > 0 || unpublished.count() > 0) throw new Error(`not published: ${failures.join(", ")}`);
    rmSync(root, { recursive: true });
    return sample;
  };
  const rows: Row[] = [];
  try {
    for (const inFlight of [1, limits.maxInFlight]) {
      const how = inFlight === 1 ? "one at a time" : `${inFlight} in flight`;
      const kinds = {
        [`bare \`js.publish\` loop, ${how}`]: async () => await timed(async () => await loop(inFlight)),
        [`hookbell, ${how}, as events come`]: async () => await ours(inFlight, false),
        [`hookbell, ${how}, after a restart`]: async () => await ours(inFlight, true),
      };
      const samples = new Map<string, Sample[]>(Object.keys(kinds).map((what) => [what, []]));
      for (let round = -1; round < rounds; round += 1) {
        const inTurn = Object.entries(kinds);
        // Each follows another neighbour in every round.
        inTurn.push(...inTurn.splice(0, Math.max(0, round) % inTurn.length));
        for (const [what, run] of inTurn) {
          const sample = await run();
          if (round >= 0) samples.get(what)?.push(sample);
        }
      }
      const [floor = []] = samples.values();
      for (const [what, all] of samples) rows.push(rowOf(what, all, floor, `bare loop, ${how}`));
    }
    return rows;
  } finally {
    await own.close();
    await bare.close();
  }
}

function rowOf(what: string, samples: readonly Sample[], floor: readonly Sample[], floorName: string): Row {
  const median = percentile(
    samples.map(({ perSecond }) => perSecond),
    0.5,
  );
  const cpuUs = percentile(
    samples.map((sample) => sample.cpuUs),
    0.5,
  );
  const ratios = samples.map(({ perSecond }, index) => perSecond / (floor[index]?.perSecond ?? Number.NaN));
  const ratio = percentile(ratios, 0.5);
  const isFloor = samples === floor;
  return {
    what: `${what}; ${cpuUs.toFixed(0)} µs of processor time for each`,
    median: `${median.toFixed(0)} a second`,
    p90: "",
    ratio: ratio.toFixed(2),
    floor: floorName,
    goal: isFloor ? "" : `at least ${leastRatio}${ratio < leastRatio ? " missed" : ""}`,
  };
}
