import { cut, printableLine } from "../model/text.ts";
import type { JournalEntry } from "../outbox/journal.ts";
import { paint } from "./colors.ts";
import type { About } from "./journal-about.ts";

/** In characters; what an agent says may fill pages. */
const longestSentence = 300;

/** A line of the log, with what makes it the same line as another. */
export interface ShownEntry {
  at: unknown;
  text: string;
  /** Equal for entries that differ in nothing but the time, the milliseconds and the number of the try. */
  sameAs: string;
}

/** One journal entry on one line for a person; undefined for what a person need not see. */
export function showEntry(entry: JournalEntry, about: About, io: { isColor: boolean }): ShownEntry | undefined {
  const text = describe(entry, about, io);
  if (text === undefined) return undefined;
  const { ms: _, ...rest } = entry;
  const isLeftForLater = entry.kind === "attempt" && entry.next === "retry";
  const likened = isLeftForLater ? { ...rest, attempt: undefined, notBefore: undefined } : rest;
  return { at: entry.at, text, sameAs: describe(likened as JournalEntry, about, io) ?? "" };
}

/** The lines with their times; a run of the same line is one, the last of them. */
export function showRuns(entries: readonly ShownEntry[], io: { isColor: boolean }): string[] {
  const runs: { since: unknown; last: ShownEntry; times: number }[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run?.last.sameAs === entry.sameAs) {
      run.last = entry;
      run.times += 1;
    } else runs.push({ since: entry.at, last: entry, times: 1 });
  }
  return runs.map(({ since, last: { at, text }, times }) => {
    const often = times === 1 ? "" : `; ${times} times since ${localTime(since)}`;
    return `${paint(io, "dim", localTime(at))}  ${text}${paint(io, "dim", often)}\n`;
  });
}

/** `2026-01-31 18:00:00` where the person is. */
export function localTime(at: unknown): string {
  const date = new Date(typeof at === "string" || typeof at === "number" ? at : NaN);
  return Number.isNaN(date.getTime()) ? word(at) : date.toLocaleString("sv-SE");
}

function describe(entry: JournalEntry, about: About, io: { isColor: boolean }): string | undefined {
  const place = sentence([about.project, about.event]);
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
      const after =
        entry.next === "retry"
          ? `; not before ${localTime(entry.notBefore)}`
          : entry.next === "dead"
            ? `; given up: ${word(entry.delivery)}`
            : "";
      const detail = [place, entry.detail === undefined ? "" : word(entry.detail)].filter((each) => each !== "");
      const what = detail.length === 0 ? "" : `: ${detail.join(" · ")}`;
      return `attempt   ${word(entry.channel)} ${how}${what} (try ${word(entry.attempt)}, ${word(entry.ms)} ms)${after}`;
    }
    case "rejected":
      return `rejected  ${word(entry.file)}: ${list(entry.reasons).join("; ")}`;
    case "notice":
      return `notice    ${sentence([entry.title, entry.body])}`;
    case "removed":
      return `removed   ${sentence([entry.what, entry.why])}`;
    case "dispatcher":
      return entry.what === "bug" ? `dispatcher bug: ${word(entry.detail)}` : undefined;
  }
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
  return cut(text, longestSentence);
}
