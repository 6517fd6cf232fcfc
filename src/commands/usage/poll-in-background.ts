// Polls the platform while a dispatcher runs, so that its events need no command.
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { messageOf } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { CommandIo } from "../console/command-io.ts";

const lookEveryMs = 60_000;

export interface BackgroundPoll {
  /** Resolves when the current poll has ended. */
  settled(): Promise<void>;
  stop(): void;
}

/** Checks at once whether to poll, then regularly until stopped. */
export function pollInBackground(dispatcher: Dispatcher, io: CommandIo): BackgroundPoll {
  let asking = Promise.resolve();
  let cancel = (): void => {};
  const look = (): void => {
    asking = asking.then(() => askQuietly(dispatcher, io));
    cancel = io.clock.after(lookEveryMs, look);
  };
  look();
  return { settled: () => asking, stop: () => cancel() };
}

/** Messages matter more, so a failure is only recorded. */
async function askQuietly({ layout, rules }: Dispatcher, io: CommandIo): Promise<void> {
  const { platform: settings } = rules().rules;
  if (settings === undefined) return;
  const note = (error: unknown): void =>
    writeJournal(layout, io.clock.now(), { kind: "dispatcher", what: "platform", detail: messageOf(error) });
  try {
    const { askIfDue } = await import("./news.ts");
    for (const problem of await askIfDue(io, settings)) note(problem);
  } catch (error) {
    note(error);
  }
}
