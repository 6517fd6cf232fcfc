import { cut, printableLine } from "../model/text.ts";
import type { JournalEntry } from "../outbox/journal.ts";
import { paint } from "./colors.ts";

/** In characters; what an agent says may fill pages. */
const longestSentence = 300;

/** One journal entry on one line for a person; undefined for what a person need not see. */
export function showEntry(entry: JournalEntry, io: { isColor: boolean }): string | undefined {
  const text = describe(entry, io);
  if (text === undefined) return undefined;
  return `${paint(io, "dim", localTime(entry.at))}  ${text}`;
}

/** `2026-01-31 18:00:00` where the person is. */
function localTime(at: unknown): string {
  const date = new Date(typeof at === "string" ? at : NaN);
  return Number.isNaN(date.getTime()) ? word(at) : date.toLocaleString("sv-SE");
}

function describe(entry: JournalEntry, io: { isColor: boolean }): string | undefined {
  switch (entry.kind) {
    case "event": {
      const event = (entry.event ?? {}) as Record<string, unknown>;
      const words = [event.project, event.name, event.reason ?? event.notificationType, event.message];
      return `${paint(io, "bold", "event")}     ${sentence(words)}`;
    }
    case "decision":
      return `decision  ${describeDecision(entry)}`;
    case "attempt": {
      const how =
        entry.outcome === "delivered"
          ? paint(io, "green", "delivered")
          : paint(io, "red", `failed (${word(entry.reason)})`);
      const after =
        entry.next === "retry"
          ? `; again at ${localTime(entry.notBefore)}`
          : entry.next === "dead"
            ? `; given up: ${word(entry.delivery)}`
            : "";
      const detail = entry.detail === undefined ? "" : `: ${word(entry.detail)}`;
      return `attempt   ${word(entry.channel)} ${how}${detail} (try ${word(entry.attempt)}, ${word(entry.ms)} ms)${after}`;
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
