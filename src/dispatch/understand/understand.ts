// Reads a payload as an event of its session, with the session's state before and after.
import { usageOfPayload } from "../../agents/dialect/usage.ts";
import { isNamedSession, textOf } from "../../agents/dialect/values.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import type { Presence } from "../../attention/presence.ts";
import { parentAfter, sessionAfter } from "../../attention/session.ts";
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import { type AgentEvent, levelOfEvent } from "../../model/event.ts";
import { lastPart } from "../../model/text.ts";
import { listSessions, readSession, type SessionRecord } from "../../outbox/sessions.ts";
import { isEventAwaited } from "../../rules/apply/awaited-events.ts";
import type { ProjectFileReading } from "../../rules/project-file.ts";
import { expandHome } from "../../system/paths.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { namesOf, placeAfter, withProject } from "./place.ts";
import { goodFile, labelled, projectFileOf } from "./project-file.ts";
import { withSession } from "./session.ts";

export type ValidReading = PayloadReading & { status: "valid" };

/** Where and when a payload came in. */
export interface PayloadOrigin {
  eventId: string;
  receivedAt: number;
  position: string;
  wiredBy?: string | undefined;
  terminal?: AgentTerminal | undefined;
  presence?: Presence | undefined;
  /** Replaces the start of the turn in the session's record. */
  turnStartedAt?: number | undefined;
}

export interface Understood {
  reading: ValidReading;
  origin: PayloadOrigin;
  event: AgentEvent;
  /** Of the agent's repository, where a rule may match. */
  projectFile: ProjectFileReading | undefined;
  /** False in the generic dialect, where an id may mean anything. */
  isOneSession: boolean;
  before: SessionRecord;
  after: SessionRecord;
  /** Instead of `after`, if the event does not count. */
  seen: SessionRecord;
  /** The session that started this one, if its record changes. */
  parent: SessionRecord | undefined;
}

/** Writes nothing. */
export function understand(dispatcher: Dispatcher, reading: ValidReading, origin: PayloadOrigin): Understood {
  const { layout, tools, host } = dispatcher;
  const { rules } = dispatcher.rules();
  const { agentId, facts } = reading;
  const { receivedAt } = origin;
  const before = readSession(layout, agentId, facts.session);
  const isOneSession = reading.agent.id !== "generic" && isNamedSession(facts.session);

  const bare = eventOf(reading, { id: origin.eventId, receivedAt, host, home: tools.home });
  const begunIn = isOneSession && bare.name !== "SessionStart" ? before.folder : undefined;
  const placed = withProject(bare, begunIn, tools.home);
  const known = {
    terminal: origin.terminal ?? before.terminal,
    transcript: textOf(reading.payload.transcript_path) ?? before.transcript,
    ...(isOneSession ? placeAfter(before, placed, reading.usual, rules.promptInTitle !== false) : {}),
  };
  const here = { ...before, ...known, project: placed.project, lastSeenAt: receivedAt };
  const isAwaited = isEventAwaited(rules.rules, agentId, placed.name);
  const names = isOneSession && isAwaited ? namesOf(here, listSessions(layout)) : {};
  const projectFile = isAwaited ? projectFileOf(dispatcher, placed.cwd) : undefined;
  const turnStartedAt = origin.turnStartedAt ?? before.turnStartedAt;
  const named = labelled({ ...placed, ...names }, goodFile(projectFile));
  const event = withSession(named, { ...before, turnStartedAt });

  const after = { ...sessionAfter(before, event), ...known };
  const { lastSeenAt, helperOf } = after;
  const parent = helperOf === undefined ? undefined : readSession(layout, agentId, helperOf);
  return {
    reading,
    origin,
    event,
    projectFile,
    isOneSession,
    before,
    after,
    seen: { ...before, ...known, lastSeenAt, helperOf },
    parent: parent && parentAfter(parent, event),
  };
}

export interface EventSurroundings {
  id: string;
  receivedAt: number;
  host: string;
  home: string;
}

export function eventOf(reading: PayloadReading & { status: "valid" }, surroundings: EventSurroundings): AgentEvent {
  const { facts } = reading;
  const { id, receivedAt, host, home } = surroundings;
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
    level: facts.level ?? levelOfEvent(reading.eventName, facts.reason),
    ...(usage === undefined ? {} : { usage }),
  };
}
