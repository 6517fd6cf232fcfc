// What a session's record adds to its next event, and what the record keeps of that event.
import type { AgentEvent } from "../../model/event.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";

/** A helper that never reports its end no longer counts after this. */
const maxHelperMs = 60 * 60 * 1000;
/** A Notification follows the event that names the tool within seconds. */
const maxRequestAgeMs = 20_000;
const maxRequests = 5;

const turnEnds: ReadonlySet<string> = new Set(["Stop", "StopFailure", "SessionEnd"]);
const isQuestion = /^(?:(?:worker_)?permission_prompt|elicitation_(?:url_)?dialog)$/;

/** The event with what the payload does not say: how long the turn took, what is asked, and who still works. */
export function withSession(event: AgentEvent, session: SessionRecord): AgentEvent {
  const at = Date.parse(event.at);
  const seen = { ...event };
  if ((event.name === "Stop" || event.name === "StopFailure") && session.turnStartedAt !== undefined) {
    seen.durationMs ??= Math.max(0, at - session.turnStartedAt);
  }
  if (event.name === "Stop" && session.helpers !== undefined) {
    seen.runningHelpers ??= session.helpers.filter((helper) => at - helper.since < maxHelperMs).length;
  }
  if (event.name === "Notification" && isQuestion.test(event.notificationType ?? "")) {
    seen.request ??= requestOf(session, at, event.message);
  }
  return seen;
}

/** Several tools may wait for one answer: `needs permission to execute 2 tool(s)`. */
function requestOf({ requests = [] }: SessionRecord, at: number, message = ""): string | undefined {
  const fresh = requests.filter((request) => at - request.at <= maxRequestAgeMs);
  const count = Number(/(\d+) tool\(s\)/.exec(message)?.[1] ?? 1);
  const asked = fresh.slice(-Math.max(1, count)).map(({ text }) => text);
  return asked.length === 0 ? undefined : asked.join(" ");
}

/** Why an event of a session that is itself a helper sends no notification. Its questions do. */
export function whyHelperIsSilent(event: AgentEvent, session: SessionRecord): string | undefined {
  if (event.helperOf === undefined && session.helperOf === undefined) return undefined;
  if (event.name === "Stop" || event.name === "StopFailure") return "the end of a helper: its SubagentStop reports it";
  return /^(?:UserPromptSubmit|Session(?:Start|End))$/.test(event.name) ? "a helper's session" : undefined;
}

/** The record after the event. */
export function sessionAfter(session: SessionRecord, event: AgentEvent): SessionRecord {
  const at = Date.parse(event.at);
  const helperOf = event.helperOf ?? session.helperOf;
  const seen = { ...session, lastSeenAt: at, ...(helperOf === undefined ? {} : { helperOf }) };
  if (event.name === "UserPromptSubmit") {
    // Qwen Code reports its prompt again when a question is answered.
    const goesOn = session.turnStartedAt !== undefined && event.turn !== undefined && event.turn === session.turn;
    return goesOn ? seen : { ...withoutTurn(seen), turnStartedAt: at, turn: event.turn };
  }
  if (turnEnds.has(event.name)) return withoutTurn(seen);
  if (event.request === undefined || event.name === "Notification") return seen;
  const request = { text: event.request, at };
  return { ...seen, requests: [...(session.requests ?? []), request].slice(-maxRequests) };
}

function withoutTurn({
  turnStartedAt: _startedAt,
  turn: _turn,
  requests: _requests,
  ...session
}: SessionRecord): SessionRecord {
  return session;
}

/** The record of the session that started a helper, after the helper's event; undefined where nothing changes. */
export function parentAfter(
  parent: SessionRecord,
  helper: SessionRecord,
  event: AgentEvent,
): SessionRecord | undefined {
  const { helpers = [] } = parent;
  const others = helpers.filter(({ session }) => session !== helper.session);
  if (event.name === "SessionStart" && event.helperOf !== undefined) {
    return { ...parent, helpers: [...others, { session: helper.session, since: Date.parse(event.at) }] };
  }
  return turnEnds.has(event.name) && others.length < helpers.length ? { ...parent, helpers: others } : undefined;
}
