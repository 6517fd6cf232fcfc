// A session as programs read it: `sessions --json`, `board --json` and the page. docs/background/SESSIONS.md describes it.
import { endsAt } from "../answers/questions.ts";
import type { Mute } from "../policies/mute.ts";
import { publicName } from "../sessions/public-words.ts";
import { turnStartOf } from "../sessions/state.ts";
import type { BoardQuestion, BoardRow } from "./board.ts";
import type { EventNotifications } from "./notifications.ts";

/** Raised by a change of what is there; new fields and states do not raise it. */
export const rowJsonVersion = 2;

export function rowAsJson(row: BoardRow): Record<string, unknown> {
  const { record, group, place, subagents, words, toolSince, questions, telling, mute } = row;
  const { agent, session, project, branch, worktree, folder, name, lastPrompt, state, lastSeenAt, helperOf, host } =
    record;
  return {
    agent,
    session,
    host,
    state: publicName(state.kind),
    since: timeOf(state.since),
    reason: state.reason,
    source: state.source,
    lastSeen: timeOf(lastSeenAt),
    group,
    place,
    project,
    folder,
    branch,
    worktree,
    name,
    subagentOf: helperOf,
    turnStarted: timeOf(turnStartOf(record)),
    subagents: subagents > 0 ? subagents : undefined,
    words,
    toolStarted: timeOf(toolSince),
    lastPrompt,
    isSeen: state.kind === "done" ? state.isSeen : undefined,
    until: state.kind === "waitsForLimit" ? timeOf(state.until) : undefined,
    questions: questions.length === 0 ? undefined : questions.map(questionAsJson),
    ...tellingAsJson(telling),
    muted: mute === undefined ? undefined : muteAsJson(mute),
  };
}

function questionAsJson({ at, words, telling, open, whyClosed, ended }: BoardQuestion): Record<string, unknown> {
  return {
    askedAt: timeOf(at),
    words,
    ...tellingAsJson(telling),
    ended,
    whyClosed,
    ...(open && {
      id: open.shortId,
      kind: open.question.kind,
      choices: open.choices,
      title: open.card.title,
      body: open.card.body,
      fields: open.card.fields,
      note: open.note,
      expiresAt: timeOf(endsAt(open.question)),
    }),
  };
}

function tellingAsJson(telling: EventNotifications | undefined): Record<string, unknown> {
  const { channels = [], why } = telling ?? {};
  const notified = channels.map(({ at, until, ...each }) => ({ ...each, at: timeOf(at), until: timeOf(until) }));
  return { notified: notified.length === 0 ? undefined : notified, whyNotNotified: why };
}

function muteAsJson({ scope, name, until, by }: Mute): Record<string, unknown> {
  return { scope, name: name === "" ? undefined : name, until: timeOf(until), by };
}

function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
