// What comes from several sessions within seconds is one sound: what follows the first joins it. Ends of turns wait two seconds for each other.
import { type AgentEvent, isAskingEnd, isQuestion } from "../model/event.ts";
import {
  type Candidate,
  type Decision,
  defer,
  isAboutVolume,
  isUrgent,
  type SessionName,
  suppress,
} from "./decision.ts";

/** What joins what: a question never joins the end of a turn, and a failure joins nothing. */
export const severalKinds = ["question", "end"] as const;
export type SeveralKind = (typeof severalKinds)[number];

/** What rang last on a channel, by which session, and until when the same of other sessions joins it. */
export interface Ringing extends SessionName {
  channel: string;
  kind: SeveralKind;
  /** Milliseconds since the epoch. */
  until: number;
  /** It has not rung yet: until then, it waits for others. */
  waits?: true | undefined;
}

/** How long after the first others join it. */
const severalMs = 5000;

/** How long the end of a turn waits for the ends of others that are at work. */
const endsWaitMs = 2000;

const whens: Readonly<Record<SeveralKind, string>> = {
  question: "asked within seconds of another question",
  end: "ended within seconds of another turn",
};
/** Why it makes no sound of its own. */
const quietly = (kind: SeveralKind): string => `${whens[kind]}, which has just rung`;
const waitsForEnds = "other sessions are at work; turns that end within two seconds are sent in one message";

/** Undefined for what always rings. */
function kindOf(event: AgentEvent): SeveralKind | undefined {
  if (isQuestion(event)) return "question";
  return event.name === "Stop" ? "end" : undefined;
}

type Sounding = Pick<Candidate, "event" | "isForPeople">;

/** Whether it may ring for others that follow, or join one. */
export function canJoin({ event, isForPeople }: Sounding): boolean {
  return isForPeople && kindOf(event) !== undefined;
}

/** The reason for which a message that joins another one is silent. */
export function severalWhy(event: AgentEvent): string {
  return quietly(kindOf(event) ?? "question");
}

/** Five questions within seconds ring once, and so do five ends of turns. A person who has heard the first finds the others beside it. */
export function togetherPolicy(
  { event, level, channel, isForPeople, joinedAs, escalatesAfterMs, deferred }: Candidate,
  ringing: readonly Ringing[],
  nowMs: number,
  othersAtWork = false,
): Decision | undefined {
  const kind = kindOf(event);
  if (!isForPeople || kind === undefined || joinedAs === "ownMessage") return undefined;
  if (kind === "end" && escalatesAfterMs !== undefined) return undefined;
  const found = ringingOn(channel, kind, ringing, nowMs);
  const rang = found?.waits === true ? undefined : found;
  const isOwn = rang?.agent === event.agent && rang.session === event.session;
  const why = quietly(kind);
  if (deferred?.by === "several" && deferred.until <= nowMs) {
    // What has rung while it waited, such as an urgent end, is the one sound of all.
    if (kind !== "end" || rang === undefined || isOwn) return undefined;
    return { action: "send", why, joins: { agent: rang.agent, session: rang.session } };
  }
  const key = `several ${kind === "end" ? "ends " : ""}${channel}`;
  const hasWaited = deferred !== undefined && isAboutVolume(deferred.by);
  const until = (deferred?.by === "several" ? deferred : found)?.until ?? nowMs + endsWaitMs;
  if (rang === undefined) {
    // What another policy deferred has waited long enough.
    const isWaiting = deferred === undefined ? othersAtWork || found !== undefined : deferred.by === "several";
    const isNeeded = isUrgent(level) || isAskingEnd(event);
    if (kind !== "end" || joinedAs !== "summary" || isNeeded || !isWaiting) return undefined;
    return defer("several", until, waitsForEnds, key);
  }
  if (isOwn) return undefined;
  if (joinedAs === "nothing") return suppress("several", why);
  const joins = { agent: rang.agent, session: rang.session };
  if (joinedAs === "silentMessage" || hasWaited) return { action: "send", why, joins };
  return { ...defer("several", until, `${whens[kind]}; sent in one message`, key), joins };
}

/** A time that is too far ahead is from before the clock was set back. */
function ringingOn(
  channel: string,
  kind: SeveralKind,
  ringing: readonly Ringing[],
  nowMs: number,
): Ringing | undefined {
  return ringing.find(
    (each) => each.channel === channel && each.kind === kind && each.until > nowMs && each.until <= nowMs + severalMs,
  );
}

/**
 * After it was sent, or deferred as the first of ends that wait for each other, until `waitsUntil`. A question that joins another keeps
 * the time open in which more may join.
 */
export function ringingAfter(
  event: AgentEvent,
  channel: string,
  ringing: readonly Ringing[],
  nowMs: number,
  waitsUntil?: number,
): Ringing[] {
  const kind = kindOf(event);
  if (kind === undefined) return [...ringing];
  const found = ringingOn(channel, kind, ringing, nowMs);
  // One that rings while others wait is what they join.
  const isFirst = found === undefined || (found.waits === true && waitsUntil === undefined);
  const { agent, session } = isFirst ? event : found;
  const others = ringing.filter((each) => each.until > nowMs && (each.channel !== channel || each.kind !== kind));
  const since = waitsUntil === undefined ? { until: nowMs + severalMs } : { until: waitsUntil, waits: true as const };
  return [...others, { channel, kind, agent, session, ...since }];
}
