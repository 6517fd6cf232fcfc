// Who was notified of an event, channel by channel, and who was not and why: what the journal says of its deliveries.
import { ageOf } from "../sessions/waiting.ts";
import { formatLocalTime } from "../model/figures/duration.ts";
import { formatTime } from "../model/figures/wall-clock.ts";
import { journalBytes, listJournal, readJournalOn, type JournalEntry, type JournalOffsets } from "../outbox/journal.ts";
import type { Layout } from "../outbox/layout.ts";
import { listOf, objectOf, objectsOf, textOf } from "../model/json.ts";
import { cut, printable, printableLine } from "../model/text.ts";

/** Times are milliseconds since the epoch. `why` may have words of a receiver: it is untrusted. */
export interface NotificationStatus {
  channel: string;
  /** `sending`: its delivery waits for its turn. `failed`: it was given up. */
  how: "sending" | "deferred" | "notified" | "retrying" | "failed" | "suppressed";
  at: number;
  why?: string | undefined;
  /** The setting that kept it silent, where its name says more than the reason. */
  setting?: string | undefined;
  /** When a held or failed delivery is looked at again. */
  until?: number | undefined;
  /** The person has clicked on it. */
  isClicked?: boolean | undefined;
  /** Why it was held before. */
  heldBefore?: string | undefined;
}

export interface EventNotifications {
  channels: readonly NotificationStatus[];
  /** Why no channel was chosen at all. */
  why?: string | undefined;
  /** Why no hook waits for an answer to the question, in hookbell's words. */
  noButtons?: string | undefined;
}

/**
 * Who was notified comes first, in one line; then each channel that was not, in a line of its own. `isWhole`: a receiver's words
 * are not shortened.
 */
export function describeNotifications({ channels, why }: EventNotifications, nowMs: number, isWhole = false): string[] {
  const isNotified = ({ how }: NotificationStatus): boolean => how === "notified" || how === "sending";
  const [notified, others] = [channels.filter(isNotified), channels.filter((each) => !isNotified(each))];
  const because = why === undefined || channels.length > 0 ? "" : `: ${why}`;
  const isOpen = others.some(({ how }) => how === "deferred" || how === "retrying");
  return [
    notified.length === 0
      ? `no one was notified${isOpen ? " yet" : ""}${because}`
      : `notified: ${notified.map((each) => describeChannelStatus(each, nowMs)).join("; ")}`,
    ...others.map((each) => describeChannelStatus(each, nowMs, isWhole)),
  ];
}

/** What became of an event in one line, such as "Notified: phone 12:00:02" or "Not notified: the turn took 2s, less than 20s (longerThan)". */
export function headlineOf({ channels, why }: EventNotifications, nowMs: number): string {
  const having = (...hows: NotificationStatus["how"][]): NotificationStatus[] =>
    channels.filter(({ how }) => hows.includes(how));
  const failed = having("failed").map((each) => describeChannelStatus(each, nowMs));
  const notified = having("notified").map(({ channel, at, heldBefore }) => {
    const before = heldBefore === undefined ? "" : ` (held before: ${printableLine(heldBefore)})`;
    return `${channel} ${timeOfDay(at)}${before}`;
  });
  if (notified.length > 0) return `Notified: ${[...notified, ...failed].join("; ")}`;
  const open = having("sending", "deferred", "retrying").map((each) => describeChannelStatus(each, nowMs));
  if (open.length > 0) return `Not notified yet: ${[...open, ...failed].join("; ")}`;
  const kept = having("suppressed").map(({ channel, why: reason = "", setting }) => ({
    channel,
    reason: printableLine(setting === undefined ? reason : `${reason} (${setting})`),
  }));
  const reasons = [...new Set(kept.map(({ reason }) => reason))];
  // Channels need no names where one reason holds for all.
  const named = reasons.map((reason) => {
    const those = kept.filter((each) => each.reason === reason).map(({ channel }) => channel);
    return reasons.length === 1 ? reason : `${those.join(", ")}: ${reason}`;
  });
  const all = [...named, ...failed];
  return `Not notified: ${all.length === 0 ? printableLine(why ?? noRuleMatches) : all.join("; ")}`;
}

/** HH:MM:SS in this machine's time zone. */
export function timeOfDay(atMs: number): string {
  return formatLocalTime(atMs).slice("2026-01-31 ".length);
}

/** Such as "desktop 2m ago", "phone held until 15:00: muted", "ops failed: connection refused". */
export function describeChannelStatus(
  { channel, how, at, why, until, isClicked }: NotificationStatus,
  nowMs: number,
  isWhole = false,
): string {
  // A program's output may have many lines; the first one says most.
  const because =
    why === undefined
      ? ""
      : `: ${isWhole ? printableLine(why) : cut(printableLine(printable(why).trim().split("\n", 1)[0] ?? ""), maxWhy)}`;
  // A time that has passed says nothing.
  const when = until === undefined || until <= nowMs ? "" : ` until ${formatTime(until, nowMs, undefined)}`;
  const ago = ageOf(nowMs - at);
  switch (how) {
    case "sending":
      return `${channel} is being notified`;
    case "deferred":
      return `${channel} held${when}${because}`;
    case "notified":
      return `${channel} ${ago === "now" ? ago : `${ago} ago`}${isClicked === true ? ", clicked" : ""}`;
    case "retrying":
      return `${channel} failed, next attempt ${until === undefined || until <= nowMs ? "soon" : `at ${formatTime(until, nowMs, undefined)}`}${because}`;
    case "failed":
      return `${channel} failed${because}`;
    case "suppressed":
      return `${channel} not notified${because}`;
  }
}

/** Code points; an error's beginning says most. */
const maxWhy = 60;

/** Bytes of the journal's end that are read at first: more than a day of most people's. */
const firstBytes = 2 * 1024 * 1024;
/** Bounds the memory of a board that runs for weeks. */
const maxEvents = 5000;

/** Reads what has been added to the journal; the result tells of an event by its id. Undefined for one that is not in the part that was read. */
export function createNotificationReader(layout: Layout): () => (event: string) => EventNotifications | undefined {
  const offsets: JournalOffsets = new Map();
  let left = firstBytes;
  for (const file of listJournal(layout).toReversed()) {
    const bytes = journalBytes(layout, file);
    offsets.set(file, Math.max(0, bytes - left));
    left -= Math.min(left, bytes);
  }
  const tellings = new Map<string, EventNotifications>();
  return () => {
    for (const file of listJournal(layout)) {
      for (const entry of readJournalOn(layout, file, offsets)) note(tellings, entry);
    }
    return (event) => tellings.get(event);
  };
}

/** `entries` are about one event; `summaries` are what became of its messages in a summary. */
export function notificationsIn(
  entries: readonly JournalEntry[],
  summaries: readonly JournalEntry[] = [],
): EventNotifications {
  const tellings = new Map<string, EventNotifications>();
  for (const entry of entries) note(tellings, entry);
  const [event] = tellings.keys();
  for (const entry of summaries) if (entry.kind === "attempt") note(tellings, { ...entry, event });
  return [...tellings.values()].at(-1) ?? { channels: [] };
}

/** What became of the event's messages in a summary that took their place: its decision and its attempts, out of `all`. */
export function inSummaries(all: readonly JournalEntry[], own: readonly JournalEntry[]): JournalEntry[] {
  const deliveries = new Set(own.flatMap((entry) => objectsOf(entry.deliveries).map(({ id }) => id)));
  const summaries = all.filter((entry) => listOf(entry.summarises).some((id) => deliveries.has(id)));
  const events = new Set(summaries.map(({ event }) => event));
  return all.filter((entry) => summaries.includes(entry) || (entry.kind === "attempt" && events.has(entry.event)));
}

const noRuleMatches = "no rule matches";

/** Undefined if no rule was asked. */
function whyNoChannel({ rules, silent }: JournalEntry): string | undefined {
  const mute = objectsOf(silent).find(({ channel, rule }) => channel === undefined && rule !== undefined);
  if (mute !== undefined) return `rule "${textOf(mute.rule)}" notifies no channel`;
  return rules === undefined ? undefined : noRuleMatches;
}

function note(tellings: Map<string, EventNotifications>, entry: JournalEntry): void {
  const noButtons = textOf(objectOf(entry.known).noButtons);
  const event = textOf(entry.event) ?? (noButtons === undefined ? undefined : textOf(objectOf(entry.event).id));
  const news = newsOf(entry) ?? (noButtons === undefined ? undefined : []);
  if (news === undefined || event === undefined) return;
  const known = tellings.get(event);
  const { channels = [], why } = known ?? {};
  const byChannel = new Map(channels.map((each) => [each.channel, each]));
  for (const each of news) {
    const before = byChannel.get(each.channel);
    const heldBefore = before?.how === "deferred" ? before.why : before?.heldBefore;
    const after = each.isClicked && before !== undefined ? { ...before, isClicked: true } : each;
    byChannel.set(each.channel, heldBefore === undefined ? after : { ...after, heldBefore });
  }
  const silence =
    entry.kind === "decision" && byChannel.size === 0 ? (textOf(entry.why) ?? whyNoChannel(entry)) : undefined;
  const asked = noButtons ?? known?.noButtons;
  const told = { channels: [...byChannel.values()], why: silence ?? why };
  tellings.set(event, asked === undefined ? told : { ...told, noButtons: asked });
  const [oldest] = tellings.keys();
  if (tellings.size > maxEvents && oldest !== undefined) tellings.delete(oldest);
}

/** Undefined if the entry says nothing about the event's delivery. */
function newsOf(entry: JournalEntry): NotificationStatus[] | undefined {
  const at = Date.parse(entry.at);
  const channel = textOf(entry.channel) ?? "";
  const why = textOf(entry.why);
  if (entry.kind === "decision") {
    const chosen = objectsOf(entry.deliveries).map((each): NotificationStatus => {
      const held = textOf(each.held);
      return {
        channel: nameOf(each),
        at,
        how: held === undefined ? "sending" : "deferred",
        why: held,
        until: checkOf(each),
      };
    });
    // A channel that no rule chose is no news.
    const dropped = objectsOf(entry.silent).filter(({ by, channel: name }) => by !== undefined && name !== undefined);
    return [
      ...chosen,
      ...dropped.map((each): NotificationStatus => ({ channel: nameOf(each), at, how: "suppressed", ...whyOf(each) })),
    ];
  }
  if (entry.kind === "attempt") {
    if (entry.outcome === "delivered") return [{ channel, at, how: "notified" }];
    const detail = textOf(entry.detail) ?? textOf(entry.reason);
    const how = entry.next === "retry" ? "retrying" : "failed";
    return [{ channel, at, how, why: detail, until: timeOf(entry.notBefore) }];
  }
  if (entry.kind !== "attention" || channel === "") return undefined;
  if (entry.verdict === "clicked") return [{ channel, at, how: "notified", isClicked: true }];
  if (entry.verdict === "hold") return [{ channel, at, how: "deferred", why, until: checkOf(entry) }];
  return [
    entry.verdict === "send" ? { channel, at, how: "sending" } : { channel, at, how: "suppressed", ...whyOf(entry) },
  ];
}

/** Their reasons say what they wait for; the time is only that of the next look. */
const untilCondition: ReadonlySet<unknown> = new Set(["mute", "presence", "helpers", "stuck"]);

function checkOf({ by, until }: Record<string, unknown>): number | undefined {
  return untilCondition.has(by) ? undefined : timeOf(until);
}

/** Only `longerThan` needs its name: the other reasons are words of their settings. */
function whyOf({ why, by }: Record<string, unknown>): Pick<NotificationStatus, "why" | "setting"> {
  return { why: textOf(why), ...(by === "longerThan" ? { setting: by } : {}) };
}

function nameOf({ channel }: Record<string, unknown>): string {
  return textOf(channel) ?? "";
}

function timeOf(value: unknown): number | undefined {
  const ms = Date.parse(textOf(value) ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
