// Follows each remote: over one connection, which is made again after a pause when it breaks, or by the file that it appends to.
import { UserError } from "../../model/errors.ts";
import type { Layout } from "../../outbox/layout.ts";
import { type Clock, type Random, sleep } from "../../system/clock.ts";
import type { Environment } from "../../system/environment.ts";
import { type Answers, type RemoteAsking, createAnswers } from "./answers.ts";
import { connect, describeFailure, type Host } from "./host.ts";
import { createReceiver, type Receiver } from "./receive.ts";
import { isFollowed, listRemotes, type ReachedRemote, type SpoolRemote, writeStatus } from "./remotes.ts";
import { followSpool } from "./spool.ts";
import { countDropped, forgetDropped, requireOwnHook, hookMissing } from "./hook-there.ts";

export interface Followers {
  /** Follows remotes that were added, and no longer those that were removed. */
  look(): void;
  /** Whether there are any. */
  isBusy(): boolean;
  finish(): Promise<void>;
}

export interface FollowTools {
  clock: Clock;
  random: Random;
  readonly env: Environment;
}

interface Following {
  asking: RemoteAsking;
  /** The hook as it must be on the other machine. */
  hookText(): string;
  /** Tells the person that the hook there has dropped so many events. */
  onDropped(name: string, count: number): void;
  /** Whether this process still is the dispatcher. */
  hasLease(): boolean;
}

const minPauseMs = 1000;
/** After this time at most, a laptop that wakes up is connected again. */
const maxPauseMs = 60_000;

interface Follower {
  remote: ReachedRemote | SpoolRemote;
  stop: AbortController;
  ended: Promise<void>;
}

export function followRemotes(layout: Layout, tools: FollowTools, following: Following): Followers {
  const followers = new Map<string, Follower>();
  return {
    look() {
      const remotes = listRemotes(layout).filter(isFollowed);
      for (const [name, { remote, stop }] of followers) {
        if (remotes.some((each) => each.name === name && each.owner === remote.owner)) continue;
        stop.abort();
        followers.delete(name);
      }
      for (const remote of remotes) {
        if (followers.has(remote.name)) continue;
        const stop = new AbortController();
        const ended =
          remote.transport === "file"
            ? followSpool(layout, remote, tools, following, stop.signal)
            : follow(layout, remote, tools, following, stop.signal);
        followers.set(remote.name, { remote, stop, ended });
      }
    },
    isBusy: () => followers.size > 0,
    async finish() {
      for (const { stop } of followers.values()) stop.abort();
      await Promise.all([...followers.values()].map(({ ended }) => ended));
    },
  };
}

/** Never rejects. */
async function follow(
  layout: Layout,
  remote: ReachedRemote,
  tools: FollowTools,
  { hookText, hasLease, asking, onDropped }: Following,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random } = tools;
  const { name } = remote;
  const note = (status: Parameters<typeof writeStatus>[2]): void => {
    if (signal.aborted) return;
    try {
      writeStatus(layout, name, status);
    } catch {
      // If the disk is full, an old status stays.
    }
  };
  const answers = createAnswers(layout, name, asking, signal);
  let pauseMs = minPauseMs;
  while (!signal.aborted) {
    let host: Host | undefined;
    try {
      host = await connect(remote, { clock, env: tools.env, signal });
      const { clockAheadMs } = host;
      await requireOwnHook(host, remote, hookText());
      const receiver = createReceiver(layout, name, () => !signal.aborted && hasLease());
      const started = await host.follow(remote.owner);
      if (started.what === "changed") throw hookMissing(name);
      if (started.what === "failed") throw new UserError("remote.unwritable", `${name} ${started.why}`);
      note({ what: "connected", at: clock.now(), clockAheadMs });
      const dropped = await countDropped(host);
      if (dropped > 0) {
        onDropped(name, dropped);
        await forgetDropped(host, dropped);
      }
      await receiveFrom(host, receiver, answers, clock, () => (pauseMs = minPauseMs));
    } catch (error) {
      if (signal.aborted) return;
      const waitMs = Math.round(pauseMs * (0.5 + random() / 2));
      const now = clock.now();
      const clockAheadMs = host?.clockAheadMs;
      note({
        what: "waiting",
        at: now,
        ...describeFailure(error),
        nextAt: now + waitMs,
        ...(clockAheadMs === undefined ? {} : { clockAheadMs }),
      });
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
      await sleep(clock, waitMs, signal);
    } finally {
      answers.disconnect();
      host?.end();
    }
  }
}

/** The promise rejects when the connection ends. */
async function receiveFrom(
  host: Host,
  receiver: Receiver,
  answers: Answers,
  clock: Clock,
  onAlive: () => void,
): Promise<never> {
  host.forget(receiver.resume());
  answers.connect(host);
  for (;;) {
    const events = await host.next(onAlive);
    const { names, over } = await receiver.store(events, host.clockAheadMs, clock.now(), answers.prepare);
    answers.begin();
    answers.end(over);
    host.forget(names);
    onAlive();
  }
}
