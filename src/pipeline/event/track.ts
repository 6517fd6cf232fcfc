// Track: the event, and its session before it, after it, and after it if the event does not count.
import { readQuestion } from "../../answers/questions.ts";
import type { Presence } from "../../policies/presence.ts";
import type { AgentEvent } from "../../model/event.ts";
import { textOf } from "../../model/json.ts";
import { lastPart } from "../../model/places/folder.ts";
import { isHookChanged } from "../../model/own-events.ts";
import { eventIdOf } from "../../outbox/incoming.ts";
import { timeInName, uniqueName } from "../../system/files/files.ts";
import { publicName } from "../../sessions/public-words.ts";
import { maskText, originalOf } from "../../model/privacy/originals.ts";
import { maskEvent } from "../../model/privacy/scrub-event.ts";
import { eachSession, hiddenPath, readSession } from "../../outbox/sessions.ts";
import { isEventAwaited } from "../../rules/apply/match.ts";
import { goodFile, type ProjectFile, readProjectFile } from "../../rules/project-file.ts";
import { whyNoButtons } from "../answers/plan-question.ts";
import { namesOf, onlyOnes } from "../../sessions/names.ts";
import { type Observation, parentAfter, sessionAfter, sessionObserved, stateSeen } from "../../sessions/reduce.ts";
import { sha256 } from "../../system/crypto.ts";
import type { Dispatcher } from "../dispatcher.ts";
import {
  earlierAfter,
  folderBefore,
  hasMoved,
  hostAfter,
  maskNames,
  detailsAfter,
  withProjectOfHost,
  withOriginals,
  withProject,
} from "../understand/locate.ts";
import { processNamed, processNamedOnWindows } from "../understand/own-process.ts";
import { eventOf } from "../understand/event-of.ts";
import { projectFileOf } from "../understand/project-file-of.ts";
import { callFactsOf } from "../understand/safe-ids.ts";
import { withSession } from "../understand/session.ts";
import { sessionLink } from "../understand/status-files.ts";
import { failureAtEnd, isReviewed, sessionStartOf, withoutEndedSubagents } from "../understand/transcript.ts";
import { scheduledAfter } from "../understand/wake-up.ts";
import { asksStill, type Session, type Source, turnOf } from "../../sessions/state.ts";
import type { Enriched, EventFacts, Ingested, Tracked } from "./context.ts";
import { identify } from "./identify.ts";
import { type Trace, withFinding } from "../stages.ts";

/** Writes nothing and waits for nothing: from here to `enqueue`, the session's record is the one that was read here. */
export function track(
  { reading, origin, host, isOneSession, terminal, presence, workTree, trace }: Enriched,
  dispatcher: Dispatcher,
): Tracked {
  const { layout, tools } = dispatcher;
  const { rules } = dispatcher.rules();
  const { agentId, facts } = reading;
  const { receivedAt, position, setupName } = origin;
  const known = readSession(layout, agentId, facts.session);
  // Who has ended before the turn did is not waited for.
  const before = reading.eventName === "Stop" ? withoutEndedSubagents(known, agentId) : known;
  const bare = eventOf(reading, { id: origin.eventId, receivedAt, host, home: tools.home });
  const begunIn = isOneSession && bare.name !== "SessionStart" ? folderBefore(before, bare.cwd) : undefined;
  const isNamed = facts.project !== undefined;
  const placed = withProjectOfHost(bare, before) ?? (isNamed ? bare : withProject(bare, workTree, begunIn, tools.home));
  const shown = maskNames(placed);
  const isMoved = hasMoved(before, origin);
  const runsIn = {
    process:
      tools.platform === "win32"
        ? processNamedOnWindows(reading, origin, before, tools)
        : (processNamed(tools.clock.now(), reading.agent, origin, before) ?? (isMoved ? undefined : before.process)),
    terminal: terminal ?? (isMoved ? undefined : before.terminal),
  };
  const place = {
    ...runsIn,
    earlierProcesses: earlierAfter(before, runsIn),
    transcript: textOf(reading.payload.transcript_path) ?? before.transcript,
    ...(isOneSession ? detailsAfter(before, shown, reading.usual, rules.promptInTitle !== false) : {}),
    scheduled: scheduledAfter(before, reading),
    ...hostAfter(origin),
  };
  const own = { ...before, ...place, project: shown.project, lastSeenAt: receivedAt };
  const isAwaited = isEventAwaited(rules.rules, agentId, placed.name);
  const others = isAwaited ? [...eachSession(layout, tools.clock.now())] : [];
  const names = {
    ...(isOneSession && isAwaited ? namesOf(own, others, receivedAt) : {}),
    ...(isAwaited ? onlyOnes(own, others) : {}),
  };
  // A repository says nothing of what hookbell tells about it.
  const isFileRead = isAwaited && rules.projectFiles !== false && !isHookChanged({ agent: agentId, name: placed.name });
  const projectFile = isFileRead ? readProjectFile(placed.cwd, workTree?.root) : undefined;
  const link = isAwaited ? sessionLink(layout, agentId, facts.session, hiddenPath(place.transcript)) : undefined;
  const named = labelled({ ...names, ...placed, ...(link && { link }) }, goodFile(projectFile));
  const seen = withSession(named, before, origin.turnStartedAt);
  const original = isReviewed(reading) ? { ...seen, isReviewed: true } : seen;
  const { event } = maskEvent(original);

  const { transcript, subagentTranscript, ...call } = callFactsOf(reading, receivedAt);
  const after = { ...sessionAfter(before, event, { ...call, transcript, subagentTranscript, position }), ...place };
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
    facts: {
      setupName: setupName && maskText(setupName),
      payload: digestOfPayload(reading.payload),
      isOfManySessions: isOneSession ? undefined : true,
      isAsked: question === undefined ? undefined : true,
      noButtons: question === undefined ? whyNoButtons(reading, event, rules.answers, presence) : undefined,
      call,
      presence,
    },
    before,
    after,
    seen: { ...before, ...place, lastSeenAt, helperOf, state: stateSeen(before.state, receivedAt) },
    parent: parent && parentAfter(parent, event),
    trace: withTracked(trace, before, after, event),
  };
}

/** What the event means for its session. */
export function withTracked(trace: Trace, before: Session, after: Session, { id }: Pick<AgentEvent, "id">): Trace {
  const own = after.open?.find((each) => each.id === id);
  const opened =
    own?.reminds === undefined ? (own && asksStill(own) ? "it asks" : undefined) : `it reminds of ${own.reminds}`;
  const closed = (before.open ?? []).filter(asksStill).length - (after.open ?? []).filter(asksStill).length;
  const [was, is] = [before.state.kind, after.state.kind].map(publicName);
  return withFinding(
    trace,
    "track",
    was === is ? `the session stays ${is}` : `the session was ${was}, is ${is} now`,
    opened,
    closed > 0 ? `${closed} ${closed === 1 ? "question is" : "questions are"} over` : undefined,
  );
}

/** Another way in: an event without its payload, as if it came now. `ignored` says why no one is notified of it. */
export function trackEvent(
  dispatcher: Dispatcher,
  bare: AgentEvent,
  {
    position = "",
    observation,
    ignored,
    presence,
  }: { position?: string; ignored?: string; presence?: Presence | undefined; observation?: Observation },
): Tracked {
  const { agent: agentId, agentEvent } = bare;
  const projectFile = isHookChanged(bare) ? undefined : projectFileOf(dispatcher, originalOf(bare.cwd));
  const session = readSession(dispatcher.layout, agentId, bare.session);
  const link = sessionLink(dispatcher.layout, agentId, bare.session, hiddenPath(session.transcript));
  const original = labelled({ ...withOriginals(bare), ...(link && { link }) }, goodFile(projectFile));
  const { event } = maskEvent(original);
  const after = observation === undefined ? sessionAfter(session, event) : sessionObserved(session, observation);
  return {
    reading: { agentId, agentEvent, calledAs: undefined, drift: [], ignored, payload: {} },
    position,
    event,
    original,
    projectFile,
    facts: { presence, observed: observation && withoutWords(observation) },
    // The journal's event is among those that the session has heard.
    before: { ...session, recent: [] },
    after,
    seen: session,
    parent: undefined,
    trace: withTracked([], session, after, event),
  };
}

/** `asks`: a question of which no hook has told. It opens as one of a hook does. */
export type SessionObservation = Observation | { kind: "asks"; at: number; source: Source };

type ObservedEvent = { name: string; why?: string } & Partial<AgentEvent>;

/** What is observed of a session stands in the journal as an event. `why` says why no one is told; without it, rules decide. */
const observedNames: Partial<Record<SessionObservation["kind"], ObservedEvent>> = {
  asks: {
    name: "Notification",
    notificationType: "permission_prompt",
    level: "attention",
    message: "It asks you at its terminal.",
  },
  answered: { name: "Answered", why: "", isAnswer: true },
  interrupted: { name: "Interrupted", why: "the transcript says that you stopped the turn", means: "interrupted" },
  reviewOver: { name: "ReviewOver", why: "the agent's own reviewer has not decided in its time" },
  idle: { name: "Idle", why: "the agent records that it waits for a prompt", means: "interrupted" },
  failed: { name: "StopFailure", level: "error" },
  subagentOver: { name: "SubagentOver", why: "the transcript says that its subagent is done" },
  processGone: { name: "ProcessGone", why: "its process has ended" },
  told: { name: "Answered", why: "its machine says so" },
};

/** `how` says what tells of it, where it is not the usual. */
export function trackObservation(
  dispatcher: Dispatcher,
  { agent, session }: Pick<AgentEvent, "agent" | "session">,
  observation: SessionObservation,
  { how, position: given, ...more }: { how?: string | undefined; position?: string } & Partial<AgentEvent> = {},
): Tracked {
  const { kind } = observation;
  const { why, name, ...facts }: ObservedEvent = observedNames[kind] ?? { name: kind, why: kind };
  const { layout, host, tools } = dispatcher;
  const before = readSession(layout, agent, session);
  const { folder: cwd = "", project = lastPart(cwd), branch, worktree } = before;
  const startedAt = turnOf(before)?.startedAt;
  const now = tools.clock.now();
  const position = given ?? uniqueName(now);
  const event: AgentEvent = {
    id: eventIdOf(position, now),
    name,
    agent,
    session,
    cwd,
    project,
    host,
    at: new Date(now).toISOString(),
    level: "info",
    branch,
    worktree,
    ...facts,
    ...more,
    ...(observation.kind === "failed" && {
      reason: observation.what,
      message: observation.message,
      durationMs: startedAt === undefined ? undefined : observation.at - startedAt,
    }),
  };
  const known = { position, ignored: how ?? why };
  return kind === "asks"
    ? trackEvent(dispatcher, { ...event, at: new Date(observation.at).toISOString() }, known)
    : trackEvent(dispatcher, event, { ...known, observation });
}

/** A failure that no hook reports, when the session ends: a program without a person ends before any observer has looked. */
export function trackMissedFailure(dispatcher: Dispatcher, ingested: Ingested): Tracked | undefined {
  if (ingested.reading.eventName !== "SessionEnd" || ingested.origin.remoteHost !== undefined) return undefined;
  const { reading, origin } = identify(ingested, dispatcher);
  const { agentId, facts } = reading;
  const turn = turnOf(readSession(dispatcher.layout, agentId, facts.session));
  if (turn === undefined) return undefined;
  const { failure: what, failureMessage: message } = failureAtEnd(reading, {
    from: turn.startedAt,
    to: origin.receivedAt,
  });
  if (what === undefined) return undefined;
  // Just before the session's end, also where it is sent, and after a crash by the same id.
  const at = origin.receivedAt - 1;
  const position = `${timeInName(Number(origin.position.slice(0, 13)) - 1)}${origin.position.slice(13)}`;
  const headless = sessionStartOf(reading)?.isHeadless === true ? { headless: true } : {};
  return trackObservation(
    dispatcher,
    { agent: agentId, session: facts.session },
    { kind: "failed", source: "transcript", at, what, message },
    { position, at: new Date(at).toISOString(), ...headless },
  );
}

/** What another machine tells is recorded only where it ends a question. */
function withoutWords({ at, source, kind }: Observation): EventFacts["observed"] {
  return { at, source, kind: kind === "told" ? "answered" : kind };
}

/** The ids under these keys differ between equal events. */
const idKeys = /^(?:(?:prompt|turn|message|generation|execution|tool_?use)_?id|timestamp)$/i;

function digestOfPayload(payload: Record<string, unknown>): string | undefined {
  const hasKey = Object.keys(payload).some((key) => idKeys.test(key));
  return hasKey ? sha256(JSON.stringify(payload)).slice(0, 24) : undefined;
}

function labelled(event: AgentEvent, project: ProjectFile | undefined): AgentEvent {
  return project?.label === undefined ? event : { ...event, label: project.label };
}
