// The jobs beside a dispatcher's deliveries: digests, the platform's news, and the presence file.
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { messageOf } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Clock } from "../../system/clock.ts";
import { keepPresenceFile } from "./presence-file.ts";
import type { DaemonIo } from "../open-dispatcher.ts";

export interface Job {
  /** Resolves when what runs now has ended. */
  settled(): Promise<unknown>;
  stop(): void;
}

/** Resolves when a digest that is due is queued; with `isUntilIdle`, the platform's news too, since this run sends what it finds. */
export async function startJobs(dispatcher: Dispatcher, io: DaemonIo, isUntilIdle: boolean): Promise<Job> {
  const poll = repeat(io.clock, () => pollPlatform(dispatcher, io));
  const digest = repeat(io.clock, () => queueDigest(dispatcher));
  await digest.settled();
  if (isUntilIdle) await poll.settled();
  const presence = isUntilIdle ? undefined : keepPresenceFile(dispatcher);
  return {
    settled: poll.settled,
    stop() {
      for (const job of [poll, digest, presence]) job?.stop();
    },
  };
}

/** Calls `look` at once, and again after the milliseconds to which it resolves. */
function repeat(clock: Clock, look: () => Promise<number>): Job {
  let isStopped = false;
  let cancel = (): void => {};
  const turn = async (): Promise<void> => {
    const waitMs = await look();
    if (!isStopped) {
      cancel = clock.after(waitMs, () => {
        current = turn();
      });
    }
  };
  let current = turn();
  return {
    settled: () => current,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

/** The dispatcher notices changed rules within this time. */
const maxDigestWaitMs = 10 * 60_000;

async function queueDigest({ layout, rules, tools: { clock } }: Dispatcher): Promise<number> {
  const now = clock.now();
  const { digest } = rules().rules;
  if (digest === undefined) return maxDigestWaitMs;
  try {
    const { queueDueDigest } = await import("./due-digest.ts");
    return Math.min(queueDueDigest(layout, digest, now) - now, maxDigestWaitMs);
  } catch {
    // If the disk fails now, the next check tries again.
    return maxDigestWaitMs;
  }
}

const pollEveryMs = 60_000;

/** Messages matter more than news, so the journal records the problems, and the dispatcher goes on. */
async function pollPlatform({ layout, rules }: Dispatcher, io: DaemonIo): Promise<number> {
  const { platform } = rules().rules;
  if (platform === undefined) return pollEveryMs;
  const note = (error: unknown): void =>
    writeJournal(layout, io.clock.now(), { kind: "dispatcher", what: "platform", detail: messageOf(error) });
  try {
    const { askIfDue } = await import("./platform-news.ts");
    for (const problem of await askIfDue(io, platform)) note(problem);
  } catch (error) {
    note(error);
  }
  return pollEveryMs;
}
