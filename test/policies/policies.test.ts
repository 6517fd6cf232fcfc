// All policies together, over made-up days: nothing is lost, nothing is both sent and suppressed, and no restart matters.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isQuestion, type AgentEvent } from "../../src/model/event.ts";
import { isUrgent, policyNames } from "../../src/policies/decision.ts";
import { decideByPolicies, type PolicySettings, type Situation } from "../../src/policies/policies.ts";
import {
  blankSession,
  broke,
  done,
  eventOf,
  hour,
  messageOf,
  minute,
  noon,
  question,
  second,
  situationAt,
} from "./messages.ts";
import { bucketsAfter } from "../../src/policies/throttle.ts";
import { ringingAfter } from "../../src/policies/together.ts";
import { createModel, type World } from "./outbox-model.ts";
import { slowRuns } from "../support/random/slow-runs.ts";
import { everyRow } from "../support/rows.ts";

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const span = fc.integer({ min: second, max: 2 * hour });
const by = fc.subarray(["project", "session", "agent", "event"] as const);

const settings: fc.Arbitrary<PolicySettings> = fc.record(
  {
    longerThanMs: optional(span),
    whileSubagentsRun: optional(fc.constantFrom("defer", "soften", "notify")),
    group: optional(fc.record({ by, waitMs: span })),
    throttle: optional(fc.record({ messages: fc.integer({ min: 1, max: 5 }), perMs: span, by })),
    escalate: optional(
      fc.array(
        fc.record({ afterMs: span, notify: fc.constant(["team"]), level: optional(fc.constant("error" as const)) }),
        { maxLength: 2 },
      ),
    ),
  },
  { requiredKeys: [] },
);

// On Sundays it is never quiet, so that every wait ends.
const minuteOfDay = fc.integer({ min: 0, max: 24 * 60 - 1 });
const situation: fc.Arbitrary<Partial<Situation>> = fc.record(
  {
    quietHours: optional(
      fc.record({
        ranges: fc.array(fc.record({ days: fc.subarray([1, 2, 3, 4, 5]), from: minuteOfDay, to: minuteOfDay }), {
          maxLength: 2,
        }),
        timeZone: fc.constantFrom("Europe/Berlin", "UTC"),
        breakThrough: fc.subarray(["error", "attention"] as const),
      }),
    ),
    mutes: fc.array(
      fc.record({
        scope: fc.constantFrom("all", "session"),
        name: fc.constantFrom("", "s1"),
        until: fc.integer({ min: noon, max: noon + 12 * hour }),
      }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: [] },
);
const world: fc.Arbitrary<World> = fc.record({ settings, situation });

interface Step {
  afterMs: number;
  what: AgentEvent;
  session: string;
  durationMs: number;
  runningHelpers: number | undefined;
  /** The dispatcher dies before this event, and so long nothing is done. */
  isRestart: boolean;
  downMs: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.integer({ min: 0, max: hour }),
  what: fc.constantFrom(
    question,
    done,
    broke,
    eventOf("UserPromptSubmit"),
    eventOf("PostToolUse"),
    eventOf("SessionEnd"),
  ),
  session: fc.constantFrom("s1", "s2"),
  durationMs: span,
  runningHelpers: fc.constantFrom(undefined, 0, 2),
  isRestart: fc.boolean(),
  downMs: fc.integer({ min: 0, max: hour }),
});

const dayMs = 24 * hour;

/** Plays the steps; looks at what is due once a minute. */
function play(made: World, steps: readonly Step[], { restarts = false, down = false } = {}) {
  const model = createModel(made);
  const events: AgentEvent[] = [];
  let now = noon;
  const goOn = (until: number): void => {
    for (; now < until; now = Math.min(until, now + 5 * minute)) model.turn(now);
    model.turn(now);
  };
  for (const [index, { afterMs, what, session, durationMs, runningHelpers, isRestart, downMs }] of steps.entries()) {
    goOn(now + afterMs);
    const at = new Date(now).toISOString();
    const facts = what.name === "Stop" ? { durationMs, runningHelpers } : {};
    const event = { ...what, ...facts, id: `evt_${index}`, session, at };
    events.push(event);
    if (isRestart && restarts) model.restart();
    // While it is down, events wait in incoming/.
    if (isRestart && down) now += downMs;
    model.take(event, now);
  }
  goOn(now + 9 * dayMs);
  return { ...model, events };
}

describe("decideByPolicies, over made-up days", () => {
  const scenario = fc.tuple(world, fc.array(step, { maxLength: 30 }));
  const runs = { numRuns: slowRuns(150) };

  it("sends or drops every message once, and leaves none behind", () => {
    fc.assert(
      fc.property(scenario, fc.boolean(), ([made, steps], down) => {
        const { fates, waiting, events } = play(made, steps, { down });
        expect(waiting()).toEqual([]);
        for (const { id, name } of events) {
          const isTold = name !== "UserPromptSubmit" && name !== "PostToolUse";
          const expected = isTold ? 1 + (made.settings.escalate?.length ?? 0) : 0;
          expect(fates.filter(({ message }) => message.event.id === id)).toHaveLength(expected);
        }
      }),
      runs,
    );
  });

  it("never loses a question or an error: only an answer makes it unnecessary", () => {
    fc.assert(
      fc.property(scenario, fc.boolean(), ([made, steps], down) => {
        for (const { message, fate, by: decision } of play(made, steps, { down }).fates) {
          if (fate === "dropped" && isUrgent(message.level)) expect(decision).toBe("answered");
        }
      }),
      runs,
    );
  });

  it("never delays a question or an error to group it, nor when nothing is set", () => {
    fc.assert(
      fc.property(scenario, ([made, steps]) => {
        const isSet = made.settings.throttle !== undefined || made.situation.quietHours !== undefined;
        const isMuted = (made.situation.mutes ?? []).length > 0;
        for (const { message, heldBy, fate } of play(made, steps).fates) {
          if (!isUrgent(message.level) || message.escalatesAfterMs !== undefined || fate === "dropped") continue;
          expect(heldBy).not.toBe("group");
          // What two sessions ask within seconds is one message.
          if (!isSet && !isMuted && heldBy !== "several") expect(heldBy).toBeUndefined();
        }
      }),
      runs,
    );
  });

  it("never escalates what was answered, nor before its time", () => {
    fc.assert(
      fc.property(scenario, fc.boolean(), ([made, steps], down) => {
        for (const { message, fate, at, wasClosed } of play(made, steps, { down }).fates) {
          if (message.escalatesAfterMs === undefined || fate !== "sent") continue;
          expect(at).toBeGreaterThanOrEqual(message.since + message.escalatesAfterMs);
          if (isQuestion(message.event)) expect(wasClosed).toBe(false);
        }
      }),
      runs,
    );
  });

  it("is the same after a restart at any point", () => {
    fc.assert(
      fc.property(scenario, ([made, steps]) => {
        expect(play(made, steps, { restarts: true }).fates).toEqual(play(made, steps).fates);
      }),
      runs,
    );
  });
});

describe("the order of the policies", () => {
  const everything: PolicySettings = {
    longerThanMs: hour,
    focused: false,
    group: { by: [], waitMs: minute },
    throttle: { messages: 1, perMs: hour, by: [] },
  };
  const now = noon;
  const all: Partial<Situation> = {
    mutes: [{ scope: "all", name: "", until: now + hour }],
    presence: { isFocused: true, idleMs: 0 },
    quietHours: {
      ranges: [{ days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 24 * 60 }],
      timeZone: "UTC",
      breakThrough: [],
    },
  };
  const message = messageOf({ ...done, runningHelpers: 1 }, { escalatesAfterMs: minute });
  const closed: Situation["session"] = { ...blankSession, closed: [{ id: done.id, afterMs: second }] };

  it("has each step before all later ones", () =>
    everyRow<[expected: string, less: Partial<Situation>, lessSettings: Partial<PolicySettings>, what: typeof message]>(
      [
        ["answered", { session: closed }, {}, message],
        ["mute", {}, {}, message],
        ["helpers", { mutes: [] }, {}, message],
        ["longerThan", { mutes: [] }, { whileSubagentsRun: "notify" }, message],
        ["escalation", { mutes: [] }, { whileSubagentsRun: "notify", longerThanMs: undefined }, message],
        ["presence", { mutes: [] }, { longerThanMs: undefined }, messageOf(done)],
        ["quietHours", { mutes: [], presence: {} }, { longerThanMs: undefined }, messageOf(done)],
        ["group", { mutes: [], presence: {}, quietHours: undefined }, { longerThanMs: undefined }, messageOf(done)],
      ],
      ([expected, less, lessSettings, what]) => {
        const decision = decideByPolicies(
          what,
          { ...everything, ...lessSettings },
          situationAt(now, { ...all, ...less }),
        );
        expect(decision).toMatchObject({ by: expected });
        expect(policyNames).toContain(expected);
      },
      (row) => JSON.stringify(row),
    ));

  it("asks a throttle of the rule and one of the channel, and each of those that only some events have", () => {
    const once = { messages: 1, perMs: hour, by: [] };
    const buckets = bucketsAfter(messageOf(done), { rule: once, channel: once }, {}, now);
    const byOf = (what: typeof message, wanted: PolicySettings, more: Partial<Situation>): string | undefined => {
      const decision = decideByPolicies(what, wanted, situationAt(now, more));
      return decision.action === "send" ? undefined : decision.by;
    };
    expect(byOf(messageOf(done), { throttle: once }, { buckets })).toBe("throttle");
    expect(byOf(messageOf(done), {}, { buckets, channelThrottle: once })).toBe("throttle");
    expect(byOf(messageOf(done), {}, { buckets })).toBeUndefined();
    const other = ringingAfter({ ...question, session: "s2" }, "phone", [], now);
    expect(byOf(messageOf(question), {}, { ringing: other })).toBe("several");
    const reviewed = [{ id: question.id, name: question.name, at: noon, isReviewed: true }];
    expect(byOf(messageOf(question), {}, { session: { ...blankSession, open: reviewed } })).toBe("review");
    expect(byOf(messageOf(eventOf("Stuck")), {}, {})).toBe("stuck");
    expect(byOf(messageOf(eventOf("LimitReset")), {}, { limit: { is: "reset" } })).toBe("limit");
  });

  it("asks what only waits to join another neither when it is wanted nor how much is sent, but whether it is needed", () => {
    const joining = messageOf(done, { deferred: { by: "several", until: now } });
    const { mutes: _, ...rest } = all;
    const settings = { ...everything, longerThanMs: 10 * hour };
    expect(decideByPolicies(joining, settings, situationAt(now, rest))).toEqual({ action: "send" });
    expect(decideByPolicies(joining, settings, situationAt(now, all))).toMatchObject({ by: "mute" });
    expect(decideByPolicies(joining, settings, situationAt(now, { ...rest, session: closed }))).toMatchObject({
      by: "answered",
    });
  });

  it("softens what goes", () => {
    const decision = decideByPolicies(
      messageOf({ ...done, runningHelpers: 1 }),
      { whileSubagentsRun: "soften" },
      situationAt(now),
    );
    expect(decision).toEqual({ action: "send", level: "info", why: "softened: 1 subagent still running" });
  });
});
