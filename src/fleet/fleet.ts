// One machine in its fleet: keeps the connection, publishes its events, takes in those of others, and says who tells.
import { join } from "node:path";
import { messageOf } from "../model/errors.ts";
import { isVerification, ownAgents } from "../model/own-events.ts";
import { keepWithin } from "../outbox/bounds.ts";
import { publishedIdIn, type IncomingPayload } from "../outbox/incoming.ts";
import { writeHeard } from "../outbox/heard.ts";
import { journalBug, writeJournal } from "../outbox/journal.ts";
import type { Layout } from "../outbox/layout.ts";
import { type Clock, type Random, sleep } from "../system/clock.ts";
import { randomId } from "../system/crypto.ts";
import { ensurePrivateDir } from "../system/files/files.ts";
import { writeWholeSoon } from "../system/files/write.ts";
import type { Nats } from "../system/network/nats.ts";
import { bodyOf } from "./body.ts";
import { Claims, type Told, type Turn } from "./buckets/claims.ts";
import { type ConnectionOptions, keepConnected } from "./connection.ts";
import { createConsumer } from "./consume.ts";
import { follow } from "./follow.ts";
import { limits, type Member } from "./names.ts";
import { createPresence } from "./buckets/presence.ts";
import { createPublisher } from "./publish.ts";
import { type FleetAsking, FleetQuestions } from "./buckets/questions.ts";
import { openSeen } from "./seen.ts";
import { createSessions, type SeenSession } from "./buckets/sessions.ts";
import { writeFleetStatus } from "./status.ts";
import { fleetFolder, Unpublished } from "./unpublished.ts";

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

/** `question`: its hook waits for an answer. `silence`: why no one is told, where figures count the event otherwise. */
export interface PublishedFacts {
  question?: { id: string; digest: string } | undefined;
  silence?: "repeat" | "ignored" | undefined;
}

/** A delivery, as far as a fleet needs to know it. */
export interface FleetDelivery {
  file: string;
  event: { id: string; host: string };
  asks: boolean;
}

export interface Fleet {
  /** Puts a payload of this machine among those to publish. It is durable after `sync`. */
  publish(incoming: IncomingPayload, event: { id: string; agent: string; session: string }, more: PublishedFacts): void;
  sync(): Promise<void>;
  /** Claims the event of a delivery that waits, if this machine is the one to tell. */
  reserve(delivery: FleetDelivery): void;
  /** Whether this machine tells it now. */
  turn(delivery: FleetDelivery): Promise<Turn>;
  /** What other machines have said of their sessions since the last call. */
  seen(): SeenSession[];
  /** The dispatcher calls it in each of its rounds. */
  round(): void;
  /** Publishes the rest first if it still `publishes`, unless that takes too long; then another dispatcher does. */
  finish(publishes: boolean): Promise<void>;
}

/** Bounds the whole payloads of events that were published shortened. */
const wholeBounds = { maxFiles: 1000, maxBytes: 64 * 1024 * 1024 };
/** After a request without an answer, the broker counts as away for so long. */
const awayMs = 5000;
const connectWaitMs = 3000;
const lookAgainMs = 1000;
/** A dispatcher that ends waits so long for the broker to take the rest. */
const lastPublishMs = 3000;
const connectLookMs = 100;

export function openFleet(options: FleetOptions): Fleet {
  const { layout, tools, member, hasLease } = options;
  const { clock } = tools;
  const now = (): number => clock.now();
  const stop = new AbortController();
  const unpublished = new Unpublished(layout);
  const wholeFolder = join(fleetFolder(layout), "whole");
  ensurePrivateDir(wholeFolder);
  /** The ids of the last events that were published; older ones have been told. */
  const published = new Set<string>();
  let current: Nats | undefined;
  /** True once everything is watched that says who tells. */
  let isReady = false;
  let awayUntil = 0;
  /** The first connection takes a moment, and so does one after a break; until then it is not known who tells. */
  let connectBy = now() + connectWaitMs;
  let isFullNoted = false;
  let cancelLook: (() => void) | undefined;

  const onFailed = (error: unknown): void => {
    if (stop.signal.aborted) return;
    awayUntil = now() + awayMs;
    note("waiting", messageOf(error));
  };
  const isConnected = (): boolean => isReady && current?.isUp() === true;
  /** The connection of the moment. */
  const broker: Pick<Nats, "isUp" | "put" | "remove" | "publish"> = {
    isUp: () => isConnected() && now() >= awayUntil,
    put: async (...given) => await connected().put(...given),
    remove: async (...given) => await connected().remove(...given),
    publish: async (...given) => await connected().publish(...given),
  };
  const connected = (): Nats => {
    if (current === undefined) throw new Error("the broker is away");
    return current;
  };
  const presence = createPresence(broker, member, now, options.look);
  const { clockAheadMs } = presence;
  const note = (what: "connected" | "waiting", why?: string): void =>
    writeFleetStatus(layout, {
      what,
      at: now(),
      why,
      clockAheadMs: clockAheadMs() ?? 0,
      unpublished: unpublished.count(),
    });
  const claims = new Claims({
    layout,
    nats: broker,
    member,
    run: randomId(),
    now,
    clockAheadMs,
    isFreshest: presence.isFreshest,
    isElsewhere: (eventId) => published.has(eventId) || publisher.isTried(eventId),
    onToldAlone: (eventId) => unpublished.noteTold(eventId),
    onFailed,
  });
  const questions = new FleetQuestions({
    layout,
    nats: broker,
    member,
    asking: options.asking,
    now,
    askedOn: (eventId) => claims.askedOn({ eventId, origin: member.host }),
    signal: stop.signal,
    onFailed,
  });
  const sessions = createSessions({
    layout,
    nats: broker,
    member,
    now,
    clockAheadMs,
    questionOf: (eventId) => questions.idOf(eventId),
    wake: options.wake,
  });
  const publisher = createPublisher(broker, member, unpublished, now, {
    claimAsTold: async (eventId) => await claims.claimAsTold({ eventId, origin: member.host }),
    onPublished({ eventId }) {
      published.add(eventId);
      const [oldest] = published;
      if (published.size > limits.maxUnpublished && oldest !== undefined) published.delete(oldest);
    },
    onFailed: (why) => onFailed(why),
  });
  const consumer = createConsumer({
    layout,
    member,
    seen: openSeen(layout, now),
    now,
    clockAheadMs: () => clockAheadMs() ?? 0,
    hasLease: () => !stop.signal.aborted && hasLease(),
    prepare: async (event) => await questions.prepare(event),
  });
  /** Resolves when the connection has ended. */
  const work = async (nats: Nats): Promise<void> => {
    current = nats;
    nats.onChange(() => {
      if (isReady && !nats.isUp()) connectBy = now() + connectWaitMs;
      options.wake();
    });
    sessions.begin();
    await follow(nats, member, { presence, claims, questions, sessions, consumer, wake: options.wake });
    isReady = true;
    writeHeard(layout, presence.heard());
    note("connected");
    options.wake();
    const ended = nats.ended.then(() => true);
    for (;;) {
      const pause = sleep(clock, limits.heartbeatMs, stop.signal).then(() => false);
      if ((await Promise.race([ended, pause])) || stop.signal.aborted) return;
      if (!nats.isUp()) continue;
      await presence.beat().then(() => {
        note("connected");
        writeHeard(layout, presence.heard());
      }, onFailed);
    }
  };
  const begin = async (): Promise<void> => {
    consumer.resume();
    questions.begin();
    await keepConnected({
      ...options,
      work,
      onFailed: (error) => note("waiting", messageOf(error)),
      onEnded() {
        current = undefined;
        if (!isReady) connectBy = 0;
        isReady = false;
        options.wake();
      },
      signal: stop.signal,
    });
  };
  const running = begin().catch((error: unknown) => {
    journalBug(layout, now(), error);
  });
  /** The job runs one at a time, however often the dispatcher looks. */
  const oneAtATime = (job: () => Promise<void>): (() => void) => {
    let working: Promise<void> | undefined;
    return () => {
      working ??= job()
        .catch(onFailed)
        .finally(() => (working = undefined));
    };
  };
  const pump = oneAtATime(async () => {
    if (broker.isUp() && unpublished.count() > 0) await publisher.pump();
  });
  const settle = oneAtATime(async () => {
    await claims.look();
    await questions.look();
  });
  const say = oneAtATime(async () => await sessions.look());
  const told = ({ file, event }: FleetDelivery): Told => ({
    eventId: event.id,
    // An event that its machine has fetched from another one is claimed under the machine that published it.
    origin: publishedIdIn(file) === undefined ? member.host : (event.host.split("/")[0] ?? member.host),
  });
  /** What is not done is tried again, although nothing else wakes the dispatcher. */
  const lookAgain = (): void => {
    const isBusy = unpublished.count() > 0 || claims.isBusy() || questions.isBusy() || sessions.isBusy();
    if (!isBusy || cancelLook !== undefined || stop.signal.aborted) return;
    cancelLook = clock.after(lookAgainMs, () => {
      cancelLook = undefined;
      options.wake();
    });
  };
  return {
    publish(incoming, { id, agent, session }, { question, silence }) {
      if (publishedIdIn(incoming.file) !== undefined || isVerification(session) || ownAgents.has(agent)) return;
      const body = bodyOf(incoming, question?.digest, silence);
      const isAdded = body !== undefined && unpublished.add(incoming.position, id, JSON.stringify(body));
      if (!isAdded && !isFullNoted) {
        const detail = body === undefined ? "it cannot be shortened enough" : "too many events wait for the broker";
        writeJournal(layout, now(), { kind: "dispatcher", what: "not published", event: id, detail });
      }
      isFullNoted = body !== undefined && !isAdded;
      if (!isAdded) return;
      if (question !== undefined && body.question !== undefined) questions.open(id, question);
      if (body.whole === undefined) return;
      writeWholeSoon(join(wholeFolder, `${incoming.position}.${id}.json`), incoming.bytes);
      keepWithin(wholeFolder, wholeBounds);
    },
    sync: async () => await unpublished.sync(),
    reserve(delivery) {
      void claims.reserve(told(delivery), delivery.file, delivery.asks);
    },
    async turn(delivery) {
      if (!isConnected() && now() < connectBy) return { next: "wait", until: now() + connectLookMs };
      return await claims.turn(told(delivery), delivery.file, delivery.asks);
    },
    seen: sessions.seen,
    round() {
      pump();
      settle();
      say();
      lookAgain();
    },
    async finish(publishes) {
      const isOver = new AbortController();
      const rest = publishes && broker.isUp() && unpublished.count() > 0 ? publisher.pump() : Promise.resolve();
      await Promise.race([rest.catch(onFailed), sleep(clock, lastPublishMs, isOver.signal)]);
      isOver.abort();
      stop.abort();
      cancelLook?.();
      await current?.close().catch(() => {});
      await running;
      await unpublished.finish();
    },
  };
}
