// Every decision is asked in turn; the first that objects has the say.
import { objectAnswered, objectReview } from "./answered.ts";
import { objectGroup, type Grouping, objectThrottle, type Buckets, type Throttle } from "./throttle.ts";
import { joinSeveral, type Ringing } from "./several.ts";
import type { Session } from "../sessions/state.ts";
import { type AboutLimit, objectLimit } from "./limit.ts";
import { objectMute, type Mute } from "./mute.ts";
import { objectPresence, type Presence, type PresenceWish } from "./presence.ts";
import { objectQuietHours, type QuietHours } from "./quiet-hours.ts";
import { objectStuck, type SignsOfWork } from "./stuck.ts";
import { objectHelpers, objectLongerThan, softened, type WhileHelpersRun } from "./turn-end.ts";
import { type Objection, type Verdict, type Weighed, hold } from "./verdict.ts";
import { formatDuration } from "../model/figures/duration.ts";
import type { Level } from "../model/level.ts";

export interface AttentionSettings extends PresenceWish {
  longerThanMs?: number | undefined;
  whileHelpersRun?: WhileHelpersRun | undefined;
  escalate?: readonly EscalationStep[] | undefined;
  group?: Grouping | undefined;
  throttle?: Throttle | undefined;
}

export interface Situation {
  now: number;
  session: Session;
  presence?: Presence | undefined;
  signsOfWork?: SignsOfWork | undefined;
  /** Undefined for what is not about a limit. */
  limit?: AboutLimit | undefined;
  mutes: readonly Mute[];
  quietHours?: QuietHours | undefined;
  stuckAfterMs?: number | undefined;
  channelThrottle?: Throttle | undefined;
  buckets: Buckets;
  ringing: readonly Ringing[];
}

/** First decide what makes it unnecessary, then when it is wanted, then how much goes at once. */
const objections: readonly ((
  message: Weighed,
  settings: AttentionSettings,
  situation: Situation,
) => Objection | undefined)[] = [
  (message, _, { session }) => objectAnswered(message, session),
  (message, _, { session, now }) => objectReview(message, session, now),
  (message, _, { session, stuckAfterMs, signsOfWork = {}, now }) =>
    objectStuck(message, stuckAfterMs, session, signsOfWork, now),
  (message, _, { limit, now }) => objectLimit(message, limit, now),
  (message, _, { mutes, now }) => objectMute(message, mutes, now),
  (message, { whileHelpersRun }, { session, now }) => objectHelpers(message, whileHelpersRun, session, now),
  (message, { longerThanMs }) => objectLongerThan(message, longerThanMs),
  (message, wish, { presence, now }) => objectPresence(message, wish, presence, now),
  (message, _, { now }) => objectEscalation(message, now),
  (message, _, { quietHours, now }) => objectQuietHours(message, quietHours, now),
  (message, { group }, { now }) => objectGroup(message, group, now),
  (message, { throttle }, { channelThrottle, buckets, now }) =>
    objectThrottle(message, { rule: throttle, channel: channelThrottle }, buckets, now),
];

/** Attention is asked again whenever something changes, so only the message is kept while it waits. */
export function weigh(message: Weighed, settings: AttentionSettings, situation: Situation): Verdict {
  for (const object of objections) {
    const objection = object(message, settings, situation);
    if (objection !== undefined) return objection;
  }
  const joined = joinSeveral(message, situation.ringing, situation.now);
  if (joined !== undefined) return joined;
  const why = softened(message, settings.whileHelpersRun);
  return why === undefined ? { verdict: "send" } : { verdict: "send", level: "info", why };
}

export interface EscalationStep {
  afterMs: number;
  notify: readonly string[];
  level?: Level | undefined;
}

/** A step waits in the outbox, where an answer cancels it. */
export function objectEscalation({ escalatesAfterMs, since }: Weighed, nowMs: number): Objection | undefined {
  if (escalatesAfterMs === undefined || nowMs >= since + escalatesAfterMs) return undefined;
  return hold(
    "escalation",
    since + escalatesAfterMs,
    `escalates after ${formatDuration(escalatesAfterMs)} without an answer`,
  );
}
