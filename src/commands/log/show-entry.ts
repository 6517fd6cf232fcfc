import { isOwnNotice, ownNotice } from "../../model/own-events.ts";
import { cut, printableLine } from "../../model/text.ts";
import type { JournalEntry } from "../../outbox/journal.ts";
import { paint } from "../console/text.ts";
import type { About } from "./about.ts";

/** In characters; what an agent says may fill pages. */
const maxSentenceLength = 300;

/** A journal entry and what it is about. */
export interface ToldEntry {
  entry: JournalEntry;
  about: About;
}

/**
 * The newest lines, the oldest of them first, each with its time; a run of the same line is one, the last of them. Read
 * from the end, since to word thousands of entries that nobody sees takes seconds.
 */
export function showNewest(entries: readonly ToldEntry[], most: number, io: { isColor: boolean }): string[] {
  const runs: { newest: ToldEntry; since: unknown; text: string; sameAs: string; times: number; isOne: boolean }[] = [];
  for (const { entry, about } of entries.toReversed()) {
    const text = describe(entry, about, io);
    if (text === undefined) continue;
    const sameAs = describeLikened(entry, about, io) ?? text;
    const run = runs.at(-1);
    if (run?.sameAs === sameAs) {
      run.since = entry.at;
      run.times += 1;
      run.isOne &&= run.newest.entry.delivery === entry.delivery;
    } else if (runs.length < most) {
      runs.push({ newest: { entry, about }, since: entry.at, text, sameAs, times: 1, isOne: true });
    } else break;
  }
  return runs.toReversed().map(({ newest, since, text, times, isOne }) => {
    const often = times === 1 ? "" : `; ${times} times since ${localTime(since)}`;
    const { entry, about } = newest;
    const shown = (isOne ? undefined : describe(...ofMany(entry, about), io)) ?? text;
    return `${paint(io, "dim", localTime(entry.at))}  ${shown}${paint(io, "dim", often)}\n`;
  });
}

/** An attempt without what tells one delivery from another. */
function ofMany(entry: JournalEntry, about: About): [JournalEntry, About] {
  return entry.kind === "attempt"
    ? [
        { ...entry, delivery: undefined },
        { ...about, words: "" },
      ]
    : [entry, about];
}

/** An attempt's line without the milliseconds, and without the number of a try that others follow, whichever delivery it was of. */
function describeLikened(entry: JournalEntry, about: About, io: { isColor: boolean }): string | undefined {
  if (entry.kind !== "attempt") return undefined;
  const isLeftForLater = entry.next === "retry";
  const likened = { ...entry, ms: undefined, ...(isLeftForLater ? { attempt: undefined, notBefore: undefined } : {}) };
  return describe(...ofMany(likened, about), io);
}

/** `2026-01-31 18:00:00` where the person is. */
export function localTime(at: unknown): string {
  const date = new Date(typeof at === "string" || typeof at === "number" ? at : NaN);
  return Number.isNaN(date.getTime()) ? word(at) : date.toLocaleString("sv-SE");
}

function describe(entry: JournalEntry, about: About, io: { isColor: boolean }): string | undefined {
  const isNotice = typeof entry.event === "string" && isOwnNotice({ id: entry.event });
  const place = isNotice ? ownNotice : sentence([about.project, about.event]);
  switch (entry.kind) {
    case "event": {
      const event = (entry.event ?? {}) as Record<string, unknown>;
      const words = [event.agent, event.project, event.name, event.reason ?? event.notificationType, event.message];
      return `${paint(io, "bold", "event")}     ${sentence(words)}`;
    }
    case "decision":
      return `decision  ${place === "" ? "" : `${place}: `}${describeDecision(entry)}`;
    case "attempt": {
      const how =
        entry.outcome === "delivered"
          ? paint(io, "green", "delivered")
          : paint(
              io,
              "red",
              `failed (${entry.reason === "unknown" ? "nobody knows whether it arrived" : word(entry.reason)})`,
            );
      const words = about.words === undefined || about.words === "" || isNotice ? "" : `"${word(about.words)}"`;
      const detail = [place, words, entry.detail === undefined ? "" : word(entry.detail)].filter((each) => each !== "");
      const what = detail.length === 0 ? "" : `: ${detail.join(" · ")}`;
      const tries = entry.isAsked === false ? "not tried" : `try ${word(entry.attempt)}, ${word(entry.ms)} ms`;
      return `attempt   ${word(entry.channel)} ${how}${what} (${tries})${describeNext(entry)}`;
    }
    case "rejected":
      return `rejected  ${word(entry.file)}: ${list(entry.reasons).join("; ")}`;
    case "notice":
      return `notice    ${sentence([entry.title, entry.body])}`;
    case "removed":
      return `removed   ${sentence([entry.what, entry.why])}`;
    case "retried":
      return `retried   ${sentence([entry.what, entry.why])}`;
    case "dispatcher":
      return entry.what === "bug" ? `dispatcher bug: ${word(entry.detail)}` : undefined;
  }
}

function describeNext({ next, notBefore, reason, delivery }: JournalEntry): string {
  if (next === "retry") return `; not before ${localTime(notBefore)}`;
  if (next !== "dead") return "";
  // Elsewhere a vendor's id makes two of them one.
  const why = reason === "unknown" ? "; not repeated, since a second one might come twice" : "";
  return `${why}; given up${delivery === undefined ? "" : `: ${word(delivery)}`}`;
}

function describeDecision(entry: JournalEntry): string {
  const chosen = list(entry.deliveries).map((each) => {
    const { channel, rule } = each as { channel?: unknown; rule?: unknown };
    return `${word(channel)} (rule "${word(rule)}")`;
  });
  const why = entry.why === undefined ? "" : `: ${word(entry.why)}`;
  return chosen.length === 0 ? `nobody is told${why}` : `to ${chosen.join(", ")}${why}`;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Journal text comes from agents and receivers: nothing in it may steer the terminal. */
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
