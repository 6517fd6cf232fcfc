// The session model: a session and what comes next, an event or an observation, make the session after it.
import { type AgentEvent, isQuestion, wasQuestion } from "../model/event.ts";
import { formatTime } from "../model/figures/wall-clock.ts";
import { preview } from "../model/privacy/scrub.ts";
import { endsInQuestion, shortenMiddle } from "../model/text.ts";
import { resetIn } from "./limit-reset.ts";
import { type CallFacts, closes, isLate, openedBy, roleOf, tellsOfEnd, withOpen, type EventRole } from "./signs.ts";
import { isTold, sessionTold, type ToldSession, withDetails } from "./reported.ts";
import {
  asksStill,
  maxReviewMs,
  questionsOf,
  turnOf,
  turnStartOf,
  type Session,
  type Source,
  type State,
  type Turn,
} from "./state.ts";

/** What hooks do not tell. */
export type Observation = { at: number; source: Source } & (
  | { kind: "answered" }
  | { kind: "interrupted" }
  /** The agent waits for the next prompt. */
  | { kind: "idle" }
  /** `what` is the error's name; without one, what it says. */
  | { kind: "failed"; what: string; message?: string | undefined }
  | { kind: "processGone" }
  /** This one of its subagents has ended. */
  | { kind: "subagentOver"; subagent: string }
  /** The agent's own reviewer has not decided in its time. */
  | { kind: "reviewOver" }
  /** The person did it on a channel: "clicked". */
  | { kind: "acted"; how: string; isAnswer?: boolean | undefined }
  /** The machine that it runs on says how it is. */
  | { kind: "told"; session: ToldSession }
);

export function sessionAfter<S extends Session>(session: S, event: AgentEvent, facts: CallFacts = {}): S {
  const at = Date.parse(event.at);
  const role = roleOf(event);
  if (isTold(session, event, at)) return withDetails(session, event, at, facts);
  const isEnd = role === "stop" || role === "failure" || role === "sessionEnd";
  const after: S = {
    ...session,
    project: event.project,
    ...withOpen(session, at, (each) => closes(event, facts, each), openedBy(event, at, facts, session.open)),
  };
  // One that has only told of others, such as Claude Code's agent view, is no session that anyone would list.
  if (event.means === "elsewhere") after.lastSeenAt = session.lastSeenAt;
  if (role === "prompt" && !goesOn(session, event)) after.stops = 0;
  if (isEnd) after.stops = (session.stops ?? 0) + 1;
  // Only a subagent's SessionStart names its parent.
  if (event.helperOf !== undefined && (event.helperOf !== "unknown" || session.helperOf === undefined)) {
    after.helperOf = event.helperOf;
  }
  const helpers = helpersAfter(session, role, facts, at);
  if (helpers !== undefined) after.helpers = helpers;
  after.state = asking(after, at, stateAfter(session, event, role, at, helpers?.length));
  return after;
}

/** Undefined where none of them is known by itself, and they are only counted. */
function helpersAfter(
  { helpers }: Session,
  role: EventRole | undefined,
  { helper, subagentTranscript: transcript }: CallFacts,
  at: number,
): Session["helpers"] {
  if (helper === undefined || (role !== "subagentBegins" && role !== "subagentEnds")) return undefined;
  if (role === "subagentEnds") return helpers?.filter(({ session }) => session !== helper);
  if (transcript === undefined) return undefined;
  const others = (helpers ?? []).filter(({ session }) => session !== helper);
  return [...others, { session: helper, since: at, transcript }];
}

/** The state after an event that says nothing of it: a session has one from its first sign on. */
export function stateSeen(state: State, at: number): State {
  if (state.kind !== "unknown" || state.since !== 0) return state;
  return { kind: "unknown", since: at, reason: "Its events do not say what it does.", source: "hook" };
}

export function sessionObserved<S extends Session>(session: S, seen: Observation): S {
  const { at, kind } = seen;
  if (kind === "acted") return sessionActed(session, seen);
  if (kind === "told") return sessionTold(session, seen, asking);
  if (kind === "reviewOver") {
    const open = session.open?.map((each) => (each.at + maxReviewMs <= at ? { ...each, isReviewed: undefined } : each));
    return { ...session, open, state: asking({ ...session, open }, at, session.state) };
  }
  if (kind === "subagentOver") return subagentOver(session, seen);
  const after: S = {
    ...session,
    ...withOpen(session, at, (each) => wasQuestion(each) && each.at <= at),
  };
  // What has gone gives no sign.
  if (kind === "processGone") after.lastSeenAt = session.lastSeenAt;
  after.state = asking(after, at, stateObserved(session, seen));
  return after;
}

/** An agent of which only transcripts tell of this does not go on by itself after the last one. */
function subagentOver<S extends Session>(
  session: S,
  { at, source, subagent }: Observation & { kind: "subagentOver" },
): S {
  const helpers = (session.helpers ?? []).filter((each) => each.session !== subagent);
  const { state } = session;
  if (state.kind !== "waitsForHelpers") return { ...session, helpers };
  const since = sinceOf(session, at);
  const left: State =
    helpers.length > 0
      ? { ...state, helpers: helpers.length }
      : { kind: "done", since, reason: "Its last subagent has ended.", source, isSeen: false };
  return { ...session, helpers, state: left };
}

/** The question is answered once the agent has gone on: until then its other messages stay. */
function sessionActed<S extends Session>(
  session: S,
  { at, how, isAnswer, source }: Observation & { kind: "acted" },
): S {
  const acted = { at, how, ...(isAnswer === undefined ? {} : { isAnswer }) };
  const open = isAnswer
    ? session.open?.map((each) => (asksStill(each) && each.at <= at ? { ...each, isAnswered: true } : each))
    : session.open;
  const after: S = { ...session, acted, ...(open === undefined ? {} : { open }) };
  const { state } = session;
  if (state.kind === "done") after.state = { ...state, isSeen: true };
  if (state.kind !== "needsYou") return after;
  const isOver = questionsOf(after).length === 0;
  // Hooks may come out of order: the question that is left need not be the one before the last.
  after.state = isOver
    ? working(session, { at, source, reason: "You answered its question." })
    : asking(after, at, state);
  return after;
}

// Decides which state follows.

/** While a question is open, the session asks, whatever else happens. */
function asking(session: Session, at: number, state: State): State {
  const question = questionsOf(session).at(-1);
  if (question === undefined) return state.kind === "needsYou" ? answered(session, state, at) : state;
  if (state.kind === "needsYou" && state.question === question.id) return state;
  const turn = state.kind === "working" || state.kind === "needsYou" ? { turn: state.turn } : {};
  const since = state.kind === "needsYou" ? state.since : sinceOf(session, at);
  return { kind: "needsYou", since, reason: "It asks you something.", source: "hook", question: question.id, ...turn };
}

function answered(
  session: Session,
  { source, turn = { helpers: 0 } }: State & { kind: "needsYou" },
  at: number,
): State {
  return { kind: "working", since: sinceOf(session, at), reason: "Its question was answered.", source, turn };
}

/** No state begins before the one that it follows. */
function sinceOf({ state }: Pick<Session, "state">, at: number): number {
  return Math.max(at, state.since);
}

function stateAfter(
  session: Session,
  event: AgentEvent,
  role: EventRole | undefined,
  at: number,
  running: number | undefined,
): State {
  const { state } = session;
  const of = (reason: string): { since: number; reason: string; source: Source } => ({
    since: sinceOf(session, at),
    reason,
    source: "hook",
  });
  const works = (reason: string, turn?: Turn): State => working(session, { at, source: "hook", reason }, turn);
  const isOldNews = isLate(at, state.since) && !isOpenTurn(state);
  switch (role) {
    case "prompt":
      return goesOn(session, event)
        ? works("It goes on with its turn.")
        : {
            kind: "working",
            ...of("You gave it a prompt."),
            turn: { startedAt: at, id: event.turn, helpers: subagentsOf(state) },
          };
    case "resumed":
      return isOldNews ? state : works("It went on by itself.");
    case "answer":
      // The answer's hook may come after that of the turn's end.
      return isOpenTurn(state) || state.kind === "unknown" ? works("Its question was answered.") : state;
    case "toolBegins": {
      if (isOldNews) return state;
      return works("A tool call began.", {
        ...asked(turnIn(state), event, at),
        tool: { since: at, words: callOf(event) },
      });
    }
    case "toolEnds": {
      if (isOldNews) return state;
      const turn = turnIn(state);
      const lastTool = callOf(event) ?? turn.tool?.words ?? turn.lastTool;
      return works("A tool call ended.", { ...turn, tool: undefined, lastTool });
    }
    case "subagentBegins":
      return withSubagents(session, at, (count) => running ?? count + 1);
    case "subagentEnds": {
      const after = withSubagents(session, at, (count) => event.runningHelpers ?? running ?? Math.max(0, count - 1));
      const goesOnNow = after.kind === "waitsForHelpers" && after.helpers === 0 && event.means === "resumed";
      return goesOnNow ? works("Its last subagent has ended, and it goes on.", { helpers: 0 }) : after;
    }
    case "stop": {
      const helpers = event.runningHelpers ?? 0;
      if (helpers > 0) {
        const startedAt = turnStartOf(session);
        return { kind: "waitsForHelpers", ...of("Its turn ended while subagents run on."), helpers, startedAt };
      }
      const isAsking = endsInQuestion(event.message ?? "");
      const usual = event.wakes === true ? "Its turn ended, and it goes on by itself later." : "Its turn ended.";
      const how = isAsking ? "Its turn ended with a question." : usual;
      return { kind: "done", ...of(how), isSeen: false };
    }
    case "failure":
      return failed(event.reason, of(""), event.message);
    case "sessionEnd":
      return { kind: "gone", ...of("Its session ended.") };
    case "sessionStart":
      return isLate(at, state.since) ? state : { kind: "idle", ...of("Its session began.") };
    case "interrupt":
      // Droid says so of a turn whose terminal was closed.
      return isOldNews || state.kind === "gone" ? state : { kind: "interrupted", ...of("You stopped its turn.") };
    case undefined:
      break;
  }
  // Droid begins a new session with the summary of another one.
  if (event.name === "SessionStart" && state.kind === "unknown") return { kind: "idle", ...of("Its session began.") };
  if (event.notificationType === "idle_prompt" && (state.kind === "working" || state.kind === "unknown")) {
    return { kind: "idle", ...of("It says that it waits for your prompt.") };
  }
  const asks = event.name !== "Notification" && isQuestion(event) && event.subagent === undefined;
  if (asks && !isOpenTurn(state)) return works("It works.", asked(turnIn(state), event, at));
  if (state.kind === "unknown") return stateSeen(state, at);
  return isOpenTurn(state) && state.turn !== undefined ? { ...state, turn: asked(state.turn, event, at) } : state;
}

const sameMomentMs = 2000;

function stateObserved(
  session: Session,
  { at, source, ...seen }: Exclude<Observation, { kind: "acted" | "reviewOver" | "told" | "subagentOver" }>,
): State {
  const { state } = session;
  const turn = turnOf(session);
  const facts = { since: sinceOf(session, at), source };
  switch (seen.kind) {
    case "answered":
      if (state.kind !== "needsYou") return state;
      return working(session, { at, source, reason: "Its question was answered." });
    case "interrupted": {
      // The agent notes that it is idle a moment after the line of the interruption.
      const isSame = state.kind === "idle" && state.source !== "hook" && Math.abs(at - state.since) <= sameMomentMs;
      // A state that began later says that it has gone on since.
      if (!isSame && (!isOpenTurn(state) || at < state.since)) return state;
      return { kind: "interrupted", ...facts, reason: "You stopped its turn." };
    }
    case "idle":
      return state.kind === "working" ? { kind: "idle", ...facts, reason: "It waits for your prompt." } : state;
    case "failed":
      if (!isOpenTurn(state) || at < state.since) return state;
      return failed(seen.what, facts, seen.message);
    case "processGone":
      if (state.kind === "gone") return state;
      return { kind: "gone", ...facts, reason: "Its process has ended.", ...(turn === undefined ? {} : { turn }) };
  }
}

/** `error` is the agent's name of it. Its `message` may say when a limit resets. */
function failed(error = "", facts: Pick<State, "since" | "source">, message = ""): State {
  // The provider's own trouble, which is over in a moment, has the name of a limit, too.
  if (!/rate_?limit|usage_?limit|quota/i.test(error) || /temporarily limiting requests/i.test(message)) {
    return { kind: "failed", ...facts, reason: "Its turn ended with an error." };
  }
  const until = resetIn(message, facts.since);
  const resets = until === undefined ? "" : `; it resets at ${formatTime(until, facts.since, undefined)}`;
  return {
    kind: "waitsForLimit",
    ...facts,
    reason: `Its turn ended at a limit of the model's provider${resets}.`,
    until,
  };
}

function isOpenTurn(state: State): state is State & { kind: "working" | "needsYou" } {
  return state.kind === "working" || state.kind === "needsYou";
}

/** A session that works goes on since it began to. */
function working(
  session: Session,
  { at, source, reason }: Pick<State, "source" | "reason"> & { at: number },
  turn = turnIn(session.state),
): State {
  const { state } = session;
  const since = state.kind === "working" ? state.since : sinceOf(session, at);
  return { kind: "working", since, reason, source, turn };
}

function turnIn(state: State): Turn {
  return (
    (isOpenTurn(state) ? state.turn : undefined) ?? { startedAt: turnStartOf({ state }), helpers: subagentsOf(state) }
  );
}

function subagentsOf(state: State): number {
  if (state.kind === "waitsForHelpers") return state.helpers;
  return isOpenTurn(state) ? (state.turn?.helpers ?? 0) : 0;
}

function withSubagents(session: Session, at: number, change: (count: number) => number): State {
  const { state } = session;
  const helpers = change(subagentsOf(state));
  if (state.kind === "waitsForHelpers") {
    const hasEnded = helpers === 0 && state.helpers > 0;
    const reason = hasEnded ? "Its last subagent has ended, and it goes on by itself." : state.reason;
    return { ...state, helpers, reason, since: hasEnded ? sinceOf(session, at) : state.since };
  }
  return isOpenTurn(state) && state.turn !== undefined ? { ...state, turn: { ...state.turn, helpers } } : state;
}

/** Qwen Code repeats the prompt after an answer. */
function goesOn(session: Session, { turn }: AgentEvent): boolean {
  const open = turnOf(session);
  return open !== undefined && turn !== undefined && turn === open.id;
}

/** "run `npm test`?" asks; while it runs, no one is asked. Arguments may follow on further lines. */
function callOf({ request }: AgentEvent): string | undefined {
  return request === undefined ? undefined : preview(request.replace(/\?(?=\n|$)/, ""), shortenMiddle);
}

const maxRequests = 5;

function asked(turn: Turn, { name, request, headline }: AgentEvent, at: number): Turn {
  if (request === undefined || name === "Notification") return turn;
  return { ...turn, requests: [...(turn.requests ?? []), { text: request, headline, at }].slice(-maxRequests) };
}

/** The session that started the event's. Undefined where nothing changes. */
export function parentAfter<S extends Session>(parent: S, event: AgentEvent): S | undefined {
  const at = Date.parse(event.at);
  const { helpers = [] } = parent;
  const others = helpers.filter(({ session }) => session !== event.session);
  const isBegun = event.name === "SessionStart" && event.helperOf !== undefined;
  if (!isBegun && (!tellsOfEnd.has(event.name) || others.length === helpers.length)) return undefined;
  const running = isBegun ? [...others, { session: event.session, since: at }] : others;
  return { ...parent, helpers: running, state: withSubagents(parent, at, () => running.length) };
}
