// What a journal says was told, and when: read the same way from the journal of what happened and from that of a replay.
import { type AgentEvent, isQuestion } from "../../model/event.ts";
import { asObject, listOf, objectOf, textOf } from "../../model/json.ts";
import { isByHand, isOwnNotice, isVerification } from "../../model/own-events.ts";
import { type JournalEntry, listJournal, readJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { othersTurn } from "../../system/clock.ts";
import type { Span } from "../../sessions/digest.ts";
import { isStuckId } from "../../policies/stuck.ts";
import { shownInList } from "../../pipeline/delivery/render.ts";

/** One notification; `at` is when it was first sent, in milliseconds since the epoch. */
export interface PastNotification {
  id: string;
  at: number;
  event: string;
  channel: string;
  /** Untrusted words, such as the project and what the agent said. */
  about: Record<string, string>;
  /** False if no attempt has delivered it. */
  hasArrived: boolean;
}

/** `toldAt` is when the first channel got it; undefined: none did, because it was answered or withheld before. */
export interface PastQuestion {
  event: string;
  at: number;
  toldAt: number | undefined;
  /** The same words as those of `PastNotification`. */
  about: Record<string, string>;
}

export interface History {
  told: Map<string, PastNotification>;
  questions: Map<string, PastQuestion>;
}

/** Each file of the journal by itself, so that memory stays bounded. `from` is in milliseconds since the epoch. */
export async function* entriesFrom(layout: Layout, from: number): AsyncGenerator<JournalEntry> {
  // Journal files are named by UTC day.
  const first = new Date(from).toISOString().slice(0, 10);
  for (const file of listJournal(layout).filter((name) => name.slice(0, 10) >= first)) {
    for (const entry of readJournal(layout, file)) if (Date.parse(entry.at) >= from) yield entry;
    await othersTurn();
  }
}

export interface HistoryReader {
  note(entry: JournalEntry): void;
  history: History;
}

export function createHistory({ from, to }: Span): HistoryReader {
  const history: History = { told: new Map(), questions: new Map() };
  /**
   * What was decided to be sent. A list that gets shorter is no notification, and what a receiver that was not there
   * passed on is not what rules decide.
   */
  const decided = new Set<unknown>();
  /** Events of `hookbell send`, which no rules decide. */
  const sentByHand = new Set<unknown>();
  /** The questions that each message tells of. */
  const asked = new Map<unknown, PastQuestion[]>();

  const noteDecision = ({ event, deliveries, summarises, rules, why }: JournalEntry): void => {
    const ids = sentByHand.has(event) ? [] : listOf(deliveries).map((each) => objectOf(each).id);
    const isInstead = rules === undefined && summarises === undefined && why !== undefined;
    if (!isInstead) for (const id of ids) decided.add(id);
    const own = typeof event === "string" ? history.questions.get(event) : undefined;
    const questions = [...listOf(summarises).flatMap((id) => asked.get(id) ?? []), ...(own === undefined ? [] : [own])];
    if (questions.length > 0) for (const id of ids) asked.set(id, questions);
  };
  const noteAttempt = (entry: JournalEntry): void => {
    const { delivery, event, channel, isAsked, detail, about } = entry;
    const at = Date.parse(entry.at);
    const isTold = isAsked !== false || detail === shownInList;
    if (typeof delivery !== "string" || typeof event !== "string" || typeof channel !== "string" || !isTold) return;
    for (const question of asked.get(delivery) ?? []) question.toldAt ??= at;
    const isMeant = at >= from && at < to && isAsked !== false && !isOwnNotice({ id: event });
    // No decision names the message that has waited since the turn began.
    const isDecided = decided.has(delivery) || isStuckId(event);
    if (!isMeant || !isDecided) return;
    const first = history.told.get(delivery) ?? { id: delivery, at, event, channel, about: wordsOf(about) };
    history.told.set(delivery, {
      hasArrived: false,
      ...first,
      ...(entry.outcome === "delivered" && { hasArrived: true }),
    });
  };

  return {
    history,
    note(entry) {
      if (entry.kind === "decision") noteDecision(entry);
      if (entry.kind === "attempt") noteAttempt(entry);
      if (entry.kind !== "event" || entry.ignored !== undefined || entry.duplicateOf !== undefined) return;
      const event = entry.event as AgentEvent;
      if (isByHand(event)) sentByHand.add(event.id);
      const at = Date.parse(event.at);
      if (!(at >= from && at < to) || !isQuestion(event) || isVerification(event.session)) return;
      const { id, agent, project, name, request, message } = event;
      const about = wordsOf({ agent, project, event: name, words: request ?? message });
      history.questions.set(id, { event: id, at, toldAt: undefined, about });
    },
  };
}

function wordsOf(about: unknown): Record<string, string> {
  const words = Object.entries(asObject(about) ?? {}).flatMap(([key, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[key, text]];
  });
  return Object.fromEntries(words) as Record<string, string>;
}
