// A small model of what the dispatcher does with the decisions: it decides, decides again, merges and sends.
import { canJoin, type Ringing, ringingAfter } from "../../src/policies/together.ts";
import { bucketsAfter, type Buckets } from "../../src/policies/throttle.ts";
import type { PolicyName, Defer, Candidate } from "../../src/policies/decision.ts";
import { decideByPolicies, type PolicySettings, type Situation } from "../../src/policies/policies.ts";
import type { AgentEvent } from "../../src/model/event.ts";
import { hour, messageOf } from "./messages.ts";
import { sessionAfter } from "../../src/sessions/reduce.ts";
import { blankSession } from "../../src/sessions/session-schema.ts";
import { type Session, turnOf } from "../../src/sessions/state.ts";

export interface Fate {
  message: Candidate;
  at: number;
  fate: "sent" | "dropped";
  by?: PolicyName;
  /** How many messages left as this one. */
  gathered: number;
  /** What held it last. */
  heldBy?: PolicyName | undefined;
  /** Whether the person had reacted to its event by then. */
  wasClosed: boolean;
}

interface Waiting {
  message: Candidate;
  hold: Defer;
}

export interface World {
  settings: PolicySettings;
  situation: Partial<Situation>;
}

interface Read {
  outbox: Waiting[];
  sessions: [string, Session][];
  buckets: Buckets;
  ringing: Ringing[];
}

/** What lies on the disk: the outbox, the sessions' records and the buckets. */
export function createModel({ settings, situation }: World): {
  take(event: AgentEvent, now: number): void;
  /** Weighs again what is due by then, in its order. */
  turn(now: number): void;
  /** Everything is read again from what lies on the disk as JSON. */
  restart(): void;
  fates: Fate[];
  waiting(): Waiting[];
} {
  const fates: Fate[] = [];
  let outbox: Waiting[] = [];
  let sessions = new Map<string, Session>();
  let buckets: Buckets = {};
  let ringing: Ringing[] = [];
  const sessionOf = ({ session }: AgentEvent): Session => sessions.get(session) ?? blankSession;

  const wasClosed = ({ event }: Candidate): boolean =>
    sessionOf(event).closed?.some(({ id }) => id === event.id) ?? false;
  const ask = (message: Candidate, now: number) =>
    decideByPolicies(message, settings, {
      mutes: [],
      ...situation,
      now,
      session: sessionOf(message.event),
      buckets,
      ringing,
      othersAtWork: [...sessions].some(([name, each]) => name !== message.event.session && turnOf(each) !== undefined),
    });
  const settle = (message: Candidate, now: number, heldBy?: Defer): Waiting | "passes" | undefined => {
    const decision = ask(message, now);
    if (decision.action === "suppress") {
      fates.push({
        message,
        at: now,
        fate: "dropped",
        by: decision.by,
        gathered: 1,
        heldBy: heldBy?.by,
        wasClosed: wasClosed(message),
      });
      return undefined;
    }
    if (decision.action === "send") return "passes";
    const held = { by: decision.by, until: decision.until };
    const waits = decision.by === "several" && decision.joins === undefined;
    if (waits) ringing = ringingAfter(message.event, message.channel, ringing, now, decision.until);
    return { message: { ...message, deferred: held }, hold: decision };
  };
  const send = (all: readonly Candidate[], now: number): void => {
    const [first] = all;
    if (first === undefined) return;
    buckets = bucketsAfter(first, { rule: settings.throttle, channel: situation.channelThrottle }, buckets, now);
    for (const message of all) {
      if (canJoin(message)) ringing = ringingAfter(message.event, message.channel, ringing, now);
      fates.push({
        message,
        at: now,
        fate: "sent",
        gathered: all.length,
        heldBy: message.deferred?.by,
        wasClosed: wasClosed(message),
      });
    }
  };
  const put = (message: Candidate, now: number): void => {
    const settled = settle(message, now);
    if (settled === "passes") send([message], now);
    else if (settled !== undefined) outbox.push(settled);
  };

  return {
    fates,
    waiting: () => outbox,
    restart() {
      const disk = JSON.stringify({ outbox, sessions: [...sessions], buckets, ringing });
      const read = JSON.parse(disk) as Read;
      ({ outbox, buckets, ringing } = read);
      sessions = new Map(read.sessions);
    },
    take(event, now) {
      sessions.set(event.session, sessionAfter(sessionOf(event), event));
      // Each event of a session is a reason to look at what waits for it.
      const still: Waiting[] = [];
      for (const each of outbox) {
        const isOfSession = each.message.event.session === event.session;
        const settled = isOfSession ? settle(each.message, now, each.hold) : each;
        if (settled === "passes") still.push({ ...each, hold: { ...each.hold, until: now } });
        else if (settled !== undefined) still.push(settled);
      }
      outbox = still;
      if (event.name === "UserPromptSubmit" || event.name === "PostToolUse") return;
      const message = messageOf(event, { since: Math.min(Date.parse(event.at), now), expiresAt: now + 6 * hour });
      put(message, now);
      for (const { afterMs, notify, level } of settings.escalate ?? []) {
        for (const channel of notify) {
          put({ ...message, channel, level: level ?? message.level, escalatesAfterMs: afterMs }, now);
        }
      }
    },
    turn(now) {
      for (;;) {
        const due = outbox.find(({ hold }) => hold.until <= now);
        if (due === undefined) return;
        const { key } = due.hold;
        const together = outbox.filter(
          (each) =>
            each === due ||
            (key !== undefined && each.hold.key === key && each.message.channel === due.message.channel),
        );
        outbox = outbox.filter((each) => !together.includes(each));
        const passing: Candidate[] = [];
        for (const { message, hold } of together) {
          const held = { by: hold.by, until: Math.min(hold.until, now) };
          const settled = settle({ ...message, deferred: held }, now, hold);
          if (settled === "passes") passing.push(message);
          else if (settled !== undefined) outbox.push(settled);
        }
        send(passing, now);
      }
    },
  };
}
