// Replays a journal's events under other rules: the dispatcher's own planning and sending, on a clock that does not
// wait, in a folder of its own, with channels that send nothing.
import { stuckEventName } from "../../policies/stuck.ts";
import { type Mute, muteScopes } from "../../policies/mute.ts";
import type { ChannelType } from "../../channels/channel-type.ts";
import { isByHand, isVerification, usageLimitSession } from "../../model/own-events.ts";
import { textOf } from "../../model/json.ts";
import { delivered } from "../../model/outcome.ts";
import { isSecretSource, Secret } from "../../model/privacy/secret.ts";
import { addMute, endMutes } from "../../outbox/attention.ts";
import type { JournalEntry } from "../../outbox/journal.ts";
import { ensureLayout, type Layout, layoutOf } from "../../outbox/layout.ts";
import type { Channel, Rules } from "../../rules/rules.ts";
import { inTemporaryFolder, uniqueName } from "../../system/files/files.ts";
import { othersTurn } from "../../system/clock.ts";
import type { CurrentRules } from "../../pipeline/current-rules.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { unasked } from "../../pipeline/event/ask.ts";
import type { Decided } from "../../pipeline/event/context.ts";
import { enqueue } from "../../pipeline/event/enqueue.ts";
import { decide } from "../../pipeline/pipeline.ts";
import { recordReaction } from "../../pipeline/observe/record-reaction.ts";
import { nextStep } from "../../pipeline/delivery/queue/next-step.ts";
import { Scheduler } from "../../pipeline/scheduler.ts";
import { createHistory, entriesFrom, type History } from "./history.ts";
import type { Span } from "../../sessions/digest.ts";
import { createLooks, type Looks } from "./looks.ts";
import { readRecorded, trackRecorded } from "./recorded-event.ts";

export interface Replayed {
  /** What happened, and what would have happened. */
  was: History;
  wouldBe: History;
  /** When the first look for the person was recorded; before, the person counts as away. Undefined: never. */
  presenceSince: number | undefined;
  /** The last event that an older version recorded, without all that a replay needs. Undefined: there is none. */
  olderUntil: number | undefined;
  events: number;
}

export interface ReplayGiven {
  layout: Layout;
  span: Span;
  rules: CurrentRules;
  /** How long a turn had to be silent to count as stuck when the journal was written; undefined: as in `rules`. */
  stuckAfterMs: number | undefined;
  home: string;
  platform: NodeJS.Platform;
  stop?: AbortSignal | undefined;
  /** Receives how much is done, from 0 to 1, each time it has grown by a hundredth. */
  onProgress?: ((share: number) => void) | undefined;
}

/** The sessions as they were when the span begins come from the day before. */
const warmUpMs = 24 * 60 * 60_000;
/** A look for the person takes a moment, so it is recorded after the time at which it was due. */
const lookTakesMs = 2000;

/** Writes nothing into `layout`, calls no channel, and reads no secret. Returns undefined if `stop` ended it. */
export async function replayJournal(given: ReplayGiven): Promise<Replayed | undefined> {
  const { layout, span, stop, onProgress } = given;
  const from = span.from - warmUpMs;
  const was = createHistory(span);
  const stuckAt = new Map<string, number>();
  for await (const entry of entriesFrom(layout, from)) {
    was.note(entry);
    const isStuck = entry.kind === "attention" && entry.verdict === "send" && entry.by === "stuck";
    if (isStuck && typeof entry.event === "string") stuckAt.set(entry.event, Date.parse(entry.at));
  }
  const replayIn = async (folder: string): Promise<Replayed | undefined> => {
    const own = layoutOf(folder);
    ensureLayout(own);
    const looks = createLooks();
    const machine = createMachine(given, own, from, { looks, stuckAt });
    let events = 0;
    let olderUntil: number | undefined;
    let shown = 0;
    for await (const entry of entriesFrom(layout, from)) {
      const at = Date.parse(entry.at);
      if (at >= span.to) break;
      if (stop?.aborted === true) return undefined;
      const share = Math.floor((100 * (at - from)) / (span.to - from)) / 100;
      if (share > shown) {
        onProgress?.((shown = share));
        // The pause lets this process hear a signal, too.
        await othersTurn();
      }
      const isEvent = await live(machine, looks, entry, at);
      if (!isEvent) continue;
      if (at < span.from) continue;
      events += 1;
      if (entry.known === undefined) olderUntil = at;
    }
    await machine.runUntil(span.to);
    const wouldBe = createHistory(span);
    for await (const entry of entriesFrom(own, from)) wouldBe.note(entry);
    return { was: was.history, wouldBe: wouldBe.history, presenceSince: looks.since(), olderUntil, events };
  };
  // Each event writes some small files.
  return await inTemporaryFolder(replayIn, { preferMemory: true });
}

interface Machine {
  /** The session whose messages were weighed last because something happened to it. */
  weighed: { session: string; at: number } | undefined;
  dispatcher: Dispatcher;
  scheduler: Scheduler;
  /** Does all that falls due until then. */
  runUntil(at: number): Promise<void>;
}

function createMachine(
  { rules, stuckAfterMs = rules.rules.stuckAfterMs ?? 0, home, platform }: ReplayGiven,
  layout: Layout,
  from: number,
  { looks, stuckAt }: { looks: Looks; stuckAt: ReadonlyMap<string, number> },
): Machine {
  let now = from;
  const current = { ...rules, rules: withDryChannels(rules.rules) };
  const dispatcher: Dispatcher = {
    layout,
    rulesFile: "",
    rules: () => current,
    rereadRules: () => Promise.resolve(),
    tools: {
      // No timer fires: what is due is asked for.
      clock: { now: () => now, after: () => () => {} },
      random: () => 0.5,
      env: {},
      platform,
      http: () => Promise.reject(new Error("a replay sends nothing")),
      home,
      stateDir: layout.root,
    },
    addToEnvironment() {},
    host: "",
    fleet: () => undefined,
    observePresence: (_terminal, _env, of = { agent: "", session: "" }) => Promise.resolve(looks.presenceAt(of, now)),
    // A turn that was not told as stuck has worked all the time. One that was is silent, whatever its session seems to wait for.
    observeWork({ id }) {
      const toldAt = stuckAt.get(id) ?? Infinity;
      return { transcriptGrewAt: toldAt - stuckAfterMs, isGone: now >= toldAt };
    },
  };
  const lease = { renew: () => true };
  const questionsAndClicks = {
    untilOver: () => new AbortController().signal,
    watchClick: () => {
      throw new Error("a replay shows nothing to click");
    },
  };
  const scheduler = new Scheduler(dispatcher, lease, questionsAndClicks, () => {});
  const settled = async (): Promise<void> => {
    while (scheduler.isWorking()) await scheduler.finish();
  };
  const runUntil = async (at: number): Promise<void> => {
    for (;;) {
      await settled();
      const { due, nextAt } = nextStep(scheduler.queues(), now);
      for (const { queue, file } of due) scheduler.start(queue, file);
      if (scheduler.isWorking()) continue;
      const dueAt = Math.max(nextAt, now + 1);
      if (!(dueAt <= at)) break;
      now = dueAt;
    }
    now = Math.max(now, at);
  };
  return { weighed: undefined, dispatcher, scheduler, runUntil };
}

/** Returns whether it was an event. */
async function live(machine: Machine, looks: Looks, entry: JournalEntry, at: number): Promise<boolean> {
  const { dispatcher, scheduler, runUntil } = machine;
  const { layout, tools } = dispatcher;
  const { agent, session } = entry;
  const isOfSession = typeof agent === "string" && typeof session === "string";
  if (entry.kind === "presence" && isOfSession) {
    await runUntil(at - lookTakesMs);
    looks.note({ agent, session }, entry.presence, at);
    // What happened to a session is recorded before the look that followed from it.
    const { weighed } = machine;
    if (weighed?.session === session && at - weighed.at <= lookTakesMs) scheduler.reconsiderSession(session);
  }
  if (entry.kind === "acted" && isOfSession) {
    await runUntil(at);
    recordReaction(
      dispatcher,
      { agent, session },
      textOf(entry.how) ?? "acted",
      entry.isAnswer === true ? true : undefined,
    );
    scheduler.reconsiderSession(session);
    machine.weighed = { session, at };
  }
  const mute = entry.kind === "muted" || entry.kind === "unmuted" ? readMute(entry) : undefined;
  if (mute !== undefined) {
    await runUntil(at);
    if (entry.kind === "muted") addMute(layout, mute, tools.clock.now());
    else scheduler.takeUp(endMutes(layout, [mute], tools.clock.now()));
  }
  return entry.kind === "event" && (await liveEvent(machine, looks, entry, at));
}

async function liveEvent(machine: Machine, looks: Looks, entry: JournalEntry, at: number): Promise<boolean> {
  const { dispatcher, scheduler, runUntil } = machine;
  const recorded = readRecorded(entry);
  if (recorded === undefined) return false;
  const { event, known } = recorded;
  // What hookbell itself derives from other events is derived again, and what a person sent is not for rules to decide.
  const isDerived = event.session === usageLimitSession || event.name === stuckEventName;
  if (isDerived || isVerification(event.session) || isByHand(event)) return false;
  await runUntil(at);
  machine.weighed = { session: event.session, at };
  looks.note(event, known?.presence, at);
  const position = uniqueName(at);
  const tracked = trackRecorded(dispatcher, recorded, looks.presenceAt(event, at), position);
  const decided = decide(dispatcher, tracked);
  const deliveries = asking(decided, position, dispatcher.rules().rules);
  scheduler.take(enqueue({ ...unasked(decided), deliveries }, dispatcher));
  await runUntil(at);
  return true;
}

/** A question with buttons stands in no list of waiting sessions. */
function asking({ planned, facts }: Decided, position: string, rules: Rules): Decided["planned"] {
  if (facts.isAsked !== true || rules.answers === undefined) return planned;
  return planned.map((each) =>
    each.channel.answers ? { ...each, delivery: { ...each.delivery, kind: "question", question: position } } : each,
  );
}

function readMute({ scope, name, until, by }: JournalEntry): Mute | undefined {
  const known = muteScopes.find((each) => each === scope);
  if (known === undefined || typeof name !== "string") return undefined;
  return { scope: known, name, until: typeof until === "number" ? until : undefined, by: textOf(by) };
}

/** The same rules, without receivers: each channel takes every message at once, nothing is sent, and no secret is read. */
function withDryChannels(rules: Rules): Rules {
  const channels = Object.assign(Object.create(null) as Rules["channels"], rules.channels);
  for (const [name, channel] of Object.entries(rules.channels)) channels[name] = dry(channel);
  return { ...rules, channels, builtInDesktop: rules.builtInDesktop && dry(rules.builtInDesktop) };
}

function dry(channel: Channel): Channel {
  const { channelType, settings } = channel;
  return { ...channel, channelType: dryType(channelType), settings: withoutSources(settings) as Channel["settings"] };
}

/** What it takes part in stays: lists, edits, retractions. */
function dryType(type: ChannelType): ChannelType {
  const { retract, editsEarlier, showsList } = type;
  const isRemembered = retract !== undefined || editsEarlier !== undefined || showsList !== undefined;
  return {
    ...type,
    send: () => Promise.resolve(delivered(isRemembered ? { remember: { place: "dry" } } : {})),
    ...(retract && { retract: () => Promise.resolve() }),
    acknowledged: undefined,
    raisesTerminal: undefined,
    setUp: undefined,
    probe: undefined,
  } as ChannelType;
}

/** No one reads this secret. */
const noSecret = new Secret("");

function withoutSources(settings: unknown): unknown {
  if (typeof settings !== "object" || settings === null || settings instanceof Secret) return settings;
  if (isSecretSource(settings)) return noSecret;
  if (Array.isArray(settings)) return settings.map(withoutSources);
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, withoutSources(value)]));
}
