// Who tells of an event: the machine that creates its claim. One that is not renewed is taken over, and what it tells is marked.
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../../model/json.ts";
import type { ClaimDecision } from "../../../pipeline/dispatcher.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { ensurePrivateDir, listNames, removeIfThere, statIfThere } from "../../../system/files/files.ts";
import { readJson } from "../../../system/files/read.ts";
import { writeWholeSoon } from "../../../system/files/write.ts";
import { isConflict, type Nats, type NatsEntry } from "../../../system/network/nats.ts";
import { buckets, entryKey, limits, type Member } from "../names.ts";
import { fleetFolder } from "../stream/unpublished.ts";

const claimSchema = z.object({
  host: z.string(),
  /** Tells a process from the one before it on the same machine. */
  run: z.string(),
  /** `claimed`: its message waits; `sending`: it may be on its way; `told`: it was sent, or is not to be; `failed`: it could not be sent. */
  state: z.enum(["claimed", "sending", "told", "failed"]),
  /** How many machines may have sent it before. */
  repeats: z.number(),
  /** Whether the message asks a question that can be answered there. */
  asks: z.boolean().optional(),
});
type Claim = z.infer<typeof claimSchema>;

const noClaim: Claim = { host: "", run: "", state: "failed", repeats: 0 };

/** An event, and the machine that has published it. */
export interface PublishedEvent {
  eventId: string;
  origin: string;
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
  sent: z.array(z.string()).optional(),
});
type Mine = z.infer<typeof mineSchema>;

const maxRepeats = 1;
const lookAgainMs = 2000;
const conflictMs = 100;
/** Older ones are of no use: their messages have gone, or expired. */
const maxAsked = 5000;
const maybeTold = "may be a repeat: another machine may have told you";
const maybeSent = "may be a repeat: hookbell was ended while it told you";

export class Claims {
  private readonly tools: ClaimTools;
  private readonly folder: string;
  /** Claims by key. Those that were renewed last are the last of the map, so that the old ones are its first. */
  private readonly known = new Map<string, Known>();
  /** When each event was first to be told here. */
  private readonly askedFirst = new Map<string, number>();
  /** What the messages of an event say about being repeats. */
  private readonly notes = new Map<string, string>();
  private readonly mine: Map<string, Mine>;
  /** What an earlier process may have sent, with a claim or without one; only this machine knows of the latter. */
  private readonly sentEarlier: ReadonlySet<string>;

  constructor(tools: ClaimTools) {
    this.tools = tools;
    this.folder = join(fleetFolder(tools.layout), "claims");
    ensurePrivateDir(this.folder);
    const kept = listNames(this.folder).flatMap((name) => readJson(join(this.folder, name), mineSchema) ?? []);
    this.mine = new Map(kept.map((one) => [one.eventId, one]));
    this.sentEarlier = new Set(kept.flatMap(({ sent = [] }) => sent));
  }

  note({ key, value, revision, createdMs }: NatsEntry): void {
    const before = this.known.get(key);
    if (before !== undefined && before.revision >= revision) return;
    // A member can have answers of the broker delivered to any key. They claim nothing, and the next claim replaces them.
    const claim = claimSchema.safeParse(parseJson(value)).data ?? before?.claim ?? noClaim;
    const aheadMs = this.tools.clockAheadMs();
    this.learn(key, { claim, revision, renewedMs: aheadMs === undefined ? this.tools.now() : createdMs + aheadMs });
  }

  /** Claims an event whose message waits here, if this machine is the one to tell. */
  async reserve(event: PublishedEvent, file: string, asks: boolean): Promise<void> {
    const { nats, isFreshest, onFailed } = this.tools;
    if (!nats.isUp() || this.knownOf(event) !== undefined || !isFreshest(event.origin)) return;
    try {
      await this.take(event, file, "claimed", asks);
    } catch (error) {
      // If another machine was first, or the broker is away, `turn` finds out.
      if (!isConflict(error)) onFailed(error);
    }
  }

  /** Whether the delivery in `file` is sent now. */
  async turn(event: PublishedEvent, file: string, asks: boolean): Promise<ClaimDecision> {
    const { nats, now, onFailed } = this.tools;
    if (!nats.isUp()) return this.turnAlone(event, file);
    try {
      return await this.turnByClaim(event, file, asks);
    } catch (error) {
      // The watch reports which machine was first.
      if (isConflict(error)) return { next: "wait", until: now() + conflictMs };
      onFailed(error);
      return this.turnAlone(event, file);
    }
  }

  /** Says of an event that it was told while the broker was away. */
  async claimAsTold(event: PublishedEvent): Promise<void> {
    const { member, run } = this.tools;
    const before = this.knownOf(event);
    if (before?.claim.state === "told") return;
    try {
      await this.write(event, { host: member.host, run, state: "told", repeats: 0 }, before?.revision ?? 0);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }

  /** Renews what waits, and settles what has been sent. */
  async look(): Promise<void> {
    const { layout, nats, member, run, onFailed } = this.tools;
    if (!nats.isUp()) return;
    this.forgetOld();
    for (const [eventId, { origin, files }] of this.mine) {
      const event = { eventId, origin };
      const before = this.knownOf(event);
      const isWaiting = files.some((file) => statIfThere(join(layout.outbox, file)) !== undefined);
      const isOfOther = before !== undefined && before.claim.host !== member.host;
      // What was told without the broker has no claim until it is published.
      if (isOfOther || (before === undefined && !isWaiting)) this.forget(eventId);
      else if (before === undefined || (isWaiting && this.ageOf(before) < limits.heartbeatMs)) continue;
      else {
        const isDead = files.every((file) => statIfThere(join(layout.dead, file)) !== undefined);
        const state = isWaiting ? before.claim.state : isDead ? "failed" : "told";
        try {
          await this.write(event, { ...before.claim, run, state }, before.revision);
        } catch (error) {
          if (!isConflict(error)) return onFailed(error);
        }
        if (!isWaiting) this.forget(eventId);
      }
    }
  }

  /** Whether something that was claimed is not settled. */
  isBusy(): boolean {
    return this.mine.size > 0;
  }

  /** The machine that tells of it, if it is another one and can show the question. */
  askedOn(event: PublishedEvent): string | undefined {
    const { claim } = this.knownOf(event) ?? {};
    return claim?.asks === true && claim.host !== this.tools.member.host ? claim.host : undefined;
  }

  private async turnByClaim(event: PublishedEvent, file: string, asks: boolean): Promise<ClaimDecision> {
    const { member, run, now, isFreshest } = this.tools;
    const { eventId, origin } = event;
    const before = this.knownOf(event);
    const arrivedMs = this.arrivalOf(eventId);
    if (before === undefined) {
      const dueMs = isFreshest(origin) ? now() : arrivedMs + limits.othersWaitMs;
      return dueMs > now() ? { next: "wait", until: dueMs } : await this.take(event, file, "sending", asks);
    }
    const { claim } = before;
    if (claim.host === member.host && (claim.run === run || claim.state !== "sending")) {
      if (claim.state === "claimed") return await this.take(event, file, "sending", asks);
      if (claim.state === "sending") this.remember(event, file, true);
      return { next: "tell", note: this.notes.get(eventId) };
    }
    if (claim.state === "told") return { next: "leave", why: `told on ${claim.host}` };
    // A process of this machine has ended; of another one, that is only known after a while.
    const isFree = claim.host === member.host || claim.state === "failed" || this.ageOf(before) > limits.claimLifeMs;
    if (!isFree) return { next: "wait", until: now() + lookAgainMs };
    return await this.take(event, file, "sending", asks);
  }

  /** Without the broker, each machine tells its own events, and those of others only if no one can know more. */
  private turnAlone(event: PublishedEvent, file: string): ClaimDecision {
    const { member, now, isElsewhere, onToldAlone } = this.tools;
    const { eventId, origin } = event;
    const { claim } = this.knownOf(event) ?? {};
    if (claim !== undefined && this.isMine(claim)) return { next: "tell", note: this.notes.get(eventId) };
    if (claim?.state === "told") return { next: "leave", why: `told on ${claim.host}` };
    if (origin === member.host) {
      const note = this.sentEarlier.has(file) ? maybeSent : isElsewhere(eventId) ? maybeTold : undefined;
      if (note !== undefined) this.notes.set(eventId, note);
      this.remember(event, file, true);
      onToldAlone(eventId);
      return { next: "tell", note };
    }
    const dueMs = this.arrivalOf(eventId) + limits.claimLifeMs;
    return dueMs > now()
      ? { next: "wait", until: Math.min(dueMs, now() + lookAgainMs) }
      : { next: "tell", note: maybeTold };
  }

  /** Takes the claim if it is free. */
  private async take(
    event: PublishedEvent,
    file: string,
    state: "claimed" | "sending",
    asks: boolean,
  ): Promise<ClaimDecision> {
    const { member, run } = this.tools;
    const before = this.knownOf(event);
    const { claim } = before ?? {};
    const claimed: Claim = { host: member.host, run, state, repeats: claim?.repeats ?? 0, ...(asks ? { asks } : {}) };
    if (claim !== undefined && !this.isMine(claim) && claim.state === "sending") {
      if (claim.repeats >= maxRepeats) return { next: "leave", why: "two machines may have sent it already" };
      claimed.repeats += 1;
      this.notes.set(event.eventId, `may be a repeat: ${claim.host} did not confirm that it told you`);
    }
    if (claim === undefined && this.sentEarlier.has(file)) {
      claimed.repeats += 1;
      this.notes.set(event.eventId, maybeSent);
    }
    await this.write(event, claimed, before?.revision ?? 0);
    this.remember(event, file, state === "sending");
    return { next: "tell", note: this.notes.get(event.eventId) };
  }

  private async write(event: PublishedEvent, claim: Claim, revision: number): Promise<void> {
    const { nats, now } = this.tools;
    const key = this.keyOf(event);
    const value = JSON.stringify(claim);
    const renewedMs = now();
    const next = await nats.put(buckets.claims.name, key, value, revision);
    this.learn(key, { claim, revision: next, renewedMs });
  }

  private learn(key: string, one: Known): void {
    this.known.delete(key);
    this.known.set(key, one);
  }

  /** The broker forgets old claims at the same age. */
  private forgetOld(): void {
    for (const [key, each] of this.known) {
      if (this.ageOf(each) <= buckets.claims.maxAgeMs) return;
      this.known.delete(key);
    }
  }

  private remember({ eventId, origin }: PublishedEvent, file: string, isSent: boolean): void {
    const { files = [], sent = [] } = this.mine.get(eventId) ?? {};
    if (files.includes(file) && (!isSent || sent.includes(file))) return;
    const next = {
      eventId,
      origin,
      files: [...new Set([...files, file])],
      sent: isSent ? [...new Set([...sent, file])] : sent,
    };
    this.mine.set(eventId, next);
    try {
      writeWholeSoon(join(this.folder, `${eventId}.json`), JSON.stringify(next));
    } catch {
      // On a full disk, it is told all the same, and this process alone knows of it.
    }
  }

  private forget(eventId: string): void {
    this.mine.delete(eventId);
    removeIfThere(join(this.folder, `${eventId}.json`));
  }

  private arrivalOf(eventId: string): number {
    const arrivedMs = this.askedFirst.get(eventId) ?? this.tools.now();
    this.askedFirst.set(eventId, arrivedMs);
    const [oldest] = this.askedFirst.keys();
    if (this.askedFirst.size > maxAsked && oldest !== undefined) {
      this.askedFirst.delete(oldest);
      this.notes.delete(oldest);
    }
    return arrivedMs;
  }

  private knownOf(event: PublishedEvent): Known | undefined {
    return this.known.get(this.keyOf(event));
  }

  private keyOf({ eventId, origin }: PublishedEvent): string {
    return entryKey({ ...this.tools.member, host: origin }, eventId);
  }

  private isMine({ host, run }: Claim): boolean {
    return host === this.tools.member.host && run === this.tools.run;
  }

  private ageOf({ renewedMs }: Known): number {
    return this.tools.now() - renewedMs;
  }
}
