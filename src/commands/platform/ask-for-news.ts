// Polls the platform and queues what is new. A dispatcher loads this only if a platform is configured.
import type { UserError } from "../../model/errors.ts";
import { lastPolledAt, readCursor } from "../../platform/events/cursor.ts";
import type { PlatformEvent } from "../../platform/events/event.ts";
import { findNews } from "../../platform/events/find-news.ts";
import { isPolled, type PlatformSettings } from "../../platform/settings.ts";
import type { CommandIo } from "../console/command-io.ts";
import { createClient } from "./open-client.ts";
import { queueEvents } from "./queue-events.ts";

export interface Asked {
  /** Events that were not sent before. */
  queued: PlatformEvent[];
  /** Requests that failed. */
  problems: UserError[];
}

/** Throws if no key is set. That counts as a poll too, so that it is not retried at once. */
export async function askForNews(io: CommandIo, settings: PlatformSettings): Promise<Asked> {
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
export async function askIfDue(io: CommandIo, settings: PlatformSettings): Promise<UserError[]> {
  const ageMs = io.clock.now() - (lastPolledAt(io.places.stateDir) ?? -Infinity);
  const wasAsked = ageMs >= 0 && ageMs < everyMs;
  if (wasAsked || !isPolled(settings)) return [];
  return (await askForNews(io, settings)).problems;
}
