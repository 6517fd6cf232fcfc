// Who tells of an event: the machine that creates its claim. One that is not renewed is taken over, and what it tells is marked.
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../model/json.ts";
import type { Layout } from "../../outbox/layout.ts";
import { ensurePrivateDir, listNames, removeIfThere, statIfThere } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import { isConflict, type Nats, type NatsEntry } from "../../system/network/nats.ts";
import { buckets, entryKey, limits, type Member } from "../names.ts";
import { fleetFolder } from "../unpublished.ts";

const claimSchema = z.object({
  host: z.string(),
  /** Tells a process from the one before it on the same machine. */
  run: z.string(),
  /** `claimed`: its message waits; `sending`: it may be on its way; `told`: it was sent, or is not to be; `failed`: it could not be sent. */
  state: z.enum(["claimed", "sending", "told", "failed"]),
  /** How many machines may have sent it before. */
  repeats: z.number(),
  /** Whether the message asks a question that can be answered there. */
  asks: z.optional(z.boolean()),
});
type Claim = z.infer<typeof claimSchema>;

const noClaim: Claim = { host: "", run: "", state: "failed", repeats: 0 };

export type Turn =
  | { next: "tell"; note?: string | undefined }
  /** Milliseconds since the epoch, by this machine's clock. */
  | { next: "wait"; until: number }
  | { next: "leave"; why: string };

/** An event, and the machine that has published it. */
export interface Told {
  eventId: string;
  origin: string;
}

export interface Claims {
  note(entry: NatsEntry): void;
  /** Claims an event whose message waits here, if this machine is the one to tell. */
  reserve(event: Told, file: string, asks: boolean): Promise<void>;
  /** Whether the delivery in `file` is sent now. */
  turn(event: Told, file: string, asks: boolean): Promise<Turn>;
  /** Says of an event that it was told while the broker was away. */
  claimAsTold(event: Told): Promise<void>;
  /** Renews what waits, and settles what has been sent. */
  look(): Promise<void>;
  /** Whether something that was claimed is not settled. */
  isBusy(): boolean;
  /** The machine that tells of it, if it is another one and can show the question. */
  askedOn(event: Told): string | undefined;
}

export interface ClaimTools {
  layout: Layout;
  nats: Pick<Nats, "put" | "isUp">;
  member: Member;
  /** Unique for this process. */
  run: string;
  now(): number;
  /** Undefined for a machine that may not know the broker's clock; then the time counts when an entry arrives. */
  clockAheadMs(): number | undefined;
  isFreshest(origin: string): boolean;
  /** Whether the broker may have the event; false: it is known here only. */
  isElsewhere(eventId: string): boolean;
  /** The event was told without a claim. */
  onToldAlone(eventId: string): void;
  /** A request was not answered. */
  onFailed(error: unknown): void;
}

interface Known {
  claim: Claim;
  revision: number;
  /** When it was last renewed, by this machine's clock. */
  renewedMs: number;
}

/** What this machine tells, and the deliveries that it tells it with. */
const mineSchema = z.object({
  eventId: z.string(),
  origin: z.string(),
  files: z.array(z.string()),
  /** The deliveries that may be on their way. */
  sent: z.optional(z.array(z.string())),
});

const maxRepeats = 1;
const lookAgainMs = 2000;
const conflictMs = 100;
/** Older ones are of no use: their messages have gone, or expired. */
const maxAsked = 5000;
const maybeTold = "may be a repeat: another machine may have told you";
const maybeSent = "may be a repeat: hookbell was ended while it told you";

export function createClaims(tools: ClaimTools): Claims {
  const { layout, nats, member, run, now } = tools;
  const folder = join(fleetFolder(layout), "claims");
  ensurePrivateDir(folder);
  const known = new Map<string, Known>();
  const askedFirst = new Map<string, number>();
  const notes = new Map<string, string>();
  const mine = new Map(
    listNames(folder).flatMap((name) => {
      const one = readJson(join(folder, name), mineSchema);
      return one === undefined ? [] : [[one.eventId, one] as const];
    }),
  );
  /** What an earlier process may have sent, with a claim or without one; only this machine knows of the latter. */
  const sentEarlier = new Set([...mine.values()].flatMap(({ sent = [] }) => sent));
  const keyOf = ({ eventId, origin }: Told): string => entryKey({ ...member, host: origin }, eventId);
  const isMine = ({ host, run: by }: Claim): boolean => host === member.host && by === run;
  const ageOf = ({ renewedMs }: Known): number => now() - renewedMs;

  const arrivalOf = (eventId: string): number => {
    const arrivedMs = askedFirst.get(eventId) ?? now();
    askedFirst.set(eventId, arrivedMs);
    const [oldest] = askedFirst.keys();
    if (askedFirst.size > maxAsked && oldest !== undefined) {
      askedFirst.delete(oldest);
      notes.delete(oldest);
    }
    return arrivedMs;
  };
  /** The claims that were renewed last are the last of the map, so that the old ones are its first. */
  const learn = (key: string, one: Known): void => {
    known.delete(key);
    known.set(key, one);
  };
  /** The broker forgets old claims at the same age. */
  const forgetOld = (): void => {
    for (const [key, each] of known) {
      if (ageOf(each) <= buckets.claims.maxAgeMs) return;
      known.delete(key);
    }
  };
  const write = async (event: Told, claim: Claim, revision: number): Promise<void> => {
    const key = keyOf(event);
    const value = JSON.stringify(claim);
    const renewedMs = now();
    const next = await nats.put(buckets.claims.name, key, value, revision);
    learn(key, { claim, revision: next, renewedMs });
  };
  const remember = ({ eventId, origin }: Told, file: string, isSent: boolean): void => {
    const before = mine.get(eventId);
    const [files, sent] = [before?.files ?? [], before?.sent ?? []];
    if (files.includes(file) && (!isSent || sent.includes(file))) return;
    const next = {
      eventId,
      origin,
      files: [...new Set([...files, file])],
      sent: isSent ? [...new Set([...sent, file])] : sent,
    };
    mine.set(eventId, next);
    try {
      writeWholeSoon(join(folder, `${eventId}.json`), JSON.stringify(next));
    } catch {
      // On a full disk, it is told all the same, and this process alone knows of it.
    }
  };
  const forget = (eventId: string): void => {
    mine.delete(eventId);
    removeIfThere(join(folder, `${eventId}.json`));
  };
  /** Takes the claim if it is free. */
  const take = async (event: Told, file: string, state: "claimed" | "sending", asks: boolean): Promise<Turn> => {
    const key = keyOf(event);
    const before = known.get(key);
    const { claim } = before ?? {};
    const claimed: Claim = { host: member.host, run, state, repeats: claim?.repeats ?? 0, ...(asks ? { asks } : {}) };
    if (claim !== undefined && !isMine(claim) && claim.state === "sending") {
      if (claim.repeats >= maxRepeats) return { next: "leave", why: "two machines may have sent it already" };
      claimed.repeats += 1;
      notes.set(event.eventId, `may be a repeat: ${claim.host} did not confirm that it told you`);
    }
    if (claim === undefined && sentEarlier.has(file)) {
      claimed.repeats += 1;
      notes.set(event.eventId, maybeSent);
    }
    await write(event, claimed, before?.revision ?? 0);
    remember(event, file, state === "sending");
    return { next: "tell", note: notes.get(event.eventId) };
  };
  const turnByClaim = async (event: Told, file: string, asks: boolean): Promise<Turn> => {
    const { eventId, origin } = event;
    const before = known.get(keyOf(event));
    const arrivedMs = arrivalOf(eventId);
    if (before === undefined) {
      const dueMs = tools.isFreshest(origin) ? now() : arrivedMs + limits.othersWaitMs;
      return dueMs > now() ? { next: "wait", until: dueMs } : await take(event, file, "sending", asks);
    }
    const { claim } = before;
    if (claim.host === member.host && (claim.run === run || claim.state !== "sending")) {
      if (claim.state === "claimed") return await take(event, file, "sending", asks);
      if (claim.state === "sending") remember(event, file, true);
      return { next: "tell", note: notes.get(eventId) };
    }
    if (claim.state === "told") return { next: "leave", why: `told on ${claim.host}` };
    // A process of this machine has ended; of another one, that is only known after a while.
    const isFree = claim.host === member.host || claim.state === "failed" || ageOf(before) > limits.claimLifeMs;
    if (!isFree) return { next: "wait", until: now() + lookAgainMs };
    return await take(event, file, "sending", asks);
  };
  /** Without the broker, each machine tells its own events, and those of others only if no one can know more. */
  const turnAlone = (event: Told, file: string): Turn => {
    const { eventId, origin } = event;
    const before = known.get(keyOf(event));
    if (before !== undefined && isMine(before.claim)) return { next: "tell", note: notes.get(eventId) };
    if (before?.claim.state === "told") return { next: "leave", why: `told on ${before.claim.host}` };
    if (origin === member.host) {
      const note = sentEarlier.has(file) ? maybeSent : tools.isElsewhere(eventId) ? maybeTold : undefined;
      if (note !== undefined) notes.set(eventId, note);
      remember(event, file, true);
      tools.onToldAlone(eventId);
      return { next: "tell", note };
    }
    const arrivedMs = arrivalOf(eventId);
    const dueMs = arrivedMs + limits.claimLifeMs;
    return dueMs > now()
      ? { next: "wait", until: Math.min(dueMs, now() + lookAgainMs) }
      : { next: "tell", note: maybeTold };
  };
  return {
    note({ key, value, revision, createdMs }) {
      const before = known.get(key);
      if (before !== undefined && before.revision >= revision) return;
      // A member can have answers of the broker delivered to any key. They claim nothing, and the next claim replaces them.
      const claim = claimSchema.safeParse(parseJson(value)).data ?? before?.claim ?? noClaim;
      const aheadMs = tools.clockAheadMs();
      learn(key, { claim, revision, renewedMs: aheadMs === undefined ? now() : createdMs + aheadMs });
    },
    async reserve(event, file, asks) {
      if (!nats.isUp() || known.has(keyOf(event)) || !tools.isFreshest(event.origin)) return;
      try {
        await take(event, file, "claimed", asks);
      } catch (error) {
        // If another machine was first, or the broker is away, `turn` finds out.
        if (!isConflict(error)) tools.onFailed(error);
      }
    },
    async turn(event, file, asks) {
      if (!nats.isUp()) return turnAlone(event, file);
      try {
        return await turnByClaim(event, file, asks);
      } catch (error) {
        // The watch reports which machine was first.
        if (isConflict(error)) return { next: "wait", until: now() + conflictMs };
        tools.onFailed(error);
        return turnAlone(event, file);
      }
    },
    async claimAsTold(event) {
      const key = keyOf(event);
      const claim: Claim = { host: member.host, run, state: "told", repeats: 0 };
      try {
        if (known.get(key)?.claim.state !== "told") await write(event, claim, known.get(key)?.revision ?? 0);
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    },
    async look() {
      if (!nats.isUp()) return;
      forgetOld();
      for (const [eventId, { origin, files }] of mine) {
        const event = { eventId, origin };
        const before = known.get(keyOf(event));
        const isWaiting = files.some((file) => statIfThere(join(layout.outbox, file)) !== undefined);
        const isOfOther = before !== undefined && before.claim.host !== member.host;
        // What was told without the broker has no claim until it is published.
        if (isOfOther || (before === undefined && !isWaiting)) forget(eventId);
        else if (before === undefined || (isWaiting && ageOf(before) < limits.heartbeatMs)) continue;
        else {
          const isDead = files.every((file) => statIfThere(join(layout.dead, file)) !== undefined);
          const state = isWaiting ? before.claim.state : isDead ? "failed" : "told";
          try {
            await write(event, { ...before.claim, run, state }, before.revision);
          } catch (error) {
            if (!isConflict(error)) return tools.onFailed(error);
          }
          if (!isWaiting) forget(eventId);
        }
      }
    },
    isBusy: () => mine.size > 0,
    askedOn(event) {
      const { claim } = known.get(keyOf(event)) ?? {};
      return claim?.asks === true && claim.host !== member.host ? claim.host : undefined;
    },
  };
}
