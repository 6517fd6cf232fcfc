// A running dispatcher asks the platform for news, so that its events need no command of the user's.
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { messageOf } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { lastPolledAt } from "../../platform/events/cursor.ts";
import { isPolled } from "../../platform/settings.ts";
import type { CommandIo } from "../console/command-io.ts";

/** Figures change once a day; a report is worth hearing of soon. */
const everyMs = 10 * 60_000;

export interface BackgroundPoll {
  /** Resolves when what is being asked has been answered. */
  settled(): Promise<void>;
  stop(): void;
}

/** Asks at once if it was last asked long enough ago, and again until it is stopped. */
export function pollInBackground(dispatcher: Dispatcher, io: CommandIo): BackgroundPoll {
  const { clock, places } = io;
  let asking = Promise.resolve();
  let cancel = (): void => {};
  const look = (): void => {
    const ageMs = clock.now() - (lastPolledAt(places.stateDir) ?? -Infinity);
    const isDue = ageMs < 0 || ageMs >= everyMs;
    if (isDue) asking = askQuietly(dispatcher, io);
    cancel = clock.after(isDue ? everyMs : everyMs - ageMs, look);
  };
  look();
  return { settled: () => asking, stop: () => cancel() };
}

/** Messages matter more, so a failure goes on record and no further. */
async function askQuietly(dispatcher: Dispatcher, io: CommandIo): Promise<void> {
  const { platform: settings } = dispatcher.rules().rules;
  if (settings === undefined || !isPolled(settings)) return;
  const note = (error: unknown): void =>
    writeJournal(dispatcher.layout, io.clock.now(), { kind: "dispatcher", what: "platform", detail: messageOf(error) });
  try {
    const { askForNews } = await import("./ask-for-news.ts");
    const { problems } = await askForNews(io, settings);
    problems.forEach(note);
  } catch (error) {
    note(error);
  }
}
