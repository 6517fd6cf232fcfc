// Formats journal entries as lines for `hookbell log`.
import { agentName } from "../../agents/index.ts";
import { verbs } from "../../model/answer.ts";
import { isOwnNotice, ownNotice } from "../../model/own-events.ts";
import { isMarkdown } from "../../model/event.ts";
import { formatDuration, formatLocalTime } from "../../model/figures/duration.ts";
import { render } from "../../model/rich-text/render.ts";
import { cut, printableLine } from "../../model/text.ts";
import type { JournalEntry } from "../../outbox/journal.ts";
import { paint } from "./text.ts";
import { type About, eventOf } from "./about.ts";
import { listOf, objectOf, objectsOf } from "../../model/json.ts";

/** Characters; an agent's message may be pages long. */
const maxSentenceLength = 300;

export interface EntryIo {
  isColor: boolean;
  /** Markdown as plain text. */
  plainOf: (markdown: string) => string;
  /** How a time within a line is written; by default in local time. */
  showTime?: (at: unknown) => string;
}

/** The parser is large, so only what shows entries loads it. */
export async function loadPlainOf(): Promise<EntryIo["plainOf"]> {
  const { parseMarkdown } = await import("../../model/rich-text/parse-markdown.ts");
  return (markdown) => render(parseMarkdown(markdown));
}

export interface DescribedEntry {
  entry: JournalEntry;
  about: About;
}

/** Why an event came, and what its agent said. */
export function wordsOfEvent({ entry, about }: DescribedEntry, io: EntryIo): string {
  const { reason, notificationType, message } = objectOf(entry.event);
  return sentence([reason ?? notificationType, plainWords(message, about, io)]);
}

/** The newest `max` lines in order, with times. Merges repeated lines. Reads from the end, which is faster. */
export function showNewest(entries: readonly DescribedEntry[], max: number, io: EntryIo): string[] {
  const runs: {
    newest: DescribedEntry;
    since: unknown;
    text: string;
    sameAs: string;
    times: number;
    isOne: boolean;
    isOfOneEvent: boolean;
  }[] = [];
  for (const { entry, about } of entries.toReversed()) {
    const text = describeEntry(entry, about, io);
    if (text === undefined) continue;
    const sameAs = describeAlike(entry, about, io) ?? text;
    const run = runs.at(-1);
    if (run?.sameAs === sameAs) {
      run.since = entry.at;
      run.times += 1;
      run.isOne &&= run.newest.entry.delivery === entry.delivery;
      run.isOfOneEvent &&= idOf(run.newest.entry) === idOf(entry);
    } else if (runs.length < max) {
      runs.push({ newest: { entry, about }, since: entry.at, text, sameAs, times: 1, isOne: true, isOfOneEvent: true });
    } else break;
  }
  return runs.toReversed().map(({ newest, since, text, times, isOne, isOfOneEvent }) => {
    const often = times === 1 ? "" : `; ${times} times since ${localTime(since)}`;
    const { entry, about } = newest;
    const shown = (isOne ? undefined : describeEntry(...ofMany(entry, about), io)) ?? text;
    return `${paint(io, "dim", localTime(entry.at))}  ${shown}${paint(io, "dim", often + (isOfOneEvent ? idOf(entry) : ""))}\n`;
  });
}

/** The beginning of an event's id, which is a hash: `why`, `explain` and `log --why` take it. */
export function shortEventId(id: string): string {
  return id.slice(0, "evt_".length + 8);
}

function idOf(entry: JournalEntry): string {
  const id = eventOf(entry);
  return id === undefined || isOwnNotice({ id }) ? "" : `  ${word(shortEventId(id))}`;
}

/** An attempt without what differs between deliveries. */
function ofMany(entry: JournalEntry, about: About): [JournalEntry, About] {
  return entry.kind === "attempt"
    ? [
        { ...entry, delivery: undefined },
        { ...about, words: "" },
      ]
    : [entry, about];
}

/** An attempt's line without what differs between retries. */
function describeAlike(entry: JournalEntry, about: About, io: EntryIo): string | undefined {
  if (entry.kind !== "attempt") return undefined;
  const isLeftForLater = entry.next === "retry";
  const alike = { ...entry, ms: undefined, ...(isLeftForLater ? { attempt: undefined, notBefore: undefined } : {}) };
  return describeEntry(...ofMany(alike, about), io);
}

/** `2026-01-31 18:00:00` in local time. */
export function localTime(at: unknown): string {
  const ms = new Date(typeof at === "string" || typeof at === "number" ? at : NaN).getTime();
  return Number.isNaN(ms) ? word(at) : formatLocalTime(ms);
}

/** Such as `decision  shop: to desktop (rule "done")`; undefined for an entry that says nothing to people. */
export function describeEntry(entry: JournalEntry, about: About, io: EntryIo): string | undefined {
  const isNotice = typeof entry.event === "string" && isOwnNotice({ id: entry.event });
  const place = isNotice ? ownNotice : sentence([about.place, about.event]);
  switch (entry.kind) {
    case "event": {
      const event = objectOf(entry.event);
      return `${paint(io, "bold", "event")}     ${sentence([nameOf(event.agent), about.place, event.name, wordsOfEvent({ entry, about }, io)])}`;
    }
    case "decision":
      return `decision  ${place === "" ? "" : `${place}: `}${describeDecision(entry, io)}`;
    case "attempt": {
      const how =
        entry.outcome === "delivered"
          ? paint(io, "green", "delivered")
          : paint(io, "red", `failed (${entry.reason === "unknown" ? "it may have arrived" : word(entry.reason)})`);
      const words =
        about.words === undefined || about.words === "" || isNotice
          ? ""
          : `"${word(plainWords(about.words, about, io))}"`;
      const detail = [place, words, entry.detail === undefined ? "" : word(entry.detail)].filter((each) => each !== "");
      const what = detail.length === 0 ? "" : `: ${detail.join(" · ")}`;
      const tries = entry.isAsked === false ? "not tried" : `try ${word(entry.attempt)}, ${word(entry.ms)} ms`;
      return `attempt   ${word(entry.channel)} ${how}${what} (${tries})${describeNext(entry, io)}`;
    }
    case "attention":
      return `attention ${place === "" ? "" : `${place}: `}${word(entry.channel)} ${describeVerdict(entry, io)}`;
    case "muted":
    case "unmuted": {
      const what = entry.scope === "all" ? "everything" : `${word(entry.scope)} ${word(entry.name)}`;
      const end = entry.until === undefined ? "" : ` until ${timeIn(io, entry.until)}`;
      return `${entry.kind.padEnd(9)} ${what}${end}${entry.by === undefined ? "" : `, by ${word(entry.by)}`}`;
    }
    case "rejected":
      return `rejected  ${word(entry.file)}: ${listOf(entry.reasons).map(word).join("; ")}`;
    case "notice":
      return `notice    ${sentence([entry.title, entry.body])}`;
    case "removed":
      return `removed   ${sentence([entry.what, entry.why])}`;
    case "retried":
      return `retried   ${sentence([entry.what, entry.why])}`;
    case "answer": {
      const after = typeof entry.afterMs === "number" ? ` after ${formatDuration(entry.afterMs)}` : "";
      const by = sentence([entry.channel, entry.by, entry.why]);
      const verb = Object.hasOwn(verbs, String(entry.what))
        ? verbs[entry.what as keyof typeof verbs]
        : word(entry.what);
      const how = entry.what === "none" ? "no answer from here" : verb;
      // Who may not answer was refused whatever the question.
      const what = sentence([nameOf(entry.agent), entry.project, entry.tool]);
      return `answer    ${what === "" ? "" : `${what}: `}${how}${after} (${by})`;
    }
    // Replays use these entries; other entries show what came of them.
    case "presence":
    case "acted":
      return undefined;
    case "dispatcher":
      if (entry.what === "platform") return `platform  not asked: ${word(entry.detail)}`;
      return entry.what === "bug" ? `dispatcher bug: ${word(entry.detail)}` : undefined;
  }
}

/** Lines about a decision. */
export interface Reasons {
  /** Which rules matched, and why. */
  matching: readonly string[];
  /** Why each other rule did not match, and why each other channel is silent. */
  others: readonly string[];
  /** What each stage found, in order; none in what an earlier version recorded. */
  stages: readonly string[];
}

export function reasonsOf(entry: JournalEntry): Reasons {
  const stages = objectsOf(entry.trace).map(({ stage, found }) => `${word(stage).padEnd(8)}  ${word(found)}`);
  if (entry.kind !== "decision") return { matching: [], others: [], stages };
  const rules = objectsOf(entry.rules);
  const lines = (isHeld: boolean): string[] =>
    rules
      .filter(({ held }) => (held === true) === isHeld)
      .map(({ name, why }) => `rule "${word(name)}" ${isHeld ? "matches" : "does not match"}: ${word(why)}`);
  const silent = objectsOf(entry.silent).map(
    ({ channel, rule, why }) => `silent  ${word(channel ?? `rule "${word(rule)}"`)}  ${word(why)}`,
  );
  return { matching: lines(true), others: [...lines(false), ...silent], stages };
}

/** Read no more of a long message than is shown. */
function plainWords(said: unknown, { event = "", agent = "" }: About, { plainOf }: EntryIo): unknown {
  if (typeof said !== "string" || !isMarkdown({ name: event, agent, message: said })) return said;
  return plainOf(said.slice(0, maxSentenceLength * 2));
}

function describeNext({ next, notBefore, reason, delivery }: JournalEntry, io: EntryIo): string {
  if (next === "retry") return `; not before ${timeIn(io, notBefore)}`;
  if (next !== "dead") return "";
  const why = reason === "unknown" ? "; not sent again, because it might arrive twice" : "";
  return `${why}; given up${delivery === undefined ? "" : `: ${word(delivery)}`}`;
}

/** What a policy decided about a message: `cancelled: answered after 41s`. */
function describeVerdict({ verdict, by, why, until }: Record<string, unknown>, io: EntryIo): string {
  const reason = why === undefined ? "" : `: ${word(why)}`;
  if (verdict === "hold") return `held${reason}${describeCheck(by, until, io)}`;
  if (verdict === "clicked") return `clicked${reason}`;
  if (verdict === "send") return `is sent now; it was held${reason}`;
  return `${by === "answered" ? "cancelled" : "not sent"}${reason}`;
}

/** A mute's reason says how long it lasts. */
function describeCheck(by: unknown, until: unknown, io: EntryIo): string {
  return by === "mute" ? "" : `; checked again at ${timeIn(io, until)}`;
}

function timeIn({ showTime = localTime }: EntryIo, at: unknown): string {
  return showTime(at);
}

function describeDecision(entry: JournalEntry, io: EntryIo): string {
  const chosen = objectsOf(entry.deliveries).map(({ channel, rule, by, held, silent, until }) => {
    const wait = held === undefined ? "" : `, held: ${word(held)}${describeCheck(by, until, io)}`;
    const quiet = silent === undefined ? "" : `, silent: ${word(silent)}`;
    return `${word(channel)} (rule "${word(rule)}"${wait}${quiet})`;
  });
  const dropped = objectsOf(entry.silent).flatMap(({ channel, by, why }) =>
    by === undefined ? [] : [`${word(channel)} ${describeVerdict({ verdict: "drop", by, why }, io)}`],
  );
  const why = entry.why === undefined ? "" : `: ${word(entry.why)}`;
  const told = chosen.length === 0 ? `no channel${why}` : `to ${chosen.join(", ")}${why}`;
  return [told, ...dropped].join("; ");
}

function nameOf(agent: unknown): unknown {
  return typeof agent === "string" ? agentName(agent) : agent;
}

/** Journal text is untrusted and must not control the terminal. */
function word(value: unknown): string {
  return printableLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function sentence(words: readonly unknown[]): string {
  const text = words
    .filter((each) => each !== undefined && each !== "")
    .map(word)
    .join(" · ");
  return cut(text, maxSentenceLength);
}
