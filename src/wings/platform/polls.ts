// Polls the platform for its news, which become events.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { messageOf } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Service } from "../../daemon/attend.ts";
import type { DaemonIo } from "../../daemon/open-dispatcher.ts";

const pollEveryMs = 60_000;

/** With `isUntilIdle`, it starts with the news, since that run sends what it finds; otherwise nothing waits for a poll. */
export function createPlatformPolls({ layout, rules }: Dispatcher, io: DaemonIo, isUntilIdle: boolean): Service {
  let nextAt = -Infinity;
  let asking: Promise<void> | undefined;
  /** The journal records the problems, and the dispatcher goes on: messages matter more than news. */
  const note = (error: unknown): void =>
    writeJournal(layout, io.clock.now(), { kind: "dispatcher", what: "platform", detail: messageOf(error) });
  const ask = async (): Promise<void> => {
    const { platform } = rules().rules;
    if (platform === undefined) return;
    const { askIfDue } = await import("./events/ask-for-news.ts");
    for (const problem of await askIfDue(io, platform)) note(problem);
  };
  const askInTurn = async (now: number): Promise<void> => {
    nextAt = now + pollEveryMs;
    asking ??= ask()
      .catch(note)
      .finally(() => (asking = undefined));
    await asking;
  };
  return {
    name: "platform polls",
    async start() {
      const first = askInTurn(io.clock.now());
      if (isUntilIdle) await first;
    },
    poll(now) {
      if (now >= nextAt) void askInTurn(now);
      return { nextAt };
    },
    busy: () => undefined,
    async stop() {
      await asking;
    },
  };
}
