// Where the person is: each machine says how long ago its last input was, and the one with the freshest tells first.
import * as z from "zod";
import { parseJson } from "../../../model/json.ts";
import type { Nats, NatsEntry } from "../../../system/network/nats.ts";
import { buckets, limits, presenceKey, type Member } from "../names.ts";

/**
 * The age of the last input, not its time, so that the clocks of machines need not agree; absent: unknown. The version tells it
 * from an answer of the broker: a member can have those delivered to any key.
 */
const presenceSchema = z.object({ version: z.literal(1), idleMs: z.number().optional() });

export interface FleetPresence {
  /** Says how it is here, and learns by it how far this machine's clock is ahead of the broker's. */
  beat(): Promise<void>;
  note(entry: NatsEntry): void;
  /** Whether this machine is the one to tell of an event that `origin` has published. */
  isFreshest(origin: string): boolean;
  /** When each machine of the person was last heard from, by this machine's clock. */
  heard(): Record<string, number>;
  /** Resolves with the first heartbeat that has come back. */
  clockKnown: Promise<void>;
  /** The broker's time is this machine's minus this many milliseconds; undefined until the first heartbeat has come back. */
  clockAheadMs(): number | undefined;
}

interface Seen {
  lastInputMs: number;
  beatMs: number;
}

export function createPresence(
  nats: Pick<Nats, "put">,
  member: Member,
  now: () => number,
  look: () => Promise<{ idleMs?: number | undefined; isLocked?: boolean | undefined }>,
): FleetPresence {
  const own = presenceKey(member);
  const machines = new Map<string, Seen>();
  let aheadMs: number | undefined;
  let known = (): void => {};
  const clockKnown = new Promise<void>((resolve) => (known = resolve));
  let sentAtMs: number | undefined;
  return {
    async beat() {
      const { idleMs, isLocked } = await look();
      const value = JSON.stringify({ version: 1, ...(isLocked === true || idleMs === undefined ? {} : { idleMs }) });
      sentAtMs = now();
      await nats.put(buckets.presence.name, own, value);
    },
    note({ key, value, createdMs }) {
      const said = presenceSchema.safeParse(parseJson(value)).data;
      if (said === undefined) return;
      const lastInputMs = said.idleMs === undefined ? -Infinity : createdMs - said.idleMs;
      machines.set(key, { lastInputMs, beatMs: createdMs });
      // The first entry may be of an earlier process. The broker stored the own one about half way between now and then.
      if (key !== own || sentAtMs === undefined) return;
      aheadMs = (sentAtMs + now()) / 2 - createdMs;
      known();
    },
    isFreshest(origin) {
      const oldest = now() - (aheadMs ?? 0) - limits.presenceLifeMs;
      const there = [...machines].filter(([, { beatMs }]) => beatMs >= oldest);
      const originKey = presenceKey({ ...member, host: origin });
      const rank = ([key]: [string, Seen]): number => (key === originKey ? 0 : 1);
      const [first] = there.sort(
        (a, b) => b[1].lastInputMs - a[1].lastInputMs || rank(a) - rank(b) || (a[0] < b[0] ? -1 : 1),
      );
      return first?.[0] === own;
    },
    heard: () =>
      Object.fromEntries(
        [...machines].map(([key, { beatMs }]) => [key.slice(member.person.length + 1), beatMs + (aheadMs ?? 0)]),
      ),
    clockKnown,
    clockAheadMs: () => aheadMs && Math.round(aheadMs),
  };
}
