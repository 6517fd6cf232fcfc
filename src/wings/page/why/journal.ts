// The journal as the tab "Why" lists it, newest first and in parts: a row for each event, and each line of its story as `hookbell log` says it.
import { sessionKey } from "../../../channels/session-message.ts";
import { isAskingEvent } from "../../../model/event.ts";
import { levelOfEvent } from "../../../model/level.ts";
import { notificationsForPage, reasonsForPage, withInstants } from "./instants.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { listOf, objectOf, objectsOf, textOf } from "../../../model/json.ts";
import { listJournal, readJournal, type JournalEntry } from "../../../outbox/journal.ts";
import { othersTurn } from "../../../system/clock.ts";
import { inSummaries, notificationsIn, type EventNotifications } from "../../../overview/notifications.ts";
import { createAbout, eventOf, isRoutine, type About } from "../../../console/output/about.ts";
import {
  describeEntry,
  loadPlainOf,
  reasonsOf,
  wordsOfEvent,
  type EntryIo,
} from "../../../console/output/show-entry.ts";
import type { JournalDetail, JournalLine, JournalPart, JournalRow, Only } from "../contract.ts";

const maxRows = 200;
/** A file has at most 8 MiB. A search that finds little is answered in parts, and the browser asks for the next. */
const maxFiles = 1;

type Wanted = (entry: JournalEntry, about: About) => boolean;

const isWanted: Readonly<Record<Only, Wanted>> = {
  all: () => true,
  notified: ({ kind, outcome }) => kind === "attempt" && outcome === "delivered",
  suppressed: (entry, about) =>
    isWithheld(entry) || isUnheard(entry, about) || (entry.kind === "attempt" && entry.outcome !== "delivered"),
  answers: ({ kind }) => kind === "answer",
};

/** A rule chose a channel, and something else held, silenced or cancelled the message. */
function isWithheld({ kind, silent, verdict }: JournalEntry): boolean {
  if (kind === "attention") return verdict !== "send" && verdict !== "clicked";
  return kind === "decision" && objectsOf(silent).some(({ by }) => by !== undefined);
}

/** No rule chose a channel for an event that people want to hear of. No one misses the news of their own prompt. */
function isUnheard({ kind, deliveries, duplicateOf }: JournalEntry, { event: name = "" }: About): boolean {
  if (kind !== "decision" || duplicateOf !== undefined || objectsOf(deliveries).length > 0) return false;
  return levelOfEvent(name) !== "info" || isAskingEvent({ name });
}

interface JournalQuery {
  only: Only;
  /** Each of its words must be in the entry, in any case. */
  words: string;
  /** The id of a session, as the tab "Now" has it. */
  session?: string | undefined;
  /** Where the previous part ended. */
  before?: string | undefined;
}

/** Rows of the newest files up to `before`. */
export async function readPart(
  layout: Layout,
  { only, words, session, before }: JournalQuery,
  io: EntryIo,
): Promise<JournalPart> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const [lastFile, lastIndex] = before === undefined ? [] : [before.split(":")[0], Number(before.split(":")[1])];
  const all = listJournal(layout);
  const files = all.filter((file) => lastFile === undefined || file <= lastFile);
  const rows: JournalRow[] = [];
  for (const file of files.toReversed().slice(0, maxFiles)) {
    const own = describedIn(layout, file);
    // What is held over midnight leaves on the next day.
    const next = all[all.indexOf(file) + 1];
    const stories = storiesOf(own, next === undefined ? [] : readJournal(layout, next));
    for (const { index, entries, later } of stories.toReversed()) {
      if (file === lastFile && lastIndex !== undefined && index >= lastIndex) continue;
      const isOfSession = entries.some(({ entry, event }) => {
        const of = event ?? (entry.kind === "answer" ? entry : undefined);
        return session === undefined || (of !== undefined && sessionOf(of) === session);
      });
      if (!isOfSession || !entries.some(({ entry, about }) => isWanted[only](entry, about))) continue;
      if (!has(entries, wanted)) continue;
      const row = rowOf(entries, later, file, io);
      if (row === undefined) continue;
      rows.push(row);
      if (rows.length === maxRows) return { rows, next: `${file}:${index}` };
    }
    await othersTurn();
  }
  const next = files.at(-1 - maxFiles);
  return { rows, ...(next === undefined ? {} : { next: `${next}:${Number.MAX_SAFE_INTEGER}` }) };
}

/** Everything recorded of an event in this file and the next one, with the reason of each rule. */
export function readDetail(
  layout: Layout,
  { file, event }: { file: string; event: string },
  io: EntryIo,
): JournalDetail {
  const all = listJournal(layout);
  const from = all.indexOf(file);
  const entries = from < 0 ? [] : all.slice(from, from + 2).flatMap((each) => describedIn(layout, each));
  const own = entries.filter(({ entry }) => eventOf(entry) === event);
  const told = own.map(({ entry }) => entry);
  const summaries = inSummaries(
    entries.map(({ entry }) => entry),
    told,
  );
  return {
    notified: told.some(isAboutNotifying) ? notificationsForPage(notificationsIn(told, summaries)) : undefined,
    lines: own.flatMap(({ entry, about }) => {
      // What the story is about stands above it.
      const said = describeEntry(entry, { agent: about.agent }, io);
      return said === undefined
        ? []
        : [{ ...lineOf(entry, said, file), reasons: reasonsForPage(reasonsOf(entry), Date.parse(entry.at)) }];
    }),
  };
}

function isAboutNotifying({ kind }: JournalEntry): boolean {
  return kind === "decision" || kind === "attempt" || kind === "attention";
}

/** What a file has of one event, or an entry that is about none. */
interface Story {
  /** Where it begins. */
  index: number;
  entries: DescribedEntry[];
  /** What else says who was notified: entries of the next file, and of summaries. */
  later: { own: readonly JournalEntry[]; summaries: readonly JournalEntry[] };
}

/** Stories come in the order in which they begin. */
function storiesOf(described: readonly DescribedEntry[], next: readonly JournalEntry[]): Story[] {
  const stories = new Map<string | number, Pick<Story, "index" | "entries">>();
  for (const [index, each] of described.entries()) {
    const key = eventOf(each.entry) ?? index;
    const story = stories.get(key);
    if (story === undefined) stories.set(key, { index, entries: [each] });
    else story.entries.push(each);
  }
  const everything = [...described.map(({ entry }) => entry), ...next];
  const summaries = everything.filter(({ summarises }) => listOf(summarises).length > 0);
  const ofSummaries = new Set(summaries.map(eventOf));
  const aboutSummaries = everything.filter((entry) => ofSummaries.has(eventOf(entry)));
  const nextOf = new Map<string, JournalEntry[]>();
  for (const entry of next) {
    const id = eventOf(entry);
    if (id !== undefined && stories.has(id)) nextOf.set(id, [...(nextOf.get(id) ?? []), entry]);
  }
  return [...stories].map(([key, story]) => ({
    ...story,
    later: { own: nextOf.get(String(key)) ?? [], summaries: aboutSummaries },
  }));
}

/** Undefined for what says nothing to people. */
function rowOf(
  entries: readonly DescribedEntry[],
  later: Story["later"],
  file: string,
  io: EntryIo,
): JournalRow | undefined {
  const first = entries[0] as DescribedEntry;
  const said = describeEntry(first.entry, first.about, io);
  const event = eventOf(first.entry);
  const shown = said === undefined ? undefined : lineOf(first.entry, said, file);
  if (shown === undefined) return undefined;
  const told = [...entries.map(({ entry }) => entry), ...later.own];
  const isExpected = !entries.some(({ entry, about }) => isRoutine(entry, about)) && told.some(isAboutNotifying);
  const notified = isExpected
    ? notificationsForPage(notificationsIn(told, inSummaries(later.summaries, told)))
    : undefined;
  const { place = "", event: name } = first.about;
  const isEvent = first.entry.kind === "event";
  return {
    at: shown.at,
    kind: name ?? shown.kind,
    place,
    text: isEvent ? wordsOfEvent(first, io) : shown.text,
    file,
    event,
    notified,
    isBad: (notified === undefined ? shown.isBad : reachedNoOne(notified)) || undefined,
  };
}

interface DescribedEntry {
  entry: JournalEntry;
  about: About;
  /** The event that it is about; undefined where the file does not have it. */
  event: Record<string, unknown> | undefined;
}

function describedIn(layout: Layout, file: string): DescribedEntry[] {
  const aboutOf = createAbout();
  const events = new Map<string | undefined, Record<string, unknown>>();
  return readJournal(layout, file).map((entry) => {
    const id = eventOf(entry);
    if (entry.kind === "event") events.set(id, objectOf(entry.event));
    return { entry, about: aboutOf(entry), event: id === undefined ? undefined : events.get(id) };
  });
}

function sessionOf({ agent, session, id }: Record<string, unknown>): string {
  return sessionKey({ agent: textOf(agent) ?? "", session: textOf(session) ?? "", id: textOf(id) ?? "" });
}

function lineOf(entry: JournalEntry, said: string, file: string): JournalLine {
  const [kind = ""] = said.split(" ", 1);
  const at = Date.parse(entry.at);
  const words = said.slice(kind.length).trimStart();
  // Other entries have the words of agents and receivers.
  const text = entry.kind === "decision" || entry.kind === "attention" ? withInstants(words, at) : words;
  const isBad = (entry.kind === "attempt" && entry.outcome !== "delivered") || entry.kind === "rejected";
  return { at, kind, text, file, event: eventOf(entry), isBad: isBad || undefined };
}

/** Whether each word is in some entry of the story. */
function has(entries: readonly DescribedEntry[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const texts = entries.map(({ entry, about: { agent, place, event } }) =>
    [agent, place, event, JSON.stringify(entry)].join(" ").toLowerCase(),
  );
  return wanted.every((word) => texts.some((text) => text.includes(word)));
}

/** A sound that failed where a phone was reached is no trouble of this event. */
function reachedNoOne({ channels }: EventNotifications): boolean {
  return channels.some(({ how }) => how === "failed") && !channels.some(({ how }) => how === "notified");
}

/** How the page's server has entries described: the browser writes times as it writes all others. */
export async function openEntryIo(): Promise<EntryIo> {
  return {
    isColor: false,
    plainOf: await loadPlainOf(),
    showTime: (at) => new Date(Date.parse(String(at))).toJSON() ?? "",
  };
}

/** Reads a query string, whatever it holds. */
export function readAsked(query: Readonly<Record<string, string>>): JournalQuery {
  const only = Object.keys(isWanted).find((each) => each === query.only) as Only | undefined;
  const before = /^[\w.-]{1,40}:\d{1,16}$/.exec(query.before ?? "")?.[0];
  const session = /^\w{1,64}$/.exec(query.session ?? "")?.[0];
  return { only: only ?? "all", words: (textOf(query.words) ?? "").slice(0, 200), session, before };
}
