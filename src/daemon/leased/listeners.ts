// Listens for answers: one listener for each credential, whichever channels use it.
import { join } from "node:path";
import { receiveReply } from "../../answers/give-answer.ts";
import { type ChatAccount, misplacedCode, pairByReply } from "../../answers/pairing.ts";
import { sendersOf } from "../../answers/senders.ts";
import type { OnReply } from "../../model/answer.ts";
import type { ListenFailure } from "../../channels/channel-type.ts";
import { nextAt, take } from "../../model/figures/token-bucket.ts";
import { describeWriteError, messageOf } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Channel } from "../../rules/rules.ts";
import { sha256 } from "../../system/crypto.ts";
import { ensurePrivateDir } from "../../system/files/files.ts";
import { takeLock } from "../../system/process/lock.ts";
import { readyChannel } from "../../pipeline/channel/call-channel.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { answeringChannel } from "../../pipeline/answers/ask.ts";
import { listenersFolder, noteListener, type ListenerState } from "../../answers/listener-state.ts";
import { sleep } from "../../system/clock.ts";

export interface Listeners {
  /** These channels, and no others, are listened to. */
  want(channels: readonly Channel[]): void;
  stop(): Promise<void>;
}

interface Listener {
  stop: AbortController;
  ended: Promise<void>;
}

const firstPauseMs = 1000;
const longestPauseMs = 60_000;

export function createListeners(dispatcher: Dispatcher): Listeners {
  /** The keys are made of the channel's name and settings: a changed channel is another one. */
  const running = new Map<string, Listener>();
  const keyOf = ({ name, fingerprint }: Channel): string => `${name} ${fingerprint}`;
  return {
    want(channels) {
      const wanted = new Map(channels.map((channel) => [keyOf(channel), channel]));
      for (const [key, { stop }] of running) {
        if (wanted.has(key)) continue;
        stop.abort();
        running.delete(key);
      }
      for (const [key, channel] of wanted) {
        if (running.has(key) || channel.channelType.answers?.listen === undefined) continue;
        const stop = new AbortController();
        running.set(key, { stop, ended: listenOn(dispatcher, channel, stop.signal) });
      }
    },
    async stop() {
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** Never rejects. Begins again after a failure, later each time. */
async function listenOn(dispatcher: Dispatcher, channel: Channel, stop: AbortSignal): Promise<void> {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  const { name, type } = channel;
  const note = (what: ListenerState["what"], why?: string): void =>
    noteListener(layout, { channel: name, type, at: clock.now(), what, why });
  let pauseMs = firstPauseMs;
  let told = "";
  note("listens");
  while (!stop.aborted) {
    const startedAt = clock.now();
    const failure = await listenOnce(dispatcher, channel, stop, () => {
      if (told !== "") note("listens");
      told = "";
    }).catch((error: unknown) => messageOf(error));
    if (stop.aborted) {
      if (told === "" || clock.now() - startedAt > longestPauseMs) note("stopped");
      return;
    }
    const detail = typeof failure === "string" ? failure : failure.final;
    if (detail !== "") note("failed", detail);
    if (detail !== told) {
      writeJournal(layout, clock.now(), { kind: "notice", channel: channel.name, title: "no answers", body: detail });
      told = detail;
    }
    // This listener stays silent until the next question, or until its settings change.
    if (typeof failure !== "string") return;
    pauseMs = clock.now() - startedAt > longestPauseMs ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
    await sleep(clock, pauseMs, stop);
  }
}

/**
 * Listens until aborted, and resolves to why it ended: empty if another process or another channel listens with this
 * credential, or if the service closed the connection.
 */
export async function listenOnce(
  dispatcher: Dispatcher,
  channel: Channel,
  stop: AbortSignal,
  noteReply: () => void,
): Promise<ListenFailure> {
  const ready = await readyChannel(dispatcher, channel);
  if ("failure" in ready) return ready.detail;
  const lock = listenerLock(dispatcher.layout, channel, ready.settings);
  ensurePrivateDir(listenersFolder(dispatcher.layout));
  const { clock } = dispatcher.tools;
  // Services hand an update to one listener only, and some refuse a second one.
  const unlock = await takeLock(lock, { clock, waitMs: 1000, staleMs: Infinity, signal: stop });
  if (unlock === undefined) return "";
  const receive = replyReceiver(dispatcher, channel, lock);
  const onReply: OnReply = (received) => {
    noteReply();
    return receive(received);
  };
  try {
    const called = await ready.call({ signal: stop }, (settings, tools) =>
      channel.channelType.answers?.listen?.(settings, onReply, tools),
    );
    return "failure" in called ? called.detail : (called.value ?? "");
  } finally {
    unlock();
  }
}

/** How often a listener says where a code belongs. */
const misplacedRate = { messages: 3, perMs: 10 * 60_000 };

/** Two channels may share a bot: an answer is for the one that showed the button. */
function replyReceiver(dispatcher: Dispatcher, channel: Channel, lock: string): OnReply {
  const { layout, rules, tools } = dispatcher;
  let fullAt = 0;
  /** A stranger who goes on writing gets a few answers, then none. */
  const withinRate = (said: string | undefined, nowMs: number): string | undefined => {
    if (said === undefined || nextAt(fullAt, misplacedRate, nowMs) > nowMs) return undefined;
    fullAt = take(fullAt, misplacedRate, nowMs);
    return said;
  };
  return (received) => {
    const alike = Object.values(rules().rules.channels).filter(({ type, answers }) => answers && type === channel.type);
    const isPaired = ({ id }: ChatAccount): boolean =>
      alike.some(({ name, type }) => sendersOf(layout, name, type).some((each) => each.id === id));
    const now = tools.clock.now();
    try {
      const told = pairByReply(lock, received, isPaired, now);
      if (told !== undefined) return told;
      const result = receiveReply(
        layout,
        alike.map((each) => answeringChannel(dispatcher, each)),
        received,
        now,
      );
      return result.what === "ignored" ? withinRate(misplacedCode(received), now) : result.text;
    } catch (error) {
      // The disk may be full.
      return `Not accepted (${describeWriteError(error)}): answer at the terminal.`;
    }
  };
}

/** The path of the lock that one listener for each credential holds. */
export function listenerLock(
  layout: Dispatcher["layout"],
  { type, channelType }: Pick<Channel, "type" | "channelType">,
  settings: unknown,
): string {
  const credential = channelType.answers?.credentialOf?.(settings as never) ?? "";
  return join(listenersFolder(layout), sha256(`${type}\n${credential}`).slice(0, 32));
}
