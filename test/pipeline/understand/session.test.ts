// What a session's record adds to an event: subagents that are sessions of their own, and what was asked before.
import { describe, expect, it } from "vitest";
import { parentAfter, sessionAfter } from "../../../src/sessions/reduce.ts";
import { whySubagentIsSuppressed, withSession } from "../../../src/pipeline/understand/session.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import type { SessionRecord } from "../../../src/outbox/sessions.ts";
import { turnOf } from "../../../src/sessions/state.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { everyRow } from "../../support/rows.ts";

const start = 1_700_000_000_000;
const common = { id: "evt_1", agent: "droid", cwd: "/p", project: "p", host: "h", level: "info" as const };

/** An event of the session `s`, so many milliseconds after the start. */
function event(name: string, afterMs = 0, more: Partial<AgentEvent> = {}): AgentEvent {
  return { ...common, session: "s", name, at: new Date(start + afterMs).toISOString(), ...more };
}

const blank = (session: string): SessionRecord => recordOf({ agent: "droid", session });

describe("a subagent that is a session of its own", () => {
  const begun = event("SessionStart", 0, { session: "helper", helperOf: "s" });
  const prompt = event("UserPromptSubmit", 100, { session: "helper", helperOf: "unknown" });
  const helper = sessionAfter(sessionAfter(blank("helper"), begun), prompt);
  const parent = parentAfter(blank("s"), begun) ?? blank("s");

  it("keeps the turn of its parent from being done, until it has ended", () => {
    expect(withSession(event("Stop", 500), parent).runningHelpers).toBe(1);
    const ended = parentAfter(parent, event("Stop", 900, { session: "helper" })) ?? parent;
    expect(withSession(event("Stop", 1000), ended).runningHelpers).toBe(0);
    expect(parentAfter(ended, event("SessionEnd", 950, { session: "helper" }))).toBeUndefined();
  });

  it("no longer counts when it never reports its end", () => {
    expect(withSession(event("Stop", 3_600_001), parent).runningHelpers).toBe(0);
  });

  it("sends no notification of its own prompt and its own end, but its questions", () => {
    const silent = ["UserPromptSubmit", "Stop", "SessionEnd", "Notification", "SubagentStop"].filter(
      (name) => whySubagentIsSuppressed(event(name, 0, { session: "helper" }), helper) !== undefined,
    );
    expect(silent).toEqual(["UserPromptSubmit", "Stop", "SessionEnd"]);
    expect(helper.helperOf).toBe("s");
    expect(whySubagentIsSuppressed(begun, blank("helper"))).toBeDefined();
    expect(whySubagentIsSuppressed(event("Stop"), blank("s"))).toBeUndefined();
  });

  it("counts those whose starts and ends the agent reports, where the end of one looks like the session's own", () => {
    const step = (
      before: SessionRecord,
      name: string,
      afterMs: number,
      more: Partial<AgentEvent> = {},
    ): SessionRecord => sessionAfter(before, withSession(event(name, afterMs, more), before));
    const begun = step(step(blank("s"), "UserPromptSubmit", 0), "SubagentStart", 100);
    const stopped = step(begun, "Stop", 200);
    expect(stopped.state.kind).toBe("waitsForHelpers");
    const goesOn = step(stopped, "SubagentStop", 300, { means: "resumed" });
    expect([goesOn.state.kind, withSession(event("Stop", 400), goesOn).runningHelpers]).toEqual(["working", undefined]);
    expect(step(goesOn, "Stop", 400).state.kind).toBe("done");
  });

  it("says nothing of subagents where the agent has none, and leaves what the agent says", () => {
    expect(withSession(event("Stop"), blank("s")).runningHelpers).toBeUndefined();
    expect(withSession(event("Stop", 0, { runningHelpers: 3 }), parent).runningHelpers).toBe(3);
  });
});

describe("a turn with subagents", () => {
  it.each([
    [4500, "when its subagents have ended", []],
    [9000, "when it has gone on after them", [event("PreToolUse", 5000)]],
  ])("took %d ms, all of it, %s", (afterMs, _when, more) => {
    const ends = [event("Stop", 1000, { runningHelpers: 1 }), event("SubagentStop", 4000, { runningHelpers: 0 })];
    const session = [event("UserPromptSubmit"), ...ends, ...more].reduce(
      (before, each) => sessionAfter(before, each),
      blank("s"),
    );
    expect(withSession(event("Stop", afterMs), session).durationMs).toBe(afterMs);
  });
});

describe("what was asked before", () => {
  const asked = ["run `a`?", "run `b`?"].reduce(
    (session, request, index) => sessionAfter(session, event("PreToolUse", index * 100, { request })),
    blank("s"),
  );
  const question = (afterMs: number, more: Partial<AgentEvent> = {}): AgentEvent =>
    withSession(event("Notification", afterMs, { notificationType: "permission_prompt", ...more }), asked);

  it("is what the agent says it is", () =>
    everyRow<[what: string, event: AgentEvent, request: string | undefined]>(
      [
        ["is what a Notification is about", question(300), "run `b`?"],
        [
          "is all of it, for several tools",
          question(300, { message: "permission to execute 2 tool(s)" }),
          "run `a`?\nrun `b`?",
        ],
        ["is not what a later one is about", question(20_101), undefined],
        ["is not what a reminder is about", question(300, { notificationType: "idle_prompt" }), undefined],
        [
          "is not what a form is about, which asks in its own words",
          question(300, { notificationType: "elicitation_dialog", message: "shop asks: which table?" }),
          undefined,
        ],
        [
          "is what a question is about that says only how many there are",
          question(300, { notificationType: "elicitation_dialog", message: "is asking the user 1 question(s)" }),
          "run `b`?",
        ],
        ["does not replace what the agent says itself", question(300, { request: "run `c`?" }), "run `c`?"],
      ],
      ([_what, { request }, expected]) => {
        expect(request).toBe(expected);
      },
    ));

  it("is forgotten at the end of the turn, and keeps within bounds", () => {
    expect(turnOf(sessionAfter(asked, event("Stop", 400)))?.requests).toBeUndefined();
    const many = Array.from({ length: 50 }, (_, index) => `run \`${index}\`?`).reduce(
      (session, request) => sessionAfter(session, event("PreToolUse", 0, { request })),
      blank("s"),
    );
    expect(turnOf(many)?.requests).toHaveLength(5);
  });
});
