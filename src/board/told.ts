// Who was told of an event, channel by channel, and who was not and why: what the journal says of its deliveries.
import { ageOf } from "../attention/waiting.ts";
import { formatTime } from "../model/figures/wall-clock.ts";
import { journalBytes, listJournal, readJournalOn, type JournalEntry, type JournalOffsets } from "../outbox/journal.ts";
import type { Layout } from "../outbox/layout.ts";
import { objectOf, textOf } from "../model/json.ts";
import { cut, printable, printableLine } from "../model/text.ts";

/** Times are milliseconds since the epoch. `why` may have words of a receiver: it is untrusted. */
export interface Told {
  channel: string;
  /** `sending`: its delivery waits for its turn. `failed`: it was given up. */
  how: "sending" | "held" | "told" | "retrying" | "failed" | "notTold";
  at: number;
  why?: string | undefined;
  /** When a held or failed one is looked at again. */
  until?: number | undefined;
  /** The person has clicked on it. */
  isClicked?: boolean | undefined;
}

export interface Telling {
  channels: readonly Told[];
  /** Why no channel was chosen at all. */
  why?: string | undefined;
}

/**
 * Who was told comes first, in one line; then each channel that was not, in a line of its own. `isWhole`: a receiver's words
 * are not shortened.
 */
export function describeTelling({ channels, why }: Telling, nowMs: number, isWhole = false): string[] {
  const isTold = ({ how }: Told): boolean => how === "told" || how === "sending";
  const [told, others] = [channels.filter(isTold), channels.filter((each) => !isTold(each))];
  const because = why === undefined || channels.length > 0 ? "" : `: ${why}`;
  const isOpen = others.some(({ how }) => how === "held" || how === "retrying");
  return [
    told.length === 0
      ? `no one was told${isOpen ? " yet" : ""}${because}`
      : `told: ${told.map((each) => describeTold(each, nowMs)).join("; ")}`,
    ...others.map((each) => describeTold(each, nowMs, isWhole)),
  ];
}

/** Such as "desktop 2m ago", "phone held until 15:00: muted", "ops failed: connection refused". */
export function describeTold(
  { channel, how, at, why, until, isClicked }: Told,
  nowMs: number,
  isWhole = false,
): string {
  // A program's output may have many lines; the first one says most.
  const because =
    why === undefined
      ? ""
      : `: ${isWhole ? printableLine(why) : cut(printableLine(printable(why).trim().split("\n", 1)[0] ?? ""), maxWhy)}`;
  const when = until === undefined ? "" : ` until ${formatTime(until, nowMs, undefined)}`;
  const ago = ageOf(nowMs - at);
  switch (how) {
    case "sending":
      return `${channel} is being told`;
    case "held":
      return `${channel} held${when}${because}`;
    case "told":
      return `${channel} ${ago === "now" ? ago : `${ago} ago`}${isClicked === true ? ", clicked" : ""}`;
    case "retrying":
      return `${channel} failed, next attempt ${until === undefined || until <= nowMs ? "soon" : `at ${formatTime(until, nowMs, undefined)}`}${because}`;
    case "failed":
      return `${channel} failed${because}`;
    case "notTold":
      return `${channel} not told${because}`;
  }
}

/** Code points; an error's beginning says most. */
const maxWhy = 60;

/** Bytes of the journal's end that are read at first: more than a day of most people's. */
const firstBytes = 2 * 1024 * 1024;
/** Bounds the memory of a board that runs for weeks. */
const maxEvents = 5000;

/** Reads what has been added to the journal; the result tells of an event by its id. Undefined for one that is not in the part that was read. */
export function createTellings(layout: Layout): () => (event: string) => Telling | undefined {
  const offsets: JournalOffsets = new Map();
  let left = firstBytes;
  for (const file of listJournal(layout).toReversed()) {
    const bytes = journalBytes(layout, file);
    offsets.set(file, Math.max(0, bytes - left));
    left -= Math.min(left, bytes);
  }
  const tellings = new Map<string, Telling>();
  return () => {
    for (const file of listJournal(layout)) {
      for (const entry of readJournalOn(layout, file, offsets)) note(tellings, entry);
    }
    return (event) => tellings.get(event);
  };
}

function note(tellings: Map<string, Telling>, entry: JournalEntry): void {
  const news = newsOf(entry);
  const event = textOf(entry.event);
  if (news === undefined || event === undefined) return;
  const { channels = [], why } = tellings.get(event) ?? {};
  const byChannel = new Map(channels.map((each) => [each.channel, each]));
  for (const each of news) {
    const before = byChannel.get(each.channel);
    byChannel.set(each.channel, each.isClicked && before !== undefined ? { ...before, isClicked: true } : each);
  }
  const silence = entry.kind === "decision" && byChannel.size === 0 ? textOf(entry.why) : undefined;
  tellings.set(event, { channels: [...byChannel.values()], why: silence ?? why });
  const [oldest] = tellings.keys();
  if (tellings.size > maxEvents && oldest !== undefined) tellings.delete(oldest);
}

/** Undefined for an entry that says nothing of it. */
function newsOf(entry: JournalEntry): Told[] | undefined {
  const at = Date.parse(entry.at);
  const channel = textOf(entry.channel) ?? "";
  const why = textOf(entry.why);
  if (entry.kind === "decision") {
    const chosen = listOf(entry.deliveries).map((each): Told => {
      const held = textOf(each.held);
      return {
        channel: nameOf(each),
        at,
        how: held === undefined ? "sending" : "held",
        why: held,
        until: timeOf(each.until),
      };
    });
    // What no rule chose is no news.
    const dropped = listOf(entry.silent).filter(({ by, channel: name }) => by !== undefined && name !== undefined);
    return [
      ...chosen,
      ...dropped.map((each): Told => ({ channel: nameOf(each), at, how: "notTold", why: textOf(each.why) })),
    ];
  }
  if (entry.kind === "attempt") {
    if (entry.outcome === "delivered") return [{ channel, at, how: "told" }];
    const detail = textOf(entry.detail) ?? textOf(entry.reason);
    const how = entry.next === "retry" ? "retrying" : "failed";
    return [{ channel, at, how, why: detail, until: timeOf(entry.notBefore) }];
  }
  if (entry.kind !== "attention" || channel === "") return undefined;
  if (entry.verdict === "clicked") return [{ channel, at, how: "told", isClicked: true }];
  if (entry.verdict === "hold") return [{ channel, at, how: "held", why, until: timeOf(entry.until) }];
  return [entry.verdict === "send" ? { channel, at, how: "sending" } : { channel, at, how: "notTold", why }];
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function nameOf({ channel }: Record<string, unknown>): string {
  return textOf(channel) ?? "";
}

function timeOf(value: unknown): number | undefined {
  const ms = Date.parse(textOf(value) ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
