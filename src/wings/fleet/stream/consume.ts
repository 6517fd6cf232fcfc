// Takes in the events of the person's other machines: each enters incoming/ exactly once, whenever this process is killed.
import { join } from "node:path";
import { eventIdOf } from "../../../outbox/incoming.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { incomingFileName } from "../../../outbox/write-incoming.ts";
import { ensurePrivateDir, listNames, removeIfThere, renameIfThere, timeInName } from "../../../system/files/files.ts";
import { syncDir, syncFiles, touch, writeWholeSoon } from "../../../system/files/write.ts";
import type { NatsMessage } from "../../../system/network/nats.ts";
import { readBody, type Body } from "./body.ts";
import { readEventSubject, type Member } from "../names.ts";
import type { SeenEvents } from "./seen.ts";
import { fleetFolder } from "./unpublished.ts";

/** An event of another machine, before it can be taken in. */
export interface ForeignEvent {
  eventId: string;
  /** The machine that published it. */
  host: string;
  /** The beginning of its name in incoming/, which a question has as its id. */
  position: string;
  /** When it happened, by this machine's clock. */
  atMs: number;
  body: Body;
}

export interface Consumer {
  /** Ends what was cut off by a crash. */
  resume(): void;
  /** Resolves when the messages are durable in incoming/ and acknowledged. */
  take(messages: readonly NatsMessage[]): Promise<void>;
}

export interface ConsumeTools {
  layout: Layout;
  member: Member;
  seen: SeenEvents;
  now(): number;
  /** How far this machine's clock is ahead of the broker's. */
  clockAheadMs(): number;
  /** Whether this process still is the dispatcher. */
  hasLease(): boolean;
  /** The consumer calls it before the event can be taken in. */
  prepare(event: ForeignEvent): Promise<void>;
}

/** An older event was written before a wrong clock was set right. */
const maxAgeMs = 90 * 24 * 60 * 60_000;

export function createConsumer(tools: ConsumeTools): Consumer {
  const { layout, member, seen } = tools;
  const staging = join(fleetFolder(layout), "staging");
  const place = (names: readonly string[]): void => {
    for (const name of names) renameIfThere(join(staging, name), join(layout.incoming, name));
    if (names.length > 0) syncDir(layout.incoming);
  };
  const stage = async ({ eventId, host, position, atMs, body }: ForeignEvent): Promise<string> => {
    const { agentId, eventName, wiredBy: setupName, from, text } = body;
    const file = incomingFileName({
      unique: position,
      agentId,
      eventName,
      setupName,
      // The first part is the broker's word, the second the publishing machine's.
      host: from === undefined ? host : `${host}/${from}`,
      nowMs: tools.now(),
    });
    const now = tools.now();
    writeWholeSoon(join(staging, file), text);
    touch(join(staging, file), Math.trunc(Math.min(now, Math.max(atMs, now - maxAgeMs))));
    await tools.prepare({ eventId, host, position, atMs, body });
    return file;
  };
  return {
    resume() {
      ensurePrivateDir(staging);
      const names = listNames(staging);
      // What was not yet noted as seen comes again.
      for (const name of names) if (!seen.has(eventIdOf(name, 0))) removeIfThere(join(staging, name));
      place(listNames(staging));
    },
    async take(messages) {
      const news = new Map<string, ForeignEvent>();
      for (const { subject, data, storedMs, sentMs } of messages) {
        const { host = member.host, eventId = "" } = readEventSubject(subject) ?? {};
        const body = readBody(data);
        if (host === member.host || body === undefined || !/^evt_[0-9a-f]{24}$/.test(eventId) || seen.has(eventId))
          continue;
        const storedAt = storedMs + tools.clockAheadMs();
        // Only differences between times of one clock count, so that no two machines' clocks need agree.
        const atMs = storedAt - Math.max(0, sentMs - body.at);
        const position = `${timeInName(storedAt)}-f${eventId.slice("evt_".length)}`;
        news.set(eventId, { eventId, host, position, atMs, body });
      }
      // What an attempt has left that did not come to its end would be a second copy.
      for (const name of listNames(staging)) removeIfThere(join(staging, name));
      const files: string[] = [];
      for (const event of news.values()) files.push(await stage(event));
      if (files.length > 0) await syncFiles(staging, files);
      // Another dispatcher may have begun meanwhile. From here to the end, nothing comes in between.
      if (!tools.hasLease()) throw new Error("another dispatcher has taken over");
      seen.add([...news.keys()]);
      place(files);
      for (const message of messages) message.ack();
    },
  };
}
