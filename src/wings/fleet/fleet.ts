// One machine in its fleet: keeps the connection, publishes its events, takes in those of others, and says who tells.
import { join } from "node:path";
import { messageOf } from "../../model/errors.ts";
import { isVerification, ownAgents } from "../../model/own-events.ts";
import { keepWithin } from "../../outbox/bounds.ts";
import { publishedIdIn, type IncomingPayload } from "../../outbox/incoming.ts";
import { writeHeard } from "../../outbox/last-contact.ts";
import { journalBug, writeJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { type Clock, type Random, sleep } from "../../system/clock.ts";
import { randomId } from "../../system/crypto.ts";
import { ensurePrivateDir } from "../../system/files/files.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import type { Nats } from "../../system/network/nats.ts";
import { bodyOf } from "./stream/body.ts";
import type { FleetDelivery, FleetPort, PublishedFacts, ClaimDecision } from "../../pipeline/dispatcher.ts";
import { Claims, type PublishedEvent } from "./buckets/claims.ts";
import { Broker, type ConnectionOptions, keepConnected } from "./connection.ts";
import { type Consumer, createConsumer } from "./stream/consume.ts";
import { follow } from "./follow.ts";
import { limits, type Member } from "./names.ts";
import { createPresence, type FleetPresence } from "./buckets/presence.ts";
import { createPublisher, type Publisher } from "./stream/publish.ts";
import { type FleetAsking, FleetQuestions } from "./buckets/questions.ts";
import { openSeen } from "./stream/seen.ts";
import { createSessions, type FleetSessions, type SeenSession } from "./buckets/sessions.ts";
import { writeFleetStatus } from "./status.ts";
import { fleetFolder, Unpublished } from "./stream/unpublished.ts";

export interface FleetOptions {
  layout: Layout;
  tools: { clock: Clock; random: Random };
  member: Member;
  connection: ConnectionOptions["connection"];
  asking: FleetAsking;
  /** How long ago the last input was on this machine. */
  look(): Promise<{ idleMs?: number | undefined; isLocked?: boolean | undefined }>;
  /** Whether this process still is the dispatcher. */
  hasLease(): boolean;
  /** Makes the dispatcher look again. */
  wake(): void;
}

/** Bounds the whole payloads of events that were published shortened. */
const wholeBounds = { maxFiles: 1000, maxBytes: 64 * 1024 * 1024 };
const lookAgainMs = 1000;
/** A dispatcher that ends waits so long for the broker to take the rest. */
const lastPublishMs = 3000;
const connectLookMs = 100;

/** Connects as soon as it is made. */
export class Fleet implements FleetPort {
  private readonly options: FleetOptions;
  private readonly stop = new AbortController();
  private readonly broker: Broker;
  private readonly unpublished: Unpublished;
  private readonly wholeFolder: string;
  private readonly presence: FleetPresence;
  private readonly claims: Claims;
  private readonly questions: FleetQuestions;
  private readonly sessions: FleetSessions;
  private readonly publisher: Publisher;
  private readonly consumer: Consumer;
  /** Each begins in a round, unless it still runs. */
  private readonly jobs: readonly (() => void)[];
  /** The ids of the last events that were published; older ones have been told. */
  private readonly published = new Set<string>();
  /** Resolves when the last connection has ended. */
  private readonly running: Promise<void>;
  private isFullNoted = false;
  private cancelLook: (() => void) | undefined;

  constructor(options: FleetOptions) {
    const { layout, tools, member, hasLease, wake } = options;
    const now = (): number => tools.clock.now();
    const onFailed = (error: unknown): void => this.noteFailure(error);
    this.options = options;
    this.broker = new Broker(now);
    this.unpublished = new Unpublished(layout);
    this.wholeFolder = join(fleetFolder(layout), "whole");
    ensurePrivateDir(this.wholeFolder);
    this.presence = createPresence(this.broker, member, now, options.look);
    const { isFreshest, clockAheadMs } = this.presence;
    const shared = { layout, nats: this.broker, member, now, onFailed };
    this.claims = new Claims({
      ...shared,
      run: randomId(),
      clockAheadMs,
      isFreshest,
      isElsewhere: (eventId) => this.published.has(eventId) || this.publisher.isTried(eventId),
      onToldAlone: (eventId) => this.unpublished.noteTold(eventId),
    });
    this.questions = new FleetQuestions({
      ...shared,
      asking: options.asking,
      askedOn: (eventId) => this.claims.askedOn({ eventId, origin: member.host }),
      signal: this.stop.signal,
    });
    this.sessions = createSessions({
      ...shared,
      clockAheadMs,
      questionOf: (eventId) => this.questions.idOf(eventId),
      wake,
    });
    this.publisher = createPublisher(this.broker, member, this.unpublished, now, {
      claimAsTold: async (eventId) => await this.claims.claimAsTold({ eventId, origin: member.host }),
      onPublished: ({ eventId }) => this.notePublished(eventId),
      onFailed,
    });
    this.consumer = createConsumer({
      layout,
      member,
      seen: openSeen(layout, now),
      now,
      clockAheadMs: () => clockAheadMs() ?? 0,
      hasLease: () => !this.stop.signal.aborted && hasLease(),
      prepare: async (event) => await this.questions.prepare(event),
    });
    this.jobs = [
      async () => await this.publishRest(),
      async () => await this.settle(),
      async () => await this.sessions.look(),
    ].map((job) => oneAtATime(job, onFailed));
    this.running = this.run().catch((error: unknown) => journalBug(layout, now(), error));
  }

  publish(
    incoming: IncomingPayload,
    { id, agent, session }: { id: string; agent: string; session: string },
    { question, silence }: PublishedFacts,
  ): void {
    if (publishedIdIn(incoming.file) !== undefined || isVerification(session) || ownAgents.has(agent)) return;
    const body = bodyOf(incoming, question?.digest, silence);
    const isAdded = body !== undefined && this.unpublished.add(incoming.position, id, JSON.stringify(body));
    if (!isAdded && !this.isFullNoted) {
      const detail = body === undefined ? "it cannot be shortened enough" : "too many events wait for the broker";
      writeJournal(this.options.layout, this.now(), { kind: "dispatcher", what: "not published", event: id, detail });
    }
    this.isFullNoted = body !== undefined && !isAdded;
    if (!isAdded) return;
    if (question !== undefined && body.question !== undefined) this.questions.open(id, question);
    if (body.whole === undefined) return;
    writeWholeSoon(join(this.wholeFolder, `${incoming.position}.${id}.json`), incoming.bytes);
    keepWithin(this.wholeFolder, wholeBounds);
  }

  async sync(): Promise<void> {
    await this.unpublished.sync();
  }

  reserve(delivery: FleetDelivery): void {
    void this.claims.reserve(this.told(delivery), delivery.file, delivery.asks);
  }

  async turn(delivery: FleetDelivery): Promise<ClaimDecision> {
    if (this.broker.isConnecting()) return { next: "wait", until: this.now() + connectLookMs };
    return await this.claims.turn(this.told(delivery), delivery.file, delivery.asks);
  }

  /** What other machines have said of their sessions since the last call. */
  seen(): SeenSession[] {
    return this.sessions.seen();
  }

  /** The dispatcher calls it in each of its rounds. */
  round(): void {
    for (const start of this.jobs) start();
    this.lookAgain();
  }

  /** Publishes the rest first if it still `publishes`, unless that takes too long; then another dispatcher does. */
  async finish(publishes: boolean): Promise<void> {
    const isOver = new AbortController();
    const rest = publishes ? this.publishRest().catch((error: unknown) => this.noteFailure(error)) : undefined;
    await Promise.race([rest, sleep(this.options.tools.clock, lastPublishMs, isOver.signal)]);
    isOver.abort();
    this.stop.abort();
    this.cancelLook?.();
    await this.broker.close();
    await this.running;
    await this.unpublished.finish();
  }

  /** Resolves when the signal is aborted. */
  private async run(): Promise<void> {
    const { tools, member, connection, wake } = this.options;
    this.consumer.resume();
    this.questions.begin();
    await keepConnected({
      tools,
      member,
      connection,
      work: async (nats) => await this.work(nats),
      onFailed: (error) => this.writeStatus("waiting", messageOf(error)),
      onEnded: () => {
        this.broker.onEnded();
        wake();
      },
      signal: this.stop.signal,
    });
  }

  /** Resolves when the connection has ended. */
  private async work(nats: Nats): Promise<void> {
    const { tools, member, wake } = this.options;
    const { presence, claims, questions, sessions, consumer } = this;
    const { signal } = this.stop;
    this.broker.begin(nats, wake);
    sessions.begin();
    await follow(nats, member, { presence, claims, questions, sessions, consumer, wake });
    this.broker.onReady();
    this.noteConnected();
    wake();
    const ended = nats.ended.then(() => true);
    for (;;) {
      const pause = sleep(tools.clock, limits.heartbeatMs, signal).then(() => false);
      if ((await Promise.race([ended, pause])) || signal.aborted) return;
      if (!nats.isUp()) continue;
      await presence.beat().then(
        () => this.noteConnected(),
        (error: unknown) => this.noteFailure(error),
      );
    }
  }

  private async publishRest(): Promise<void> {
    if (this.broker.isUp() && this.unpublished.count() > 0) await this.publisher.pump();
  }

  private async settle(): Promise<void> {
    await this.claims.look();
    await this.questions.look();
  }

  /** What is not done is tried again, although nothing else wakes the dispatcher. */
  private lookAgain(): void {
    const { unpublished, claims, questions, sessions } = this;
    const isBusy = unpublished.count() > 0 || claims.isBusy() || questions.isBusy() || sessions.isBusy();
    if (!isBusy || this.cancelLook !== undefined || this.stop.signal.aborted) return;
    this.cancelLook = this.options.tools.clock.after(lookAgainMs, () => {
      this.cancelLook = undefined;
      this.options.wake();
    });
  }

  private told({ file, event }: FleetDelivery): PublishedEvent {
    const { host } = this.options.member;
    // An event that its machine has fetched from another one is claimed under the machine that published it.
    const origin = publishedIdIn(file) === undefined ? host : (event.host.split("/")[0] ?? host);
    return { eventId: event.id, origin };
  }

  private notePublished(eventId: string): void {
    this.published.add(eventId);
    const [oldest] = this.published;
    if (this.published.size > limits.maxUnpublished && oldest !== undefined) this.published.delete(oldest);
  }

  /** A request had no answer. */
  private noteFailure(error: unknown): void {
    if (this.stop.signal.aborted) return;
    this.broker.onFailed();
    this.writeStatus("waiting", messageOf(error));
  }

  private noteConnected(): void {
    writeHeard(this.options.layout, this.presence.heard());
    this.writeStatus("connected");
  }

  private writeStatus(what: "connected" | "waiting", why?: string): void {
    const clockAheadMs = this.presence.clockAheadMs() ?? 0;
    const unpublished = this.unpublished.count();
    writeFleetStatus(this.options.layout, { what, at: this.now(), why, clockAheadMs, unpublished });
  }

  private now(): number {
    return this.options.tools.clock.now();
  }
}

/** The job runs one at a time, however often it is started. */
function oneAtATime(job: () => Promise<void>, onFailed: (error: unknown) => void): () => void {
  let working: Promise<void> | undefined;
  return () => {
    working ??= job()
      .catch(onFailed)
      .finally(() => (working = undefined));
  };
}
