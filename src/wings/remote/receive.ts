// Keeps each event of another machine exactly once, whichever side is killed, and whenever the connection breaks.
import { join } from "node:path";
import * as z from "zod";
import type { AskedElsewhere } from "../../model/answer.ts";
import type { Layout } from "../../outbox/layout.ts";
import { eventIdOf } from "../../outbox/incoming.ts";
import { incomingFileName } from "../../outbox/write-incoming.ts";
import { ensurePrivateDir, listNames, removeIfThere, renameIfThere, timeInName } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { syncDir, syncFiles, touch, writeWhole, writeWholeSoon } from "../../system/files/write.ts";
import type { RemoteEvent } from "./host.ts";
import { remoteFolder } from "./remotes.ts";

/**
 * The last batch that was taken. The other machine removes its files only when it is told to, after this is on the disk;
 * and the next batch is asked for only after that. So no older name can come again, and an earlier batch can be forgotten.
 */
const takenSchema = z.object({
  /** Names there. */
  taken: z.array(z.string()),
  /** Names of files here that are on their way from staging/ to incoming/. */
  placing: z.array(z.string()),
  /** The newest time that a name here has, in milliseconds since the epoch, and how many names were given. */
  newestMs: z.number(),
  count: z.number(),
});

export interface Receiver {
  /** Ends what was cut off. Returns what the other machine may remove. */
  resume(): readonly string[];
  /**
   * When it resolves, the events are in incoming/ and durable. `names` are what the other machine may remove. `prepare` is
   * called for each event whose hook waits for an answer, before the event can be taken in; `over` are hooks that wait no longer.
   */
  store(
    events: readonly RemoteEvent[],
    clockAheadMs: number,
    nowMs: number,
    prepare: (event: AskingEvent) => Promise<void>,
  ): Promise<{ names: readonly string[]; over: readonly string[] }>;
}

export interface AskingEvent extends AskedElsewhere {
  /** The event's name there. */
  name: string;
}

/** `<ms>-<since boot>-<pid>-<n>.<agent>.<event>.<setup>.json`, as hooks/hookbell-hook.sh writes it. */
export const hookName = /^(\d{13})-\d{12}-\d{1,10}-\d{1,6}\.([\w-]{1,64})\.([\w-]{1,64})\.([\w-]{1,64})\.json$/;
/** What is there instead of an event: the hook of this name waits for an answer no longer. */
const overName = /^([\d-]{1,60})\.over\.json$/;
/** An event that is older than that was written before a wrong clock was set right. */
const maxAgeMs = 90 * 24 * 60 * 60_000;

/** `isOurs` says whether this process still is the one that receives. */
export function createReceiver(layout: Layout, host: string, isOurs: () => boolean): Receiver {
  const folder = remoteFolder(layout, host);
  const staging = join(folder, "staging");
  const path = join(folder, "taken.json");
  const readTaken = () => readJson(path, takenSchema) ?? { taken: [], placing: [], newestMs: 0, count: 0 };
  const place = (names: readonly string[]): void => {
    for (const name of names) renameIfThere(join(staging, name), join(layout.incoming, name));
    syncDir(layout.incoming);
  };
  return {
    resume() {
      const { taken, placing } = readTaken();
      place(placing);
      // What was not yet taken comes again.
      for (const name of listNames(staging)) removeIfThere(join(staging, name));
      return taken;
    },
    async store(events, clockAheadMs, nowMs, prepare) {
      const { taken, ...before } = readTaken();
      let { newestMs, count } = before;
      const over = events.flatMap(({ name }) => overName.exec(name)?.[1] ?? []);
      const news = events.filter(({ name }) => !taken.includes(name) && !overName.test(name));
      const placing: string[] = [];
      ensurePrivateDir(staging);
      for (const { name, bytes, isAsking } of news) {
        const [, ms, agentId, eventName, setupName] = hookName.exec(name) ?? [];
        const cameAt = ms === undefined ? nowMs : Number(ms) - clockAheadMs;
        const at = Math.trunc(Math.min(nowMs, Math.max(cameAt, nowMs - maxAgeMs)));
        newestMs = Math.max(newestMs, at);
        count += 1;
        const unique = `${timeInName(newestMs)}-r${String(count).padStart(10, "0")}`;
        const file = incomingFileName({
          unique,
          agentId: partOf(agentId),
          eventName: partOf(eventName),
          setupName: partOf(setupName),
          host,
          nowMs,
        });
        writeWholeSoon(join(staging, file), bytes);
        touch(join(staging, file), at);
        placing.push(file);
        if (isAsking) {
          const hints = { agentId: partOf(agentId), eventName: partOf(eventName) };
          await prepare({ id: unique, eventId: eventIdOf(file, at), name, ...hints, text: bytes.toString("utf8") });
        }
      }
      await syncFiles(staging, placing);
      // Another receiver may have begun meanwhile. From here to the end, nothing comes in between.
      if (!isOurs()) throw new Error("another dispatcher has taken over");
      writeWhole(path, JSON.stringify({ taken: events.map(({ name }) => name), placing, newestMs, count }));
      place(placing);
      return { names: events.map(({ name }) => name), over };
    },
  };
}

function partOf(part: string | undefined): string | undefined {
  return part === "-" ? undefined : part;
}
