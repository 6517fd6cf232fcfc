// Asks the platform for what is new, and hands it to the rules. A dispatcher loads this only where a platform is set.
import type { UserError } from "../../model/errors.ts";
import { lastPolledAt, readCursor } from "../../platform/events/cursor.ts";
import type { PlatformEvent } from "../../platform/events/event.ts";
import { findNews } from "../../platform/events/find-news.ts";
import { isPolled, type PlatformSettings } from "../../platform/settings.ts";
import type { CommandIo } from "../console/command-io.ts";
import { createClient } from "./open-client.ts";
import { queueEvents } from "./queue-events.ts";

export interface Asked {
  /** The events that were not sent before. */
  queued: PlatformEvent[];
  /** What the service refused, or could not be asked. */
  problems: UserError[];
}

/** Throws where no key is set. Either way it counts as asked, so that a failure is not repeated at once. */
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

/** Figures change once a day; a report is worth hearing of soon. */
const everyMs = 10 * 60_000;

/** Returns what went wrong, where it was time to ask. */
export async function askIfDue(io: CommandIo, settings: PlatformSettings): Promise<UserError[]> {
  const ageMs = io.clock.now() - (lastPolledAt(io.places.stateDir) ?? -Infinity);
  const wasAsked = ageMs >= 0 && ageMs < everyMs;
  if (wasAsked || !isPolled(settings)) return [];
  return (await askForNews(io, settings)).problems;
}
