// Ten thousand events from one machine to another, while everything between and beside them is ended in turn.
import { jetstreamManager } from "@nats-io/jetstream";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createConsumer } from "../../../src/wings/fleet/stream/consume.ts";
import {
  consumerName,
  consumerLifeMs,
  inboxPrefix,
  personEvents,
  stream,
  type Member,
} from "../../../src/wings/fleet/names.ts";
import { createPublisher } from "../../../src/wings/fleet/stream/publish.ts";
import { openSeen } from "../../../src/wings/fleet/stream/seen.ts";
import { Unpublished } from "../../../src/wings/fleet/stream/unpublished.ts";
import { listIncoming, publishedIdIn } from "../../../src/outbox/incoming.ts";
import { connectToNats, type Nats } from "../../../src/system/network/nats.ts";
import { startPlainBroker, type PlainBroker } from "../../support/fleet/plain-broker.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";

const count = 10_000;
const box: Member = { org: "acme", person: "ada", host: "box" };
const laptop: Member = { ...box, host: "laptop" };
const now = (): number => Date.now();

async function connectAs(member: Member, { servers }: PlainBroker): Promise<Nats> {
  const options = { servers, name: member.host, inboxPrefix: inboxPrefix(member) };
  const nats = await untilAnswered(async () => await connectToNats(options));
  onTestFinished(async () => await nats.close());
  return nats;
}

/** As the fleet's own connection: what a cluster that is choosing its leader does not answer is asked again. */
async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const deadline = now() + longestWaitMs; ; await sleep(100)) {
    try {
      return await ask();
    } catch (error) {
      if (now() > deadline) throw error;
    }
  }
}

describeWithParts("ten thousand events between two machines", ["nats-server"], () => {
  it("come once each, while brokers and both machines are ended in turn", async () => {
    const broker = await startPlainBroker(3);
    const [from, to] = [temporaryState(), temporaryState()];
    const fill = new Unpublished(from);
    const id = (index: number): string => `evt_${index.toString(16).padStart(24, "0")}`;
    for (let index = 0; index < count; index += 1) {
      const body = { version: 1, agentId: "generic", eventName: "Stop", at: now(), text: `{"session_id":"s${index}"}` };
      fill.add(`${String(index).padStart(13, "0")}-x`, id(index), JSON.stringify(body));
      if (index % 30 === 0) await fill.sync();
    }
    await fill.sync();
    /** A machine that starts anew with what is on its disk. */
    const consumeAnew = async (): Promise<Nats> => {
      const nats = await connectAs(laptop, broker);
      const tools = { layout: to, member: laptop, seen: openSeen(to, now), now, clockAheadMs: () => 0 };
      const consumer = createConsumer({ ...tools, hasLease: () => nats.isUp(), prepare: async () => {} });
      consumer.resume();
      const own = { stream: stream.name, name: consumerName(laptop), filter: personEvents(laptop) };
      const options = { ...own, inactiveMs: consumerLifeMs, maxUnacknowledged: 1000 };
      await untilAnswered(async () => await nats.consume(options, consumer.take));
      return nats;
    };
    const publishAnew = async (): Promise<{ nats: Nats; pump: () => Promise<void>; waiting: () => number }> => {
      const nats = await connectAs(box, broker);
      const unpublished = new Unpublished(from);
      const events = { claimAsTold: async () => {}, onPublished: () => {}, onFailed: () => {} };
      const publisher = createPublisher(nats, box, unpublished, now, events);
      return { nats, pump: publisher.pump, waiting: () => unpublished.count() };
    };
    const isDone = (): boolean => readdirSync(join(from.root, "fleet/unpublished")).length === 0;
    let consumer = await consumeAnew();
    let ends = 0;
    for (let round = 0; !isDone(); round += 1) {
      const { nats, pump, waiting } = await publishAnew();
      const before = waiting();
      const pumping = pump();
      // A broker ends in the middle of it, then a machine.
      while (waiting() > before - count / 10 && waiting() > 0) await sleep(50);
      if (round < 4) {
        ends += 1;
        if (round % 2 === 0) await broker.stop(round % 3);
        else await consumer.close();
        await nats.close();
        await pumping;
        if (round % 2 === 0) await broker.start(round % 3);
        else consumer = await consumeAnew();
      } else {
        await pumping;
        await nats.close();
      }
    }
    expect(ends).toBe(4);
    const connection = await untilAnswered(broker.connect);
    const manager = await untilAnswered(async () => await jetstreamManager(connection));
    const arrived = (): string[] => listIncoming(to).flatMap((file) => publishedIdIn(file) ?? []);
    const deadline = now() + longestWaitMs;
    while (new Set(arrived()).size < count && now() < deadline) await sleep(500);
    const got = arrived();
    expect(new Set(got).size).toBe(count);
    expect(got).toHaveLength(count);
    // The broker drops what is published again within its window.
    const { state } = await untilAnswered(async () => await manager.streams.info(stream.name));
    expect(state.messages).toBe(count);
  });
});
