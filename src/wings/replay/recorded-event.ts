// Another way in: an event of the journal, with what was known then, and the session as the replay has it.
import type { JournalEntry } from "../../outbox/journal.ts";
import { readSession } from "../../outbox/sessions.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { Presence } from "../../policies/presence.ts";
import { asObject, textOf } from "../../model/json.ts";
import { type Observation, parentAfter, sessionAfter, sessionObserved } from "../../sessions/reduce.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import type { EventFacts, Tracked } from "../../pipeline/event/context.ts";
import { withTracked } from "../../pipeline/event/track.ts";
import { projectFileOf } from "../../pipeline/understand/project-file-of.ts";
import { whySubagentIsSuppressed } from "../../pipeline/understand/session.ts";

export interface RecordedEvent {
  event: AgentEvent;
  known: EventFacts | undefined;
  entry: JournalEntry;
}

/** `known` is absent in what an earlier version recorded. */
export function readRecorded(entry: JournalEntry): RecordedEvent | undefined {
  const event = asObject(entry.event) as AgentEvent | undefined;
  const isWhole = event !== undefined && [event.id, event.name, event.agent, event.session, event.at].every(textOf);
  return isWhole ? { event, known: asObject(entry.known) as EventFacts | undefined, entry } : undefined;
}

export function trackRecorded(
  dispatcher: Dispatcher,
  { event, known, entry }: RecordedEvent,
  presence: Presence,
  position: string,
): Tracked {
  const { layout, tools } = dispatcher;
  const before = readSession(layout, event.agent, event.session);
  const own = { project: event.project, lastSeenAt: tools.clock.now() };
  const after =
    known?.observed === undefined
      ? { ...sessionAfter(before, event, { ...known?.call, position }), ...own }
      : sessionObserved(before, observationOf(known.observed, event));
  const { helperOf } = after;
  const parent = helperOf === undefined ? undefined : readSession(layout, event.agent, helperOf);
  const { agent: agentId, agentEvent } = event;
  return {
    reading: {
      agentId,
      agentEvent,
      calledAs: textOf(entry.calledAs),
      drift: [],
      ignored: ignoredThen(event, before, known, entry),
      payload: {},
    },
    position,
    event,
    original: event,
    projectFile: projectFileOf(dispatcher, event.cwd),
    facts: { ...known, presence },
    before,
    after,
    seen: { ...before, ...own, helperOf },
    parent: parent && parentAfter(parent, event),
    trace: withTracked([], before, after, event),
  };
}

function observationOf(
  observed: NonNullable<EventFacts["observed"]>,
  { reason = "", message }: AgentEvent,
): Observation {
  return { ...observed, what: reason, message } as Observation;
}

/** Why a subagent is silent, as 1.0.0-rc.1 said it. */
const rc1Whys = ["the end of a helper: its SubagentStop reports it", "a helper's session"];

/** What the agent's own words said, and what an earlier version did not record enough of to decide it again. */
function ignoredThen(
  event: AgentEvent,
  before: Tracked["before"],
  known: EventFacts | undefined,
  { ignored, duplicateOf }: JournalEntry,
): string | undefined {
  const why = whySubagentIsSuppressed(event, before);
  if (typeof ignored !== "string" || (why !== undefined && [why, ...rc1Whys].includes(ignored))) return undefined;
  return duplicateOf !== undefined && known !== undefined ? undefined : ignored;
}
