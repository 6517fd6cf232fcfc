// What is known of an event on its way from the payload to the outbox. Each stage adds what its name says.
import { retractReason, type RetractReason } from "../../policies/answered.ts";
import type { Question } from "../../answers/questions.ts";
import type { Presence } from "../../policies/presence.ts";
import type { AgentTerminal } from "../../model/places/agent-terminal.ts";
import type { EventDelivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { ProjectFileReading } from "../../rules/project-file.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Observation } from "../../sessions/reduce.ts";
import type { CallFacts } from "../../sessions/signs.ts";
import type { WorkTree } from "../../system/files/git.ts";
import type { Circumstances } from "../decide/decide.ts";
import type { LimitPlan } from "../decide/limit.ts";
import type { PayloadOrigin, EventReading, ValidReading } from "../understand/reading.ts";
import type { Trace } from "../stages.ts";

/** What every context has. */
interface Traced {
  /** What each stage so far has found. */
  trace: Trace;
}

/** The payload after `ingest`: one that is valid for its event. */
export interface Ingested {
  reading: ValidReading;
  origin: PayloadOrigin;
}

/** What `identify` adds: whose event it is. */
export interface Identified extends Ingested, Traced {
  host: string;
  /** The generic dialect may report several sessions under one id. */
  isOneSession: boolean;
}

/** What `enrich` adds: what the machine says beside the payload. */
export interface Enriched extends Identified {
  terminal: AgentTerminal | undefined;
  /** Where the user is. Undefined where no rule asks, or where the machine does not say. */
  presence: Presence | undefined;
  /** The git work tree of the agent's folder. */
  workTree: WorkTree | undefined;
}

/**
 * What is known of an event beside its words. The journal keeps it, so that a replay decides by the same facts. Absent fields
 * are unknown or false. It holds ids, digests and times, none of the agent's words.
 */
export interface EventFacts {
  /** The hook setup that reported it, where it is not the usual one. */
  setupName?: string | undefined;
  /** A digest of the payload, where that tells one event from another. */
  payload?: string | undefined;
  /** The generic dialect, where an id may mean anything. */
  isOfManySessions?: true | undefined;
  /** A hook waits for the answer. */
  isAsked?: true | undefined;
  /** Why none does, in hookbell's words, where answers are switched on. */
  noButtons?: string | undefined;
  call?: Pick<CallFacts, "call" | "begunAt" | "helper" | "question"> | undefined;
  /** Where the person was. Absent where no rule asks, or where the machine does not say. */
  presence?: Presence | undefined;
  /** No hook told of the event. What an error said is in the event alone, which is scrubbed. */
  observed?: Pick<Observation, "at" | "source" | "kind"> | undefined;
}

/** What `track` makes of it: the event, and its session before and after it. From here on, payloads, observations and recorded events are alike. */
export interface Tracked extends Traced {
  reading: EventReading;
  position: string;
  /** Without credentials: what is kept, shown and compared. */
  event: AgentEvent;
  /** What the agent said, which rules match, and which a channel gets that says so. */
  original: AgentEvent;
  /** The hook of this question waits for the answer. */
  question?: Question | undefined;
  /** The file is in the agent's repository. Undefined where no rule can match. */
  projectFile: ProjectFileReading | undefined;
  facts: EventFacts;
  before: SessionRecord;
  after: SessionRecord;
  /** If the event does not count, this record replaces `after`. */
  seen: SessionRecord;
  /** The session that started this one, if its record changes. */
  parent: SessionRecord | undefined;
}

/** What `route` adds: which channels the rules choose, each as the policies decide. */
export interface Routed extends Tracked {
  circumstances: Circumstances;
  selection: Selection;
}

/** Channels that were notified of this before, and by what. */
interface AlreadyNotified {
  channels: readonly string[];
  why: string;
}

/** What `dedupe` lets through: it is news, at least for some channels. */
export interface Deduped extends Routed {
  alreadyNotified: AlreadyNotified | undefined;
  recent: SessionRecord["recent"];
}

/** An event that hookbell makes itself, and the channels that are chosen for it. */
export interface DerivedEvent {
  /** As it is told; rules match this. */
  original: AgentEvent;
  selection: Selection;
  kind: "limitReached" | "limitReset" | "stuck";
}

/** What `derive` adds: messages of hookbell's own. */
export interface Derived extends Deduped {
  limit: LimitPlan | undefined;
  watch: DerivedEvent | undefined;
}

/** A delivery, before it has a name in the outbox. */
export interface Composed {
  delivery: EventDelivery;
  channel: Channel;
  /** The kinds of credentials that were removed from it. */
  scrubbed: readonly string[];
}

/** A delivery with its name in the outbox. */
export interface ComposedFile extends Composed, DeliveryFile {
  delivery: EventDelivery;
}

/** Why no one is notified of an event that rules may want. */
export type SuppressedReason =
  | { by: "agent" | "subagent"; why: string }
  | { by: "verification"; why: string; wouldReach: { channel: string; rule: string; held?: string }[] }
  | { by: "duplicate"; why: string; of: string }
  /** No rule names it, and it comes in hundreds: the journal has none of it. */
  | { by: "frequency"; why?: undefined };

/** What becomes of it, after `compose` or as soon as a stage suppresses the event. Nothing is written yet. */
export interface Decided extends Pick<
  Tracked,
  "event" | "question" | "parent" | "projectFile" | "facts" | "position" | "trace"
> {
  /** Empty if `suppressed` says why no one is notified. */
  planned: ComposedFile[];
  selection: Selection;
  /** The session after this event. */
  session: SessionRecord;
  diagnostics: Pick<EventReading, "calledAs" | "drift" | "isShortened">;
  retraction: RetractReason | undefined;
  suppressed: SuppressedReason | undefined;
  /** What hookbell itself tells of the agent's limit. Their deliveries are among `planned`. */
  limit?: LimitPlan["events"];
}

/** Ends the stages of decision. `isHeeded`: the event still ends a turn or answers a question. */
export function suppress(
  context: Tracked,
  suppressed: SuppressedReason,
  { selection, session, isHeeded }: Pick<Decided, "selection" | "session"> & { isHeeded: boolean },
): Decided {
  const { before, after, event } = context;
  return {
    ...decidedOf(context),
    planned: [],
    selection,
    session,
    retraction: isHeeded ? retractReason(before, after, event) : undefined,
    suppressed,
  };
}

/** What every decision has. */
export function decidedOf({ event, question, parent, projectFile, facts, position, reading, trace }: Tracked) {
  const { calledAs, drift, isShortened } = reading;
  return {
    event,
    question,
    parent,
    projectFile,
    facts,
    position,
    trace,
    diagnostics: { calledAs, drift, isShortened },
  };
}

/** What `ask` adds: which deliveries carry the question with buttons. */
export interface Asked {
  decided: Decided;
  deliveries: readonly (DeliveryFile & { scrubbed?: readonly string[] })[];
  /** Channels that could carry it and must not, from here. */
  notAsked: readonly { channel: string; why: string }[];
  /** Why the hook that waits is to wait no longer, as `by` of its answer. */
  over?: string | undefined;
}
