// What a session is doing, as a tagged union, and what is remembered of it between its events. Times are milliseconds since the epoch.
import type * as z from "zod";
import { wasQuestion } from "../model/event.ts";
import type { openEventSchema, sessionFields, turnSchema } from "./session-schema.ts";

/** A turn that has not ended. */
export type Turn = z.infer<typeof turnSchema>;
/** The person has not reacted to it yet. */
export type OpenEvent = z.infer<typeof openEventSchema>;
export type Session = z.infer<z.ZodObject<typeof sessionFields>>;
export type State = Session["state"];
export type StateKind = State["kind"];
export type Source = State["source"];

/** Undefined between turns. */
export function turnOf({ state }: Pick<Session, "state">): Turn | undefined {
  return state.kind === "working" || state.kind === "needsYou" ? state.turn : undefined;
}

/** Undefined between turns, and where no prompt was reported. */
export function turnStartOf(session: Pick<Session, "state">): number | undefined {
  const { state } = session;
  return state.kind === "waitsForHelpers" ? state.startedAt : turnOf(session)?.startedAt;
}

/** What the session waits for the person with; oldest first. */
export function questionsOf({ open = [] }: Pick<Session, "open">): OpenEvent[] {
  return open.filter((each) => isUnanswered(each) && each.isReviewed !== true);
}

/** Those for which the session waits, and of whose end a transcript tells. */
export function watchedSubagents({
  state,
  helpers = [],
}: Pick<Session, "state" | "helpers">): { session: string; since: number; transcript: string }[] {
  if (state.kind !== "waitsForHelpers") return [];
  return helpers.flatMap(({ transcript, ...each }) => (transcript === undefined ? [] : [{ ...each, transcript }]));
}

/** The person has not answered it on a channel; the agent's own reviewer may still decide about it. */
export function isUnanswered(each: OpenEvent): boolean {
  return asksStill(each) && each.isAnswered !== true;
}

/** A reviewer that has not decided after so long leaves it to the person: Codex ends its reviews after 90 seconds. */
export const maxReviewMs = 95_000;

/** Answered on a channel or not, its messages may still be on show. */
export function asksStill(each: OpenEvent): boolean {
  return wasQuestion(each) && each.isReminder !== true;
}
