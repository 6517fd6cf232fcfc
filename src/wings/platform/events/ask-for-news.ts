// Polls the platform and queues what is new, each event once. A dispatcher loads this only if a platform is configured.
import { join } from "node:path";
import { UserError } from "../../../model/errors.ts";
import { platformAgentId } from "../../../model/own-events.ts";
import { queueOnce } from "../../../outbox/incoming.ts";
import { ensureLayout, layoutOf } from "../../../outbox/layout.ts";
import { isPolled, type PlatformSettings } from "../../../wing-settings/platform.ts";
import { takeLock } from "../../../system/process/lock.ts";
import { lastPolledAt, readCursor, writeCursor } from "./cursor.ts";
import type { PlatformEvent } from "./event.ts";
import { findNews } from "./find-news.ts";
import { type DaemonIo, orUnwritable, wake } from "../../../daemon/open-dispatcher.ts";
import { createClient } from "../open-client.ts";

interface FoundNews {
  /** Events that were not sent before. */
  queued: PlatformEvent[];
  /** Requests that failed. */
  problems: UserError[];
}

/** Throws if no key is set. That counts as a poll too, so that it is not retried at once. */
export async function askForNews(io: DaemonIo, settings: PlatformSettings): Promise<FoundNews> {
  try {
    const client = await createClient(io, settings);
    const news = await findNews(client, settings, readCursor(io.places.stateDir), io.clock.now());
    return { queued: await queueEvents(io, news.events, news), problems: news.problems };
  } catch (error) {
    await queueEvents(io, []).catch(() => []);
    throw error;
  }
}

/** Figures change daily; a new report should arrive soon. */
const everyMs = 10 * 60_000;

/** Returns what went wrong, if it was time to poll. */
export async function askIfDue(io: DaemonIo, settings: PlatformSettings): Promise<UserError[]> {
  const ageMs = io.clock.now() - (lastPolledAt(io.places.stateDir) ?? -Infinity);
  const wasAsked = ageMs >= 0 && ageMs < everyMs;
  if (wasAsked || !isPolled(settings)) return [];
  return (await askForNews(io, settings)).problems;
}

const lockWaitMs = 10_000;
const staleLockMs = 60_000;

/** Returns the events that were not sent before. Keys in `passedOver` count as sent. */
export async function queueEvents(
  io: DaemonIo,
  events: readonly PlatformEvent[],
  more: { passedOver?: readonly string[]; readinessSince?: number | undefined } = {},
): Promise<PlatformEvent[]> {
  const layout = layoutOf(io.places.stateDir);
  orUnwritable(layout, () => ensureLayout(layout));
  const { stateDir } = io.places;
  const release = await takeLock(join(stateDir, "platform.lock"), {
    clock: io.clock,
    waitMs: lockWaitMs,
    staleMs: staleLockMs,
    signal: io.untilStopped(),
  });
  if (release === undefined) {
    throw new UserError("platform.busy", "another hookbell command is queueing the platform's events", {
      hint: "nothing is lost: run it again",
    });
  }
  let queued: PlatformEvent[];
  try {
    // Read the cursor again: another command may have sent some events meanwhile.
    const cursor = readCursor(stateDir);
    const nowMs = io.clock.now();
    queued = events.filter(
      ({ key, name, payload }, order) =>
        !cursor.sent.includes(key) &&
        // Payloads of one millisecond have no order.
        queueOnce(layout, { agentId: platformAgentId, name, key, payload }, nowMs + order),
    );
    const keys = [...events.map(({ key }) => key), ...(more.passedOver ?? [])];
    writeCursor(stateDir, {
      sent: [...new Set([...cursor.sent, ...keys])],
      readinessSince: more.readinessSince ?? cursor.readinessSince,
    });
  } finally {
    release();
  }
  if (queued.length > 0) wake(io);
  return queued;
}
