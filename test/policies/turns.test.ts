// The end of a turn, a turn that is stuck, and an escalation's steps.
import { describe, expect, it } from "vitest";
import { escalationPolicy } from "../../src/policies/policies.ts";
import type { Session, State } from "../../src/sessions/state.ts";
import { stuckPolicy, stuckEventName, type SignsOfWork } from "../../src/policies/stuck.ts";
import { defer } from "../../src/policies/decision.ts";
import { longerThanPolicy, softened, subagentsPolicy } from "../../src/policies/turn-end.ts";
import { blankSession, broke, done, eventOf, messageOf, minute, noon, question, second } from "./messages.ts";
import { everyRow } from "../support/rows.ts";

describe("done while subagents run", () => {
  const early = messageOf({ ...done, runningHelpers: 2 });
  const waits = (helpers: number, since = noon): Session => {
    const facts = { reason: "", source: "hook" } as const;
    return { ...blankSession, state: { kind: "waitsForHelpers", since, helpers, ...facts } };
  };
  const ended = (agoMs: number): Session => waits(0, noon + minute - agoMs);
  const again: Session = {
    ...blankSession,
    state: { kind: "working", since: noon, reason: "", source: "hook", turn: { helpers: 0 } },
  };

  it("says what it waits for", () => {
    const whyOf = (runningHelpers: number, session: Session): string | undefined =>
      subagentsPolicy(messageOf({ ...done, runningHelpers }), undefined, session, noon + minute)?.why;
    expect(whyOf(1, waits(1))).toBe("1 subagent still runs");
    expect(whyOf(2, waits(2))).toBe("2 subagents still run");
    expect(whyOf(2, ended(4 * second))).toBe("its last subagent has just ended");
    expect(subagentsPolicy(early, undefined, ended(4 * second), noon + minute)?.by).toBe("helpers");
  });

  it("goes when the session's process has ended", () => {
    const gone: Session = { ...blankSession, state: { kind: "gone", since: noon, reason: "", source: "process" } };
    expect(subagentsPolicy(early, undefined, gone, noon)).toBeUndefined();
  });

  it("waits for the subagents, as the rule says", () =>
    everyRow(
      [
        ["waits for them", early, undefined, waits(2), noon + 30 * minute],
        ["waits for the turn that their end has begun", early, undefined, again, noon + 30 * minute],
        [
          "waits a moment for the turn that their end may begin",
          early,
          undefined,
          ended(4 * second),
          noon + minute + 6 * second,
        ],
        ["goes after that", early, undefined, ended(10 * second), undefined],
        [
          "goes at last, though they never ended",
          messageOf(early.event, { since: noon - 30 * minute }),
          undefined,
          blankSession,
          undefined,
        ],
        ["goes when none runs", messageOf({ ...done, runningHelpers: 0 }), undefined, blankSession, undefined],
        ["goes when the agent does not say", messageOf(done), undefined, blankSession, undefined],
        ["goes to a program", messageOf(early.event, { isForPeople: false }), undefined, blankSession, undefined],
        [
          "waits for a program that asked",
          messageOf(early.event, { isForPeople: false }),
          "defer",
          blankSession,
          noon + 30 * minute,
        ],
        ["goes softened", early, "soften", blankSession, undefined],
        ["goes as it is", early, "notify", blankSession, undefined],
        ["a failure goes", messageOf({ ...broke, runningHelpers: 2 }), undefined, blankSession, undefined],
      ] as const,
      ([_what, message, setting, session, until]) => {
        const decision = subagentsPolicy(message, setting, session, noon + minute);
        expect(decision?.action === "defer" ? decision.until : undefined).toBe(until);
      },
    ));

  it("is told at a lower level where asked", () => {
    const send = { action: "send" } as const;
    const why = "softened: 2 subagents still running";
    expect(softened(send, early, "soften")).toEqual({ ...send, level: "info", why });
    expect(softened(send, messageOf(done), "soften")).toBe(send);
    expect(softened(send, early, "defer")).toBe(send);
    const joined = { ...send, why: "another has just rung", joins: { agent: "droid", session: "s2" } };
    expect(softened(joined, early, "soften")).toEqual({ ...joined, level: "info" });
    const later = defer("mute", noon, "muted");
    expect(softened(later, early, "soften")).toBe(later);
  });
});

describe("longerThan", () => {
  it("holds what took less, and nothing else", () =>
    everyRow(
      [
        ["a short turn is dropped", messageOf({ ...done, durationMs: 19_999 }), "the turn took 20s, less than 20s"],
        ["a long one goes", messageOf({ ...done, durationMs: 20_000 }), undefined],
        ["one of unknown length goes", messageOf({ ...done, durationMs: undefined }), undefined],
        ["a question goes", messageOf({ ...question, durationMs: 1 }), undefined],
        ["a failure goes", messageOf({ ...broke, durationMs: 1 }), undefined],
      ],
      ([_what, message, why]) => {
        expect(longerThanPolicy(message, 20 * second)?.why).toBe(why);
      },
    ));
});

describe("a stuck turn", () => {
  const begun = noon - 20 * minute;
  const watch = messageOf(eventOf(stuckEventName, {}, begun));
  const facts = { since: begun, reason: "", source: "hook" } as const;
  const turn = { startedAt: begun, helpers: 0 };
  const inState = (state: State): Session => ({ lastSeenAt: begun, state });
  const works = (more: object = {}): Session => inState({ kind: "working", ...facts, turn: { ...turn, ...more } });
  const running = works();
  const withTool = { ...turn, tool: { since: begun } };

  it("is told, or looked at again later", () =>
    everyRow<[what: string, session: Session, signs: SignsOfWork, expected: number | "send" | "suppress"]>(
      [
        ["no sign for long enough", running, {}, "send"],
        ["an event lately", { ...running, lastSeenAt: noon - minute }, {}, 9],
        ["a transcript that grows", running, { transcriptGrewAt: noon - 2 * minute }, 8],
        ["a busy process", running, { lastBusyAt: noon }, 10],
        ["a time from the future", running, { transcriptGrewAt: noon + 60 * minute }, 10],
        ["a subagent that runs", works({ helpers: 1 }), {}, 10],
        ["a tool that runs", works(withTool), {}, 10],
        ["an open question", inState({ kind: "needsYou", ...facts, question: "e", turn }), {}, 10],
        ["a process that is gone", works(withTool), { isGone: true }, "send"],
        ["a process that was seen to go", inState({ kind: "gone", ...facts, turn: withTool }), {}, "send"],
        ["a process that has just gone", { ...inState({ kind: "gone", ...facts, turn }), lastSeenAt: noon }, {}, 10],
        ["a turn that the person stopped", inState({ kind: "interrupted", ...facts }), {}, "suppress"],
        ["a session that ended", inState({ kind: "gone", ...facts }), {}, "suppress"],
        ["a turn that is over", inState({ kind: "done", ...facts, isSeen: false }), {}, "suppress"],
        ["another turn", works({ startedAt: noon }), {}, "suppress"],
      ],
      ([_what, session, signs, expected]) => {
        const decision = stuckPolicy(watch, 10 * minute, session, signs, noon);
        if (decision?.action === "defer") expect((decision.until - noon) / minute).toBe(expected);
        else expect(decision?.action ?? "send").toBe(expected);
      },
    ));

  it("is not looked for when no rule asks, nor among other events", () => {
    expect(stuckPolicy(watch, undefined, running, {}, noon)?.action).toBe("suppress");
    expect(stuckPolicy(messageOf(done), 10 * minute, blankSession, {}, noon)).toBeUndefined();
  });
});

describe("a step of an escalation", () => {
  const step = messageOf(question, { escalatesAfterMs: 2 * minute });

  it("waits for its time", () => {
    const expected = { action: "defer", until: noon + 2 * minute, why: "escalates after 2m without an answer" };
    expect(escalationPolicy(step, noon)).toMatchObject(expected);
    expect(escalationPolicy(step, noon + 2 * minute - 1)).toMatchObject(expected);
    expect(escalationPolicy(step, noon + 2 * minute)).toBeUndefined();
  });

  it("is nothing to a message that is none", () => {
    expect(escalationPolicy(messageOf(question), noon)).toBeUndefined();
  });
});
