// The end of a turn, a turn that is stuck, and an escalation's steps.
import { describe, expect, it } from "vitest";
import { objectEscalation } from "../../src/attention/weigh.ts";
import type { Session, State } from "../../src/sessions/state.ts";
import { objectStuck, stuckEventName, type SignsOfWork } from "../../src/attention/stuck.ts";
import { objectHelpers, objectLongerThan, softened } from "../../src/attention/turn-end.ts";
import { blankSession, broke, done, eventOf, messageOf, minute, noon, question, second } from "./messages.ts";
import { everyRow } from "../support/rows.ts";

describe("done while helpers run", () => {
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
      objectHelpers(messageOf({ ...done, runningHelpers }), undefined, session, noon + minute)?.why;
    expect(whyOf(1, waits(1))).toBe("1 helper still runs");
    expect(whyOf(2, waits(2))).toBe("2 helpers still run");
    expect(whyOf(2, ended(4 * second))).toBe("its last helper has just ended");
    expect(objectHelpers(early, undefined, ended(4 * second), noon + minute)?.by).toBe("helpers");
  });

  it("goes when the session's process has ended", () => {
    const gone: Session = { ...blankSession, state: { kind: "gone", since: noon, reason: "", source: "process" } };
    expect(objectHelpers(early, undefined, gone, noon)).toBeUndefined();
  });

  it("waits for the helpers, as the rule says", () =>
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
          "hold",
          blankSession,
          noon + 30 * minute,
        ],
        ["goes softened", early, "soften", blankSession, undefined],
        ["goes as it is", early, "tell", blankSession, undefined],
        ["a failure goes", messageOf({ ...broke, runningHelpers: 2 }), undefined, blankSession, undefined],
      ] as const,
      ([_what, message, setting, session, until]) => {
        const objection = objectHelpers(message, setting, session, noon + minute);
        expect(objection?.verdict === "hold" ? objection.until : undefined).toBe(until);
      },
    ));

  it("is told at a lower level where asked", () => {
    expect(softened(early, "soften")).toBe("softened: 2 helpers still running");
    expect(softened(messageOf(done), "soften")).toBeUndefined();
    expect(softened(early, "hold")).toBeUndefined();
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
        expect(objectLongerThan(message, 20 * second)?.why).toBe(why);
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
    everyRow<[what: string, session: Session, signs: SignsOfWork, expected: number | "send" | "drop"]>(
      [
        ["no sign for long enough", running, {}, "send"],
        ["an event lately", { ...running, lastSeenAt: noon - minute }, {}, 9],
        ["a transcript that grows", running, { transcriptGrewAt: noon - 2 * minute }, 8],
        ["a busy process", running, { lastBusyAt: noon }, 10],
        ["a time from the future", running, { transcriptGrewAt: noon + 60 * minute }, 10],
        ["a helper that runs", works({ helpers: 1 }), {}, 10],
        ["a tool that runs", works(withTool), {}, 10],
        ["an open question", inState({ kind: "needsYou", ...facts, question: "e", turn }), {}, 10],
        ["a process that is gone", works(withTool), { isGone: true }, "send"],
        ["a process that was seen to go", inState({ kind: "gone", ...facts, turn: withTool }), {}, "send"],
        ["a process that has just gone", { ...inState({ kind: "gone", ...facts, turn }), lastSeenAt: noon }, {}, 10],
        ["a turn that the person stopped", inState({ kind: "interrupted", ...facts }), {}, "drop"],
        ["a session that ended", inState({ kind: "gone", ...facts }), {}, "drop"],
        ["a turn that is over", inState({ kind: "done", ...facts, isSeen: false }), {}, "drop"],
        ["another turn", works({ startedAt: noon }), {}, "drop"],
      ],
      ([_what, session, signs, expected]) => {
        const objection = objectStuck(watch, 10 * minute, session, signs, noon);
        if (objection?.verdict === "hold") expect((objection.until - noon) / minute).toBe(expected);
        else expect(objection?.verdict ?? "send").toBe(expected);
      },
    ));

  it("is not looked for when no rule asks, nor among other events", () => {
    expect(objectStuck(watch, undefined, running, {}, noon)?.verdict).toBe("drop");
    expect(objectStuck(messageOf(done), 10 * minute, blankSession, {}, noon)).toBeUndefined();
  });
});

describe("a step of an escalation", () => {
  const step = messageOf(question, { escalatesAfterMs: 2 * minute });

  it("waits for its time", () => {
    const expected = { verdict: "hold", until: noon + 2 * minute, why: "escalates after 2m without an answer" };
    expect(objectEscalation(step, noon)).toMatchObject(expected);
    expect(objectEscalation(step, noon + 2 * minute - 1)).toMatchObject(expected);
    expect(objectEscalation(step, noon + 2 * minute)).toBeUndefined();
  });

  it("is nothing to a message that is none", () => {
    expect(objectEscalation(messageOf(question), noon)).toBeUndefined();
  });
});
