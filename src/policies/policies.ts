// The policies in their order: the first that decides has the say. Without any, the message is sent now.
import { answeredPolicy, reviewPolicy } from "./answered.ts";
import { groupPolicy, type Grouping, throttlePolicy, type Buckets, type Throttle } from "./throttle.ts";
import { togetherPolicy, type Ringing } from "./together.ts";
import type { Session } from "../sessions/state.ts";
import { type AboutLimit, limitPolicy } from "./limit.ts";
import { mutePolicy, type Mute } from "./mute.ts";
import { presencePolicy, type Presence, type PresenceWish } from "./presence.ts";
import { quietHoursPolicy, type QuietHours } from "./quiet-hours.ts";
import { stuckPolicy, type SignsOfWork } from "./stuck.ts";
import { subagentsPolicy, longerThanPolicy, softened, type WhileSubagentsRun } from "./turn-end.ts";
import { type Candidate, type Decision, defer, type NotNow } from "./decision.ts";
import { formatDuration } from "../model/figures/duration.ts";
import type { Level } from "../model/level.ts";

export interface PolicySettings extends PresenceWish {
  longerThanMs?: number | undefined;
  whileSubagentsRun?: WhileSubagentsRun | undefined;
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
  /** Other sessions have an open turn. */
  othersAtWork?: boolean | undefined;
}

type Policy = (message: Candidate, settings: PolicySettings, situation: Situation) => Decision | undefined;

/** Whether it is needed at all: asked as long as it waits. */
const ofNeed: readonly Policy[] = [
  (message, _, { session }) => answeredPolicy(message, session),
  (message, _, { session, now }) => reviewPolicy(message, session, now),
  (message, _, { session, stuckAfterMs, signsOfWork = {}, now }) =>
    stuckPolicy(message, stuckAfterMs, session, signsOfWork, now),
  (message, _, { limit, now }) => limitPolicy(message, limit, now),
  (message, _, { mutes, now }) => mutePolicy(message, mutes, now),
];

/** When it is wanted, then how much is sent at once. */
const ofTime: readonly Policy[] = [
  (message, { whileSubagentsRun }, { session, now }) => subagentsPolicy(message, whileSubagentsRun, session, now),
  (message, { longerThanMs }) => longerThanPolicy(message, longerThanMs),
  (message, wish, { presence, now }) => presencePolicy(message, wish, presence, now),
  (message, _, { now }) => escalationPolicy(message, now),
  (message, _, { quietHours, now }) => quietHoursPolicy(message, quietHours, now),
  (message, { group }, { now }) => groupPolicy(message, group, now),
  (message, { throttle }, { channelThrottle, buckets, now }) =>
    throttlePolicy(message, { rule: throttle, channel: channelThrottle }, buckets, now),
];

const together: Policy = (message, _, { ringing, othersAtWork, now }) =>
  togetherPolicy(message, ringing, now, othersAtWork);

/** The policies decide again whenever something changes, so only the message is kept while it waits. */
export function decideByPolicies(message: Candidate, settings: PolicySettings, situation: Situation): Decision {
  // What waits only to join another was wanted when it came.
  const isJoining = message.deferred?.by === "several";
  for (const policy of [...ofNeed, ...(isJoining ? [] : ofTime), together]) {
    const decision = policy(message, settings, situation);
    if (decision !== undefined) return softened(decision, message, settings.whileSubagentsRun);
  }
  return softened({ action: "send" }, message, settings.whileSubagentsRun);
}

export interface EscalationStep {
  afterMs: number;
  notify: readonly string[];
  level?: Level | undefined;
}

/** A step waits in the outbox, where an answer cancels it. */
export function escalationPolicy({ escalatesAfterMs, since }: Candidate, nowMs: number): NotNow | undefined {
  if (escalatesAfterMs === undefined || nowMs >= since + escalatesAfterMs) return undefined;
  return defer(
    "escalation",
    since + escalatesAfterMs,
    `escalates after ${formatDuration(escalatesAfterMs)} without an answer`,
  );
}
