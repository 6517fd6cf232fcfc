// Which event ends what another one asked, and what of an event stays open.
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/model/event.ts";
import { parentAfter, sessionObserved } from "../../src/sessions/reduce.ts";
import { closes, isLate, openedBy, roleOf, withOpen, type CallFacts } from "../../src/sessions/signs.ts";
import { maxReviewMs, type OpenEvent, type Session } from "../../src/sessions/state.ts";
import { blankSession, eventOf, minute, noon, question, second } from "../policies/messages.ts";
import { everyRow } from "../support/rows.ts";

const call = { tool: "Bash", input: "npm test" };
const asked: OpenEvent = { id: "evt_asked", name: "PermissionRequest", at: noon, call };
const ended: OpenEvent = { id: "evt_ended", name: "Stop", at: noon };
const failed: OpenEvent = { id: "evt_failed", name: "StopFailure", at: noon };

it("a late event is up to two seconds older; older than that, the clock was turned back", () => {
  expect([-1, 0, 1, 2000, 2001].map((ms) => isLate(noon - ms, noon))).toEqual([false, false, true, true, false]);
});

describe("a question is closed", () => {
  const other = { call: { tool: "Bash", input: "npm run lint" } };
  const tools = ["PreToolUse", "PostToolUse"];
  type Row = [what: string, event: string | AgentEvent, facts: CallFacts, each: OpenEvent, isClosed: boolean];

  it("by what shows that its asker goes on, and not by what runs beside it", () =>
    everyRow<Row>(
      [
        ["a prompt", "UserPromptSubmit", {}, asked, true],
        ["a prompt, of a subagent's", "UserPromptSubmit", {}, { ...asked, helper: "h1" }, true],
        ["the end of the turn", "Stop", {}, asked, true],
        ["a failure", "StopFailure", {}, asked, true],
        ["the end of the turn, of a subagent's", "Stop", {}, { ...asked, helper: "h1" }, false],
        ["the end of the session, of a subagent's", "SessionEnd", {}, { ...asked, helper: "h1" }, true],
        ["a new session", "SessionStart", {}, asked, true],
        ["an interruption", eventOf("Stop", { means: "interrupted" }), {}, asked, true],
        ["a subagent that begins", "SubagentStart", {}, asked, false],
        ["the end of a subagent", "SubagentStop", {}, asked, false],
        ["the end of its subagent", "SubagentStop", { helper: "h1" }, { ...asked, helper: "h1" }, true],
        ["the end of another subagent", "SubagentStop", { helper: "h2" }, { ...asked, helper: "h1" }, false],
        [
          "its subagent, as the event names it",
          eventOf("SubagentStop", { subagent: "h1" }),
          {},
          { ...asked, helper: "h1" },
          true,
        ],
        ["a session that goes on by itself", eventOf("Notification", { means: "resumed" }), {}, asked, false],
        ["a summary of the session", eventOf("SessionStart", { means: "compacted" }), {}, asked, false],
        ["another notification", "Notification", {}, asked, false],
        [
          "an answer to it",
          eventOf("Answer", { isAnswer: true }),
          { question: "q1" },
          { ...asked, question: "q1" },
          true,
        ],
        [
          "an answer to another one",
          eventOf("Answer", { isAnswer: true }),
          { question: "q2" },
          { ...asked, question: "q1" },
          false,
        ],
        ["an answer that names none", eventOf("Answer", { isAnswer: true }), {}, { ...asked, question: "q1" }, true],
        ["an answer, where it has no name", eventOf("Answer", { isAnswer: true }), { question: "q2" }, asked, true],
        ...tools.flatMap((name): Row[] => {
          const at = (ms: number) => eventOf(name, {}, noon + ms);
          return [
            [`${name} of the call`, at(minute), { call }, asked, true],
            [`${name} of no known call`, at(minute), {}, asked, true],
            [`${name} where the question has no call`, at(minute), other, { ...asked, call: undefined }, true],
            [`${name} that comes late`, at(-1), { call }, asked, false],
            [`${name} of a helper`, at(minute), { call, helper: "h1" }, asked, false],
            [`${name} of the subagent that asks`, at(minute), { call, helper: "h1" }, { ...asked, helper: "h1" }, true],
          ];
        }),
        ["another call that begins at once", eventOf("PreToolUse", {}, noon + 2 * second), other, asked, false],
        ["another call that begins later", eventOf("PreToolUse", {}, noon + 2 * second + 1), other, asked, true],
        ["another tool with the same input", eventOf("PreToolUse"), { call: { ...call, tool: "Read" } }, asked, false],
        [
          "another call that had begun",
          eventOf("PostToolUse", {}, noon + minute),
          { ...other, begunAt: noon },
          asked,
          false,
        ],
        [
          "one that began since",
          eventOf("PostToolUse", {}, noon + minute),
          { ...other, begunAt: noon + 3 * second },
          asked,
          true,
        ],
        ["another call that began at no known time", eventOf("PostToolUse", {}, noon + minute), other, asked, true],
      ],
      ([_what, event, facts, each, isClosed]) => {
        expect(closes(typeof event === "string" ? eventOf(event) : event, facts, each)).toBe(isClosed);
      },
    ));
});

it("the end of a turn is closed by the next end and by a prompt, a failure only by a prompt", () => {
  const closed = (name: string, each: OpenEvent): boolean => closes(eventOf(name), {}, each);
  const names = ["UserPromptSubmit", "Stop", "StopFailure", "Interrupt", "PreToolUse", "SessionEnd", "Notification"];
  expect(names.filter((name) => closed(name, ended))).toEqual(["UserPromptSubmit", "Stop", "StopFailure", "Interrupt"]);
  expect(names.filter((name) => closed(name, failed))).toEqual(["UserPromptSubmit"]);
});

it("a subagent's tools say nothing of the turn, and an event's meaning counts before its name", () => {
  expect(roleOf(eventOf("PreToolUse", { subagent: "h1" }))).toBeUndefined();
  expect(roleOf(eventOf("PostToolUse", { subagent: "h1" }))).toBeUndefined();
  expect(roleOf(eventOf("SubagentStop", { subagent: "h1" }))).toBe("subagentEnds");
  expect(roleOf(eventOf("Stop", { isAnswer: true }))).toBe("answer");
  expect(roleOf(eventOf("Stop", { means: "interrupted" }))).toBe("interrupt");
  expect(roleOf(eventOf("Stop", { means: "resumed" }))).toBe("resumed");
  expect(roleOf(eventOf("SubagentStop", { means: "resumed" }))).toBe("subagentEnds");
  expect(roleOf(eventOf("Notification", { notificationType: "quota_auto_resume_fired" }))).toBe("resumed");
  expect(roleOf(eventOf("SessionStart", { means: "compacted" }))).toBeUndefined();
  expect(roleOf(eventOf("constructor"))).toBeUndefined();
});

describe("what is open", () => {
  it("are questions and ends of turns, with what their call is", () => {
    const opened = (event: AgentEvent, facts: CallFacts = {}, open?: OpenEvent[]) => openedBy(event, noon, facts, open);
    expect(opened(question, { call, question: "q1" })).toMatchObject({
      id: question.id,
      at: noon,
      call,
      question: "q1",
    });
    expect(opened(eventOf("Stop", { message: "Done." }))).toMatchObject({ name: "Stop", words: "Done." });
    expect(opened(eventOf("PreToolUse"))).toBeUndefined();
    expect(opened({ ...question, means: "resumed" })).toBeUndefined();
    expect(opened({ ...question, subagent: "h1" })).toMatchObject({ helper: "h1" });
    expect(opened({ ...question, isReviewed: true })).toMatchObject({ isReviewed: true });
    expect(opened(question)).not.toHaveProperty("isReviewed");
  });

  it("repeats the call of the question before it, if it names none", () => {
    const repeated = openedBy(question, noon, {}, [{ ...asked, helper: "h1" }, ended]);
    expect(repeated).toMatchObject({ call, helper: "h1" });
    const own = { tool: "Read", input: "a.txt" };
    const named = openedBy(question, noon, { call: own }, [{ ...asked, helper: "h1" }]);
    expect(named?.call).toEqual(own);
    expect(named?.helper).toBeUndefined();
  });

  it("are the newest sixteen; the newest sixty-four that were closed say after how long", () => {
    const open = Array.from({ length: 16 }, (_, index) => ({ ...asked, id: `evt_${index}`, at: noon + index }));
    const session: Session = { ...blankSession, open, closed: [] };
    const more = withOpen(session, noon + second, () => false, asked);
    expect(more.open?.map(({ id }) => id)).toEqual([...open.slice(1).map(({ id }) => id), asked.id]);
    expect(more.closed).toEqual([]);
    const again = withOpen(session, noon + second, () => false, { ...asked, id: "evt_3" });
    expect(again.open).toHaveLength(16);
    expect(again.open?.at(-1)?.id).toBe("evt_3");
    const none = withOpen(session, noon + 10, () => true);
    expect(none.open).toEqual([]);
    expect(none.closed?.[0]).toEqual({ id: "evt_0", afterMs: 10 });
    expect(none.closed?.at(-1)).toEqual({ id: "evt_15", afterMs: 0 });
    const before = Array.from({ length: 64 }, (_, index) => ({ id: `old_${index}`, afterMs: 1 }));
    const full = withOpen({ ...session, closed: before }, noon, () => true);
    expect(full.closed).toHaveLength(64);
    expect(full.closed?.[0]?.id).toBe("old_16");
  });
});

describe("a question that the agent's own reviewer decides", () => {
  const open = [{ ...asked, isReviewed: true }];
  const over = (at: number) =>
    sessionObserved({ ...blankSession, open }, { kind: "reviewOver", source: "hook", at: noon + at });

  it("asks the person once the reviewer's time is over", () => {
    expect(over(maxReviewMs - 1).state.kind).toBe("unknown");
    expect(over(maxReviewMs).state).toMatchObject({ kind: "needsYou", question: asked.id });
  });
});

describe("a session that others were started by", () => {
  const child = (name: string, session: string, helperOf?: string) => eventOf(name, { session, helperOf });
  const begun = (parent: Session, session: string): Session =>
    parentAfter(parent, child("SessionStart", session, "s1")) ?? parent;
  const running: Session = {
    ...blankSession,
    state: { kind: "working", since: noon, reason: "", source: "hook", turn: { helpers: 0 } },
  };
  const subagentsOf = ({ state }: Session): unknown => (state.kind === "working" ? state.turn.helpers : state.kind);

  it("counts each of them once, from its beginning to its end", () => {
    const one = begun(running, "s2");
    const two = begun(begun(one, "s3"), "s3");
    expect([one, two].map(subagentsOf)).toEqual([1, 2]);
    expect(two.helpers).toEqual([
      { session: "s2", since: noon },
      { session: "s3", since: noon },
    ]);
    for (const name of ["Stop", "StopFailure", "SessionEnd"]) {
      const left = parentAfter(two, child(name, "s2"));
      expect(left?.helpers).toEqual([{ session: "s3", since: noon }]);
      expect(left && subagentsOf(left)).toBe(1);
    }
  });

  it("changes nothing by a session that it did not start, nor by another event", () => {
    const one = begun(running, "s2");
    expect(parentAfter(one, child("Stop", "s9"))).toBeUndefined();
    expect(parentAfter(one, child("PreToolUse", "s2"))).toBeUndefined();
    expect(parentAfter(one, child("SessionStart", "s9"))).toBeUndefined();
  });
});
