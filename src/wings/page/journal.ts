// The journal as the tab "Why" lists it, newest first and in parts: each line as `hookbell log` says it.
import { sessionKey } from "../../channels/session-message.ts";
import { isAskingEvent } from "../../model/event.ts";
import { levelOfEvent } from "../../model/level.ts";
import type { Layout } from "../../outbox/layout.ts";
import { objectOf, objectsOf, textOf } from "../../model/json.ts";
import { listJournal, readJournal, type JournalEntry } from "../../outbox/journal.ts";
import { othersTurn } from "../../system/clock.ts";
import { headlineOf, inSummaries, notificationsIn } from "../../overview/notifications.ts";
import { createAbout, eventOf, type About } from "../../console/output/about.ts";
import { describeEntry, reasonsOf, type EntryIo } from "../../console/output/show-entry.ts";
import type { JournalDetail, JournalLine, JournalPart, Only } from "./contract.ts";

const maxLines = 200;
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

/** Lines of the newest files up to `before`. */
export async function readPart(
  layout: Layout,
  { only, words, session, before }: JournalQuery,
  io: EntryIo,
): Promise<JournalPart> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const [lastFile, lastIndex] = before === undefined ? [] : [before.split(":")[0], Number(before.split(":")[1])];
  const files = listJournal(layout).filter((file) => lastFile === undefined || file <= lastFile);
  const lines: JournalLine[] = [];
  for (const file of files.toReversed().slice(0, maxFiles)) {
    const entries = describedIn(layout, file);
    const end = file === lastFile && lastIndex !== undefined ? Math.min(lastIndex, entries.length) : entries.length;
    for (let index = end - 1; index >= 0; index -= 1) {
      const { entry, about, event } = entries[index] as DescribedEntry;
      const own = event ?? (entry.kind === "answer" ? entry : undefined);
      if (session !== undefined && (own === undefined || sessionOf(own) !== session)) continue;
      if (!isWanted[only](entry, about) || !has(entry, about, wanted)) continue;
      const said = describeEntry(entry, about, io);
      if (said === undefined) continue;
      lines.push(lineOf(entry, said, file));
      if (lines.length === maxLines) return { lines, next: `${file}:${index}` };
    }
    await othersTurn();
  }
  const next = files.at(-1 - maxFiles);
  return { lines, ...(next === undefined ? {} : { next: `${next}:${Number.MAX_SAFE_INTEGER}` }) };
}

/** Everything recorded of an event in this file and the next one, with the reason of each rule. */
export function readDetail(
  layout: Layout,
  { file, event, nowMs }: { file: string; event: string; nowMs: number },
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
  const telling = notificationsIn(told, summaries);
  return {
    headline: headlineOf(telling, nowMs),
    lines: own.flatMap(({ entry, about }) => {
      const said = describeEntry(entry, about, io);
      return said === undefined ? [] : [{ ...lineOf(entry, said, file), reasons: reasonsOf(entry) }];
    }),
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
  const text = said.slice(kind.length).trimStart();
  const isBad = (entry.kind === "attempt" && entry.outcome !== "delivered") || entry.kind === "rejected";
  return { at: Date.parse(entry.at), kind, text, file, event: eventOf(entry), isBad: isBad || undefined };
}

/** A decision names its project only by the event before it. */
function has(entry: JournalEntry, { agent, place, event }: About, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const text = [agent, place, event, JSON.stringify(entry)].join(" ").toLowerCase();
  return wanted.every((word) => text.includes(word));
}

/** Reads a query string, whatever it holds. */
export function readAsked(query: Readonly<Record<string, string>>): JournalQuery {
  const only = Object.keys(isWanted).find((each) => each === query.only) as Only | undefined;
  const before = /^[\w.-]{1,40}:\d{1,16}$/.exec(query.before ?? "")?.[0];
  const session = /^\w{1,64}$/.exec(query.session ?? "")?.[0];
  return { only: only ?? "all", words: (textOf(query.words) ?? "").slice(0, 200), session, before };
}
