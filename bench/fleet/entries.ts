// How long it takes to create an entry of a bucket, and until another connection sees one, beside the bare client.
import { jetstream } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { buckets, inboxPrefix, type Member } from "../../src/wings/fleet/names.ts";
import { connectToNats } from "../../src/system/network/nats.ts";
import { stopping } from "../stopping.ts";
import { percentile, type Row } from "../table.ts";
import type { Broker } from "./broker.ts";

const member: Member = { org: "acme", person: "ada", host: "box" };
const rounds = 5000;
const warmUp = 500;
const mostRatio = 1.5;
const value = JSON.stringify({ host: "box", run: "0123456789abcdef", state: "claimed", repeats: 0 });

/** What waits for an entry with this key. */
function arrivals() {
  const waiting = new Map<string, () => void>();
  return {
    note: (key: string): void => waiting.get(key)?.(),
    of: async (key: string): Promise<void> => await new Promise((resolve) => waiting.set(key, resolve)),
  };
}

/** In milliseconds. One of each in turn, and in the other order each second time, so that a noisy moment falls on both alike. */
export async function reportEntries(broker: Broker): Promise<Row[]> {
  const servers = [broker.server];
  const [own, ownWatching] = [
    await connectToNats({ servers, name: "bench", inboxPrefix: inboxPrefix(member) }),
    await connectToNats({ servers, name: "bench", inboxPrefix: inboxPrefix({ ...member, host: "other" }) }),
  ];
  const [bare, bareWatching] = [await broker.connect(), await broker.connect()];
  const bucket = await new Kvm(jetstream(bare)).open(buckets.claims.name);
  const watched = await (await new Kvm(jetstream(bareWatching)).open(buckets.claims.name)).watch({ key: "bare.>" });
  const [ownArrivals, bareArrivals] = [arrivals(), arrivals()];
  void (async () => {
    for await (const { key } of watched) bareArrivals.note(key);
  })();
  await ownWatching.watch(buckets.claims.name, "own.>", ({ key }) => ownArrivals.note(key));
  const samples = {
    create: { own: [] as number[], bare: [] as number[] },
    watch: { own: [] as number[], bare: [] as number[] },
  };
  const measure = async (who: "own" | "bare", round: number): Promise<void> => {
    const key = `${who}.box.evt_${round}`;
    const seen = (who === "own" ? ownArrivals : bareArrivals).of(key);
    const startedAt = performance.now();
    const watching = seen.then(() => performance.now() - startedAt);
    await (who === "own" ? own.put(buckets.claims.name, key, value, 0) : bucket.create(key, value));
    const createdMs = performance.now() - startedAt;
    const watchedMs = await watching;
    if (round < 0) return;
    samples.create[who].push(createdMs);
    samples.watch[who].push(watchedMs);
  };
  try {
    for (let round = -warmUp; round < rounds; round += 1) {
      stopping.throwIfAborted();
      for (const who of round % 2 === 0 ? (["bare", "own"] as const) : (["own", "bare"] as const))
        await measure(who, round);
    }
  } finally {
    for (const connection of [own, ownWatching, bare, bareWatching]) await connection.close();
  }
  return Object.entries({ "creating an entry": samples.create, "until a watcher has an entry": samples.watch }).flatMap(
    ([what, { own: ours, bare: theirs }]) => [0.5, 0.99].map((part) => rowOf(what, part, ours, theirs)),
  );
}

function rowOf(what: string, part: number, ours: readonly number[], theirs: readonly number[]): Row {
  const [value, floor] = [percentile(ours, part), percentile(theirs, part)];
  const ratio = value / floor;
  return {
    what: `${what}, p${part * 100}`,
    median: `${value.toFixed(2)} ms`,
    p90: "",
    ratio: ratio.toFixed(2),
    floor: `bare client, ${floor.toFixed(2)} ms`,
    goal: `${mostRatio}${ratio > mostRatio ? " missed" : ""}`,
  };
}
