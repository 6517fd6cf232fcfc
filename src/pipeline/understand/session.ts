// What a session's record adds to its next event.
import { type AgentEvent, remindsOf, repeatsQuestion } from "../../model/event.ts";
import { turnOf, turnStartOf, type Session } from "../../sessions/state.ts";
import { sha256 } from "../../system/crypto.ts";
import { objectOf } from "../../model/json.ts";

/** A subagent may never report its end. */
const maxSubagentMs = 60 * 60 * 1000;
/** A Notification follows the event that names the tool within seconds. */
const maxRequestAgeMs = 20_000;

/** Adds how long the turn took, what is asked, and who still works. `startedAt` replaces the turn's start. */
export function withSession(event: AgentEvent, session: Session, startedAt = turnStartOf(session)): AgentEvent {
  const at = Date.parse(event.at);
  const seen = { ...event };
  if ((event.name === "Stop" || event.name === "StopFailure") && startedAt !== undefined) {
    seen.durationMs ??= Math.max(0, at - startedAt);
  }
  if (event.name === "Stop") seen.runningHelpers ??= runningSubagents(session, at);
  if (repeatsQuestion(event) && !saysWhatItAsks(event) && event.request === undefined) {
    Object.assign(seen, requestOf(session, at, event.message));
  }
  return seen;
}

/** A form asks in its own words, whatever tool was asked for before it. Droid says only how many questions its tool asks. */
function saysWhatItAsks(event: AgentEvent): boolean {
  return !remindsOf(event).includes("PermissionRequest") && !/\d question\(s\)/.test(event.message ?? "");
}

/** Subagents that are sessions of their own, or those whose start and end the agent has reported. */
function runningSubagents({ helpers, state }: Session, at: number): number | undefined {
  if (helpers !== undefined) return helpers.filter(({ since }) => at - since < maxSubagentMs).length;
  const counted = state.kind === "waitsForHelpers" ? state.helpers : (turnOf({ state })?.helpers ?? 0);
  return counted === 0 ? undefined : counted;
}

/** Several tools may wait for one answer: `needs permission to execute 2 tool(s)`. */
function requestOf(session: Session, at: number, message = ""): Pick<AgentEvent, "request" | "headline"> {
  const { requests = [] } = turnOf(session) ?? {};
  const fresh = requests.filter((request) => at - request.at <= maxRequestAgeMs);
  const count = Number(/(?<!\d)(\d+) tool\(s\)/.exec(message)?.[1] ?? 1);
  const asked = fresh.slice(-Math.max(1, count));
  if (asked.length === 0) return {};
  const headline = asked.length === 1 ? asked[0]?.headline : undefined;
  return { request: asked.map(({ text }) => text).join("\n"), ...(headline === undefined ? {} : { headline }) };
}

/** The session is itself a subagent. Its questions do notify. */
export function whySubagentIsSuppressed(event: AgentEvent, session: Session): string | undefined {
  if (event.helperOf === undefined && session.helperOf === undefined) return undefined;
  if (event.name === "Stop" || event.name === "StopFailure")
    return "the end of a subagent: its SubagentStop reports it";
  return /^(?:UserPromptSubmit|Session(?:Start|End))$/.test(event.name) ? "a subagent's session" : undefined;
}

/** Tells one call's input from another's. Hooks and transcripts may write its keys in another order. */
export function digestOfInput(input: unknown): string {
  return sha256(JSON.stringify(Object.entries(objectOf(input)).sort(([a], [b]) => (a < b ? -1 : 1))));
}
