// The end of a turn, a turn that is stuck, and an escalation's steps.
import { describe, expect, it } from "vitest";
import { objectEscalation } from "../../src/attention/escalation.ts";
import type { SessionState } from "../../src/attention/session.ts";
import { objectStuck, stuckEventName, type SignsOfWork } from "../../src/attention/stuck.ts";
import { objectHelpers, objectLongerThan, softened } from "../../src/attention/turn-end.ts";
import { blankSession, broke, done, eventOf, messageOf, minute, noon, question, second } from "./messages.ts";

describe("done while helpers run", () => {
  const early = messageOf({ ...done, runningHelpers: 2 });
  const ended = (agoMs: number): SessionState => ({
    ...blankSession,
    runningHelpers: { count: 0, at: noon + minute - agoMs },
  });

  it.each([
    ["waits for them", early, undefined, blankSession, noon + 30 * minute],
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
  ] as const)("%s", (_what, message, setting, session, until) => {
    const objection = objectHelpers(message, setting, session, noon + minute);
    expect(objection?.verdict === "hold" ? objection.until : undefined).toBe(until);
  });

  it("is told at a lower level where asked", () => {
    expect(softened(early, "soften")).toBe("softened: 2 helpers still running");
    expect(softened(messageOf(done), "soften")).toBeUndefined();
    expect(softened(early, "hold")).toBeUndefined();
  });
});

describe("longerThan", () => {
  it.each([
    ["a short turn is dropped", messageOf({ ...done, durationMs: 19_999 }), "the turn took 20s, less than 20s"],
    ["a long one goes", messageOf({ ...done, durationMs: 20_000 }), undefined],
    ["one of unknown length goes", messageOf({ ...done, durationMs: undefined }), undefined],
    ["a question goes", messageOf({ ...question, durationMs: 1 }), undefined],
    ["a failure goes", messageOf({ ...broke, durationMs: 1 }), undefined],
  ])("%s", (_what, message, why) => {
    expect(objectLongerThan(message, 20 * second)?.why).toBe(why);
  });
});

describe("a stuck turn", () => {
  const begun = noon - 20 * minute;
  const watch = messageOf(eventOf(stuckEventName, {}, begun));
  const running: SessionState = { lastSeenAt: begun, turnStartedAt: begun };

  it.each<[what: string, session: SessionState, signs: SignsOfWork, expected: number | "send" | "drop"]>([
    ["no sign for long enough", running, {}, "send"],
    ["an event lately", { ...running, lastSeenAt: noon - minute }, {}, 9],
    ["a transcript that grows", running, { transcriptGrewAt: noon - 2 * minute }, 8],
    ["a busy process", running, { lastBusyAt: noon }, 10],
    ["a time from the future", running, { transcriptGrewAt: noon + 60 * minute }, 10],
    ["a helper that runs", { ...running, runningHelpers: { count: 1, at: begun } }, {}, 10],
    ["a tool that runs", { ...running, toolStartedAt: begun }, {}, 10],
    ["an open question", { ...running, open: [{ id: "e", at: begun, name: "PermissionRequest" }] }, {}, 10],
    ["a process that is gone", { ...running, toolStartedAt: begun }, { isGone: true }, "send"],
    ["a turn that is over", { lastSeenAt: begun }, {}, "drop"],
    ["another turn", { ...running, turnStartedAt: noon }, {}, "drop"],
  ])("%s", (_what, session, signs, expected) => {
    const objection = objectStuck(watch, 10 * minute, session, signs, noon);
    if (objection?.verdict === "hold") expect((objection.until - noon) / minute).toBe(expected);
    else expect(objection?.verdict ?? "send").toBe(expected);
  });

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
