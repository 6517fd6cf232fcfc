// Questions of several sessions within seconds are one sound: the first goes at once, and what follows joins it.
import { type AgentEvent, isQuestion } from "../model/event.ts";
import { drop, hold, type SessionName, type Verdict, type Weighed } from "./verdict.ts";

/** What rang last on a channel, by which session, and until when the same of other sessions joins it. */
export interface Ringing extends SessionName {
  channel: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/** How long after the first others join it. */
const severalMs = 5000;

/** Why it makes no sound of its own. */
export const severalWhy = "asked within seconds of another question; sent in one message";

type Sounding = Pick<Weighed, "event" | "isForPeople">;

/** Whether it may ring for others that follow, or join one. */
export function canJoin({ event, isForPeople }: Sounding): boolean {
  return isForPeople && isQuestion(event);
}

/** Five questions within seconds ring once. A person who has heard the first finds the others beside it. */
export function joinSeveral(
  { event, channel, isForPeople, ofSeveral, held }: Weighed,
  ringing: readonly Ringing[],
  nowMs: number,
): Verdict | undefined {
  if (!canJoin({ event, isForPeople }) || ofSeveral === "each") return undefined;
  if (held?.by === "several" && held.until <= nowMs) return undefined;
  const rang = ringingOn(channel, ringing, nowMs);
  if (rang === undefined || (rang.agent === event.agent && rang.session === event.session)) return undefined;
  if (ofSeveral === "skip") return drop("several", severalWhy);
  const joins = { agent: rang.agent, session: rang.session };
  if (ofSeveral === "update") return { verdict: "send", why: severalWhy, joins };
  const until = held?.by === "several" ? held.until : rang.until;
  return { ...hold("several", until, severalWhy, `several ${channel}`), joins };
}

/** A time that is too far ahead is from before the clock was set back. */
function ringingOn(channel: string, ringing: readonly Ringing[], nowMs: number): Ringing | undefined {
  return ringing.find((each) => each.channel === channel && each.until > nowMs && each.until <= nowMs + severalMs);
}

/** After it was sent. A question that joins another keeps the time open in which more may join. */
export function ringingAfter(
  event: AgentEvent,
  channel: string,
  ringing: readonly Ringing[],
  nowMs: number,
): Ringing[] {
  const { agent, session } = ringingOn(channel, ringing, nowMs) ?? event;
  const others = ringing.filter((each) => each.until > nowMs && each.channel !== channel);
  return [...others, { channel, agent, session, until: nowMs + severalMs }];
}
