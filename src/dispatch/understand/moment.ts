// Reads once what is known when a payload comes: its event, its session before and after, its repository, and where the person is.
import { type Question, readQuestion } from "../../answers/questions.ts";
import { usageOfPayload } from "../../agents/dialect/usage.ts";
import { isNamedSession } from "../../agents/dialect/values.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import type { Presence } from "../../attention/presence.ts";
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import { type AgentEvent, isQuestion } from "../../model/event.ts";
import { type Level, levelOfEvent } from "../../model/level.ts";
import { maskEvent } from "../../model/privacy/scrub-event.ts";
import { lastPart } from "../../model/text.ts";
import { maskText, originalOf } from "../../model/privacy/originals.ts";
import { hiddenPath, listSessions, readSession, type SessionRecord } from "../../outbox/sessions.ts";
import { goodFile, type ProjectFile, type ProjectFileReading, readProjectFile } from "../../rules/project-file.ts";
import type { Rule } from "../../rules/rules.ts";
import { namesOf } from "../../sessions/names.ts";
import { type Observation, parentAfter, sessionAfter, sessionObserved } from "../../sessions/reduce.ts";
import type { CallFacts } from "../../sessions/signs.ts";
import { turnOf } from "../../sessions/state.ts";
import { findWorkTree } from "../../system/files/git.ts";
import { sha256 } from "../../system/crypto.ts";
import { expandHome } from "../../system/paths.ts";
import { findTerminal } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import {
  earlierAfter,
  folderBefore,
  hasMoved,
  hostAfter,
  maskPlace,
  placeAfter,
  placedThere,
  processNamed,
  withOriginals,
  withProject,
} from "./place.ts";
import { callFactsOf, withSafeIds } from "./safe-ids.ts";
import { withSession } from "./session.ts";
import { sessionLink } from "./status-files.ts";
import { isReviewed, withTrueEnd } from "./transcript.ts";
import { textOf } from "../../model/json.ts";
import { isEventAwaited } from "../../rules/apply/match.ts";

export type ValidReading = PayloadReading & { status: "valid" };

/** What planning needs of a payload; an event that no payload tells of has little. */
export type Told = Pick<
  ValidReading,
  "agentId" | "agentEvent" | "calledAs" | "drift" | "ignored" | "isShortened" | "payload"
>;

/** Where and when a payload came in; times are milliseconds since the epoch. */
export interface PayloadOrigin {
  eventId: string;
  receivedAt: number;
  position: string;
  callerPids: readonly number[];
  namedPid?: number | undefined;
  wiredBy?: string | undefined;
  /** The other machine that it comes from; `fromHost` has made the reading. */
  remoteHost?: string | undefined;
  /** Replaces the start of the turn in the session's record. */
  turnStartedAt?: number | undefined;
}

/**
 * What is known of an event beside its words. The journal keeps it, so that a replay decides by the same facts. Absent fields
 * are unknown or false. It holds ids, digests and times, none of the agent's words.
 */
export interface Known {
  /** The wiring that reported it, where it is not the usual one. */
  wiredBy?: string | undefined;
  /** A digest of the payload, where that tells one event from another. */
  payload?: string | undefined;
  /** The generic dialect, where an id may mean anything. */
  isOfManySessions?: true | undefined;
  /** A hook waits for the answer. */
  isAsked?: true | undefined;
  call?: Pick<CallFacts, "call" | "begunAt" | "helper" | "question"> | undefined;
  /** Where the person was. Absent where no rule asks, or where the machine does not say. */
  presence?: Presence | undefined;
  /** No hook told of the event. What an error said is in the event alone, which is scrubbed. */
  observed?: Pick<Observation, "at" | "source" | "kind"> | undefined;
}

export interface Moment {
  reading: Told;
  position: string;
  /** Without credentials: what is kept, shown and compared. */
  event: AgentEvent;
  /** What the agent said, which rules match, and which a channel gets that says so. */
  original: AgentEvent;
  /** The hook of this question waits for the answer. */
  question?: Question | undefined;
  /** The file is in the agent's repository. Undefined where no rule can match. */
  projectFile: ProjectFileReading | undefined;
  known: Known;
  before: SessionRecord;
  after: SessionRecord;
  /** If the event does not count, this record replaces `after`. */
  seen: SessionRecord;
  /** The session that started this one, if its record changes. */
  parent: SessionRecord | undefined;
}

/** Writes nothing. Files are read after the person was looked for, which takes time. */
export async function readMoment(dispatcher: Dispatcher, told: ValidReading, origin: PayloadOrigin): Promise<Moment> {
  const { layout, tools } = dispatcher;
  const given = withSafeIds(told);
  const host = origin.remoteHost ?? dispatcher.host;
  const { rules } = dispatcher.rules();
  const { agentId, facts } = given;
  const { receivedAt } = origin;
  const known = readSession(layout, agentId, facts.session);
  const reading = withTrueEnd(given, { from: turnOf(known)?.startedAt, to: receivedAt });
  const terminal = findAgentTerminal(dispatcher, reading, origin);
  const presence = await lookForPerson(dispatcher, reading, terminal ?? known.terminal);
  const before = readSession(layout, agentId, facts.session);
  const isOneSession = reading.agent.id !== "generic" && isNamedSession(facts.session);

  const bare = eventOf(reading, { id: origin.eventId, receivedAt, host, home: tools.home });
  const begunIn = isOneSession && bare.name !== "SessionStart" ? folderBefore(before, bare.cwd) : undefined;
  const here = bare.cwd === "" ? undefined : findWorkTree(bare.cwd, tools.home);
  const placed = placedThere(bare, before) ?? withProject(bare, here, begunIn, tools.home);
  const shown = maskPlace(placed);
  const isMoved = hasMoved(before, origin);
  const runsIn = {
    process: processNamed(tools.clock.now(), reading.agent, origin, before) ?? (isMoved ? undefined : before.process),
    terminal: terminal ?? (isMoved ? undefined : before.terminal),
  };
  const place = {
    ...runsIn,
    earlierProcesses: earlierAfter(before, runsIn),
    transcript: textOf(reading.payload.transcript_path) ?? before.transcript,
    ...(isOneSession ? placeAfter(before, shown, reading.usual, rules.promptInTitle !== false) : {}),
    ...hostAfter(origin),
  };
  const own = { ...before, ...place, project: shown.project, lastSeenAt: receivedAt };
  const isAwaited = isEventAwaited(rules.rules, agentId, placed.name);
  const names = isOneSession && isAwaited ? namesOf(own, listSessions(layout, tools.clock.now()), receivedAt) : {};
  const isFileRead = isAwaited && rules.projectFiles !== false;
  const projectFile = isFileRead ? readProjectFile(placed.cwd, here?.root) : undefined;
  const link = isAwaited ? sessionLink(agentId, facts.session, hiddenPath(place.transcript)) : undefined;
  const named = labelled({ ...placed, ...names, ...(link && { link }) }, goodFile(projectFile));
  const seen = withSession(named, before, origin.turnStartedAt);
  const original = isReviewed(reading) ? { ...seen, isReviewed: true } : seen;
  const { event } = maskEvent(original);

  const { position, wiredBy } = origin;
  const { transcript, ...call } = callFactsOf(reading, receivedAt);
  const after = { ...sessionAfter(before, event, { ...call, transcript, position }), ...place };
  const { lastSeenAt, helperOf } = after;
  const parent = helperOf === undefined ? undefined : readSession(layout, agentId, helperOf);
  // Without answers, no hook waits, and a read of each event's file is saved.
  const question = rules.answers === undefined ? undefined : readQuestion(layout, position);
  return {
    reading,
    position,
    event,
    original,
    question,
    projectFile,
    known: {
      wiredBy: wiredBy && maskText(wiredBy),
      payload: digestOfPayload(reading.payload),
      isOfManySessions: isOneSession ? undefined : true,
      isAsked: question === undefined ? undefined : true,
      call,
      presence,
    },
    before,
    after,
    seen: { ...before, ...place, lastSeenAt, helperOf },
    parent: parent && parentAfter(parent, event),
  };
}

/** The moment of an event without its payload, as if it came now. `ignored` says why no one is told of it. */
export function momentOfEvent(
  dispatcher: Dispatcher,
  bare: AgentEvent,
  {
    position = "",
    observation,
    ...known
  }: { position?: string; ignored?: string; presence?: Presence | undefined; observation?: Observation },
): Moment {
  const { agent: agentId, agentEvent } = bare;
  const projectFile = projectFileOf(dispatcher, originalOf(bare.cwd));
  const session = readSession(dispatcher.layout, agentId, bare.session);
  const link = sessionLink(agentId, bare.session, hiddenPath(session.transcript));
  const original = labelled({ ...withOriginals(bare), ...(link && { link }) }, goodFile(projectFile));
  const { event } = maskEvent(original);
  return {
    reading: { agentId, agentEvent, calledAs: undefined, drift: [], ignored: known.ignored, payload: {} },
    position,
    event,
    original,
    projectFile,
    known: { presence: known.presence, observed: observation && withoutWords(observation) },
    // The journal's event is among those that the session has heard.
    before: { ...session, recent: [] },
    after: observation === undefined ? sessionAfter(session, event) : sessionObserved(session, observation),
    seen: session,
    parent: undefined,
  };
}

/** What another machine tells is recorded only where it ends a question. */
function withoutWords({ at, source, kind }: Observation): Known["observed"] {
  return { at, source, kind: kind === "told" ? "answered" : kind };
}

/** The ids under these keys differ between equal events. */
const idKeys = /^(?:(?:prompt|turn|message|generation|execution|tool_?use)_?id|timestamp)$/i;

function digestOfPayload(payload: Record<string, unknown>): string | undefined {
  const hasKey = Object.keys(payload).some((key) => idKeys.test(key));
  return hasKey ? sha256(JSON.stringify(payload)).slice(0, 24) : undefined;
}

export function eventOf(
  reading: ValidReading,
  { id, receivedAt, host, home }: { id: string; receivedAt: number; host: string; home: string },
): AgentEvent {
  const { facts } = reading;
  const cwd = expandHome(facts.cwd, home);
  const usage = usageOfPayload(reading.usual, reading.agentEvent ?? reading.eventName);
  return {
    ...facts,
    id,
    name: reading.eventName,
    ...(reading.agentEvent === undefined ? {} : { agentEvent: reading.agentEvent }),
    agent: reading.agentId,
    cwd,
    project: lastPart(cwd),
    host,
    at: new Date(receivedAt).toISOString(),
    level: levelOf(reading),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Whether the agent waits for the person. */
export function asks(reading: ValidReading): boolean {
  return isQuestion({ ...reading.facts, name: reading.eventName, level: levelOf(reading) });
}

function levelOf({ eventName, facts }: ValidReading): Level {
  return facts.level ?? levelOfEvent(eventName, facts.reason);
}

/** Looks only if a rule asks where the person is. */
async function lookForPerson(
  { rules, tools, observePresence }: Dispatcher,
  { agentId, eventName, facts }: ValidReading,
  terminal: AgentTerminal | undefined,
): Promise<Presence | undefined> {
  const asking = rules().rules.rules.filter(wantsPresence);
  if (asking.length === 0 || !isEventAwaited(asking, agentId, eventName)) return undefined;
  return await observePresence?.(terminal, tools.env, { agent: agentId, session: facts.session });
}

export function wantsPresence({ attention: { away, focused, locked } }: Rule): boolean {
  return away !== undefined || focused !== undefined || locked !== undefined;
}

/** The hook has ended by now; the agent mostly has not. Whether a session that asks is still there shows by its terminal. */
function findAgentTerminal(
  { rules, tools }: Dispatcher,
  reading: ValidReading,
  { callerPids, receivedAt }: PayloadOrigin,
): AgentTerminal | undefined {
  const { channels, rules: all, stuckAfterMs } = rules().rules;
  // The process of a session that works or waits may end without a hook.
  const isWatched = reading.eventName === "UserPromptSubmit" || asks(reading);
  const isUsed = Object.values(channels).some(
    ({ channelType: { isShownInTerminal, raisesTerminal } }) => isShownInTerminal || raisesTerminal,
  );
  if (!isUsed && stuckAfterMs === undefined && !isWatched && !all.some(wantsPresence)) return undefined;
  for (const pid of callerPids) {
    const terminal = findTerminal(pid, tools.clock.now() - receivedAt);
    if (terminal !== undefined) return terminal;
  }
  return undefined;
}

/** The file of a folder's repository, as far as the user's rules allow one. */
export function projectFileOf(
  { rules, tools }: Pick<Dispatcher, "rules" | "tools">,
  cwd: string,
): ProjectFileReading | undefined {
  if (rules().rules.projectFiles === false) return undefined;
  return readProjectFile(cwd, findWorkTree(cwd, tools.home)?.root);
}

function labelled(event: AgentEvent, project: ProjectFile | undefined): AgentEvent {
  return project?.label === undefined ? event : { ...event, label: project.label };
}
