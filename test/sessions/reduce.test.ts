// The session model: which state follows which event or observation, in any order.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentEventNames } from "../../src/agents/event-names.ts";
import { knownEventNames, type AgentEvent } from "../../src/model/event.ts";
import { sessionAt } from "../../src/sessions/describe.ts";
import { sessionAfter, sessionObserved, type Observation } from "../../src/sessions/reduce.ts";
import { questionsOf, turnOf, type Session, type StateKind } from "../../src/sessions/state.ts";
import { blankSession, eventOf, hour, minute, noon, second } from "../policies/messages.ts";
import "../support/random/fixed-seed.ts";
import { everyRow } from "../support/rows.ts";

type Step = (Pick<AgentEvent, "name"> & Partial<AgentEvent>) | Pick<Observation, "kind"> | string;

const observed = new Set(["answered", "interrupted", "idle", "failed", "processGone", "acted"]);

/** The steps are ten seconds apart. */
function sessionOf(steps: readonly Step[], session: Session = blankSession): Session {
  return steps.reduce<Session>((before, step, index) => {
    const at = noon + (index + 1) * 10 * second;
    if (typeof step === "object" && "kind" in step) {
      return sessionObserved(before, { source: "transcript", at, ...step } as Observation);
    }
    if (typeof step === "string" && observed.has(step)) {
      return sessionObserved(before, { kind: step, source: "transcript", at } as Observation);
    }
    const event = typeof step === "string" ? { name: step } : step;
    return sessionAfter(before, eventOf(event.name, { ...event, id: `evt_${index}` }, at));
  }, session);
}

const prompt = "UserPromptSubmit";
const asks = "PermissionRequest";
const answered = { kind: "acted", how: "answered by Ann", isAnswer: true } as const;
const idle = { name: "Notification", notificationType: "idle_prompt" };
const quota = (notificationType: string, level: AgentEvent["level"]) => ({
  name: "Notification",
  notificationType,
  level,
});

describe("a session at a usage limit", () => {
  const message = "You've hit your 5-hour limit · resets 10pm (UTC)";
  const failure = { name: "StopFailure", reason: "rate_limit", message };

  it("waits until the limit resets, as the agent says, and is unknown afterwards", () => {
    const session = sessionOf([prompt, failure]);
    const until = Date.parse(`${new Date(noon).toISOString().slice(0, 10)}T22:00:00Z`);
    expect(session.state).toMatchObject({ kind: "waitsForLimit", until });
    expect(session.state.reason).toMatch(
      /^Its turn ended at a limit of the model's provider; it resets at \d\d:\d\d\.$/,
    );
    expect(sessionAt(session, until - 1).state.kind).toBe("waitsForLimit");
    expect(sessionAt(session, until).state.kind).toBe("unknown");
  });

  it("does not know when, where the agent does not say", () => {
    const { state } = sessionOf([prompt, { ...failure, message: "API Error: 429" }]);
    expect(state).toMatchObject({
      kind: "waitsForLimit",
      reason: "Its turn ended at a limit of the model's provider.",
    });
    expect(state).not.toMatchObject({ until: expect.any(Number) as unknown });
  });
});

describe("the state", () => {
  it("follows from the events, in their order", () =>
    everyRow<[expected: StateKind, ...steps: Step[]]>(
      [
        ["unknown"],
        ["unknown", "ConfigChange"],
        ["idle", "SessionStart"],
        ["working", "SessionStart", prompt],
        ["working", "PreToolUse"],
        ["working", prompt, "PreToolUse", "PostToolUseFailure"],
        ["working", "beforeSubmitPrompt", "postToolUse"],
        ["needsYou", prompt, asks],
        ["needsYou", prompt, "Elicitation"],
        ["needsYou", prompt, { name: "Notification", level: "attention" }],
        ["needsYou", prompt, asks, { name: "PostToolUse", subagent: "explorer" }],
        ["needsYou", prompt, asks, "SubagentStop"],
        ["needsYou", prompt, asks, idle],
        ["needsYou", prompt, asks, { kind: "acted", how: "clicked" } as Step],
        ["needsYou", prompt, asks, { name: prompt, means: "resumed" }],
        ["working", prompt, asks, "PostToolUse"],
        ["working", prompt, asks, answered as Step],
        ["needsYou", prompt, asks, answered as Step, asks],
        ["working", prompt, asks, "answered"],
        ["working", prompt, asks, { name: "permission.replied", isAnswer: true }],
        ["working", prompt, "Elicitation", { name: "ElicitationResult", isAnswer: true }],
        ["waitsForHelpers", prompt, "SubagentStart", { name: "Stop", runningHelpers: 1 }],
        ["waitsForHelpers", prompt, { name: "Stop", runningHelpers: 1 }, "SubagentStop"],
        ["working", prompt, { name: "Stop", runningHelpers: 1 }, { name: "SubagentStop", means: "resumed" }],
        [
          "interrupted",
          prompt,
          asks,
          { name: "Stop", means: "interrupted" },
          { name: "permission.replied", isAnswer: true },
        ],
        ["interrupted", prompt, asks, "interrupted"],
        ["interrupted", prompt, "interrupted"],
        ["interrupted", prompt, "Interrupt"],
        ["interrupted", prompt, { name: "Stop", means: "interrupted" }],
        ["done", prompt, "Stop", "interrupted"],
        ["working", prompt, "interrupted", prompt],
        ["done", prompt, "Stop"],
        ["done", prompt, "Stop", idle],
        ["idle", prompt, idle],
        ["idle", idle],
        ["idle", { name: "SessionStart", means: "compacted" }],
        ["idle", prompt, "idle"],
        ["done", prompt, "Stop", "idle"],
        ["failed", prompt, { kind: "failed", what: "unauthorized" } as Step],
        ["waitsForLimit", prompt, { kind: "failed", what: "usage_limit_exceeded" } as Step],
        ["done", prompt, "Stop", { kind: "failed", what: "unauthorized" } as Step],
        ["waitsForHelpers", prompt, { name: "Stop", runningHelpers: 2 }],
        ["waitsForHelpers", prompt, { name: "Stop", runningHelpers: 1 }, { name: "SubagentStop", runningHelpers: 0 }],
        ["working", { name: "Stop", runningHelpers: 1 }, { name: prompt, means: "resumed" }],
        ["failed", prompt, { name: "StopFailure", reason: "server_error" }],
        ["waitsForLimit", prompt, { name: "StopFailure", reason: "rate_limit" }],
        [
          "failed",
          prompt,
          {
            name: "StopFailure",
            reason: "rate_limit",
            message: "API Error: Server is temporarily limiting requests (not your usage limit)",
          },
        ],
        ["working", { name: "StopFailure", reason: "rate_limit" }, quota("quota_auto_resume_fired", "info")],
        ["needsYou", { name: "StopFailure", reason: "rate_limit" }, quota("quota_auto_resume_stale", "attention")],
        ["gone", prompt, "SessionEnd"],
        ["gone", prompt, asks, "SessionEnd"],
        ["gone", prompt, asks, "processGone"],
        ["gone", "SessionEnd", "processGone"],
        ["gone", prompt, "SessionEnd", { name: "Notification", means: "interrupted" }],
        ["idle", prompt, "processGone", "SessionStart"],
        ["working", prompt, { name: "SessionStart", means: "compacted" }],
        ["working", prompt, "PreCompact", "PostCompact"],
        ["done", prompt, "Stop", "PreCompact"],
        ["done", prompt, "Stop", "TeammateIdle"],
        ["done", prompt, "Stop", "SubagentStart"],
      ],
      ([expected, ...steps]) => {
        const { state } = sessionOf(steps);
        expect(state.kind).toBe(expected);
        expect(state.reason).toMatch(/^[A-Z].*\.$/);
      },
      (row) => JSON.stringify(row),
    ));

  it("says who told of it", () => {
    expect(sessionOf([prompt]).state.source).toBe("hook");
    expect(sessionOf([prompt, "interrupted"]).state).toMatchObject({ source: "transcript", since: noon + 20 * second });
    const gone = { kind: "processGone", source: "process" } as Step;
    expect(sessionOf([prompt, gone]).state).toMatchObject({
      source: "process",
      turn: { startedAt: noon + 10 * second },
    });
  });

  it("says whether the last words of a turn are a question, and is done either way", () => {
    const after = (message: string) => sessionAfter(blankSession, eventOf("Stop", { message }, noon)).state;
    expect(after("Shall I push?")).toMatchObject({ kind: "done", reason: "Its turn ended with a question." });
    expect(after("All is pushed.")).toMatchObject({ kind: "done", reason: "Its turn ended." });
  });

  it("begins when the session began to be so, not at its last event", () => {
    const since = (...steps: Step[]): number => (sessionOf(steps).state.since - noon) / second;
    expect(since(prompt, "PreToolUse", "PostToolUse")).toBe(10);
    expect(since(prompt, asks, asks)).toBe(20);
    expect(since(prompt, asks, "PostToolUse", "PreToolUse")).toBe(30);
  });

  it("knows the tool that runs and the subagents that are left", () => {
    const running = sessionOf([prompt, { name: "PreToolUse", request: "run `npm test`?" }, "SubagentStart"]);
    expect(turnOf(running)).toMatchObject({
      tool: { since: noon + 20 * second, words: "run `npm test`" },
      helpers: 1,
    });
    expect(turnOf(sessionOf(["PostToolUse"], running))).toMatchObject({
      tool: undefined,
      lastTool: "run `npm test`",
      helpers: 1,
    });
    const ended = sessionOf([prompt, { name: "PostToolUse", request: "edit a.ts?" }]);
    expect(turnOf(ended)).toMatchObject({ lastTool: "edit a.ts" });
    expect(sessionOf([{ name: "Stop", runningHelpers: 2 }]).state).toMatchObject({ helpers: 2 });
  });

  it("needs the person until each question is answered, where the answer names its question", () => {
    const reply = eventOf("permission.replied", { isAnswer: true }, noon + 4 * second);
    const asking = ["first", "second"].reduce<Session>(
      (session, question, index) =>
        sessionAfter(session, eventOf(asks, { id: question }, noon + index * second), { question }),
      sessionOf([prompt]),
    );
    const left = (session: Session): string[] => questionsOf(session).map(({ id }) => id);
    const after = sessionAfter(asking, reply, { question: "second" });
    expect([after.state.kind, left(after)]).toEqual(["needsYou", ["first"]]);
    const done = sessionAfter(after, reply, { question: "first" });
    expect([done.state.kind, left(done)]).toEqual(["working", []]);
    expect(left(sessionAfter(asking, reply))).toEqual([]);
  });

  it("of a session that the person has reacted to is seen", () => {
    expect(sessionOf(["Stop", { kind: "acted", how: "clicked" } as Step]).state).toMatchObject({ isSeen: true });
  });

  it("stays the end that it is when a slower hook of the turn comes after it", () => {
    const ended = sessionOf([prompt, "Stop"]);
    const late = eventOf("PostToolUse", {}, ended.state.since - 100);
    expect(sessionAfter(ended, late).state).toEqual(ended.state);
  });

  it("is not ended by an old line of the transcript", () => {
    const again = sessionOf([prompt, asks, "PostToolUse"]);
    const old = { kind: "interrupted", source: "transcript", at: noon + 25 * second } as const;
    expect(sessionObserved(again, old).state.kind).toBe("working");
  });
});

describe("what a silent session is", () => {
  it("follows from how long it was silent", () =>
    everyRow<[silentMs: number, expected: StateKind, ...steps: Step[]]>(
      [
        [hour, "working", prompt],
        [2 * hour, "unknown", prompt],
        [11 * hour, "needsYou", prompt, asks],
        [12 * hour, "unknown", prompt, asks],
        [12 * hour, "unknown", "Stop"],
        [100 * hour, "gone", "SessionEnd"],
        [
          9 * second,
          "waitsForHelpers",
          { name: "Stop", runningHelpers: 1 },
          { name: "SubagentStop", runningHelpers: 0 },
        ],
        [10 * second, "done", { name: "Stop", runningHelpers: 1 }, { name: "SubagentStop", runningHelpers: 0 }],
        [29 * minute, "waitsForHelpers", { name: "Stop", runningHelpers: 1 }],
        [30 * minute, "done", { name: "Stop", runningHelpers: 1 }],
      ],
      ([silentMs, expected, ...steps]) => {
        const session = sessionOf(steps);
        expect(sessionAt(session, session.lastSeenAt + silentMs).state.kind).toBe(expected);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("the running turn", () => {
  const first = { name: prompt, turn: "t1" };

  /** `start` counts the steps. */
  it("begins where the agent began to work", () =>
    everyRow<[what: string, steps: Step[], start: number | undefined]>(
      [
        ["has not begun", [asks], undefined],
        ["begins with a prompt", [prompt, asks], 1],
        ["begins anew with another prompt", [prompt, prompt], 2],
        ["goes on when the agent repeats its prompt after an answer", [first, asks, first], 1],
        ["begins anew with the next turn's prompt", [first, { ...first, turn: "t2" }], 2],
        ["ends", [prompt, "Stop"], undefined],
        ["breaks off", [prompt, "StopFailure"], undefined],
        ["is stopped", [prompt, "interrupted"], undefined],
        ["ends with the session", [prompt, "SessionEnd"], undefined],
        ["may begin again after its end", [first, "Stop", first], 3],
      ],
      ([_what, steps, start]) => {
        const last = sessionOf(steps);
        expect(last.lastSeenAt).toBe(noon + steps.length * 10 * second);
        expect(turnOf(last)?.startedAt).toBe(start === undefined ? undefined : noon + start * 10 * second);
      },
    ));
});

describe("in any order, and repeated", () => {
  const names = [...new Set([...knownEventNames, ...agentEventNames, "Interrupt", "constructor", ""])];
  const event = fc
    .record({
      name: fc.oneof(fc.constantFrom(...names), fc.constantFrom(prompt, asks, "Stop", "PostToolUse", "Notification")),
      id: fc.integer({ min: 1, max: 12 }).map((id) => `evt_${id}`),
      atMs: fc.integer({ min: 0, max: 4 * hour }),
      level: fc.constantFrom("info", "attention", "error" as const),
      more: fc.constantFrom<Partial<AgentEvent>>(
        {},
        { subagent: "a1" },
        { turn: "t1" },
        { isAnswer: true },
        { runningHelpers: 1 },
        { runningHelpers: 0 },
        { means: "interrupted" },
        { means: "resumed" },
        { means: "compacted" },
        { notificationType: "idle_prompt" },
        { reason: "rate_limit" },
        { request: "run `a`?" },
      ),
    })
    .map(({ name, id, atMs, level, more }) => eventOf(name, { id, level, ...more }, noon + atMs));
  const observation = fc
    .record({
      kind: fc.constantFrom(...observed),
      source: fc.constantFrom("transcript", "process", "person"),
      at: fc.integer({ min: noon, max: noon + 4 * hour }),
      how: fc.constant("clicked"),
      isAnswer: fc.boolean(),
    })
    .map((each) => each as Observation);
  const steps = fc.array(fc.oneof(event, observation), { maxLength: 30 });
  const next = (session: Session, step: AgentEvent | Observation): Session =>
    "kind" in step ? sessionObserved(session, step) : sessionAfter(session, step);

  it("a question is open exactly as long as its session needs the person, and time never runs backwards", () => {
    fc.assert(
      fc.property(steps, (all) => {
        let session = blankSession;
        for (const step of all) {
          const before = session;
          session = next(session, step);
          expect(session.state.kind === "needsYou").toBe(questionsOf(session).length > 0);
          if (session.state.kind === "needsYou") {
            expect(session.state.question).toBe(questionsOf(session).at(-1)?.id);
          }
          expect(session.state.since).toBeGreaterThanOrEqual(before.state.since);
          expect(session.lastSeenAt).toBeGreaterThanOrEqual(before.lastSeenAt);
          expect(session.closed?.every(({ afterMs }) => afterMs >= 0) ?? true).toBe(true);
        }
      }),
    );
  });

  it("after an answer, the session asks what is left, also where the hooks of two questions came out of order", () => {
    const later = eventOf("PermissionRequest", { id: "evt_1", level: "info" }, noon + 1);
    const earlier = eventOf("PermissionRequest", { id: "evt_2", level: "info" }, noon);
    const acted = { kind: "acted", source: "person", at: noon, how: "clicked", isAnswer: true } as Observation;
    const session = [later, earlier, acted].reduce(next, blankSession);
    expect(session.state).toMatchObject({ kind: "needsYou", question: "evt_1" });
  });

  it("nothing works after an end without a sign that is newer", () => {
    const ends = new Set<StateKind>(["done", "failed", "interrupted", "gone", "waitsForLimit"]);
    fc.assert(
      fc.property(steps, (all) => {
        let session = blankSession;
        for (const step of all) {
          const before = session;
          session = next(session, step);
          if (!ends.has(before.state.kind) || session.state.kind !== "working") continue;
          const isSilent = "kind" in step || /^Stop|End$|Compact$|Start$/.test(step.name);
          const isSign = !("kind" in step) && (step.isAnswer === true || step.means === "resumed");
          expect(isSilent && !isSign).toBe(false);
        }
      }),
    );
  });

  it("what has ended is unknown or stays what it was, however long it is silent", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 1000 * hour }), (all, silentMs) => {
        const session = all.reduce(next, blankSession);
        const later = sessionAt(session, session.lastSeenAt + silentMs).state.kind;
        if (later === "working") expect(session.state.kind).toBe("working");
        if (silentMs >= 12 * hour) expect(["unknown", "gone", "done"]).toContain(later);
      }),
    );
  });
});

describe("a session that another machine tells of", () => {
  const told = (session: Partial<Session>, at: number): Observation => {
    const state = { kind: "working", since: noon, reason: "", source: "hook", turn: { helpers: 0 } } as const;
    return { kind: "told", source: "hook", at, session: { lastSeenAt: at, state, ...session } };
  };
  const asked = sessionAfter(blankSession, eventOf(asks, { id: "evt_q" }, noon), { position: "p" });
  const question = { id: "evt_q", at: noon, name: asks };

  it("is as its machine says, whichever comes first, the word or the events before it", () => {
    const after = sessionObserved(asked, told({ closed: [{ id: "evt_q", afterMs: 1 }] }, noon + 100));
    expect([after.state.kind, after.open, after.closed]).toEqual(["working", [], [{ id: "evt_q", afterMs: 100 }]]);
    const first = sessionObserved(blankSession, told({ closed: [{ id: "evt_q", afterMs: 1 }] }, noon + 100));
    const late = sessionAfter(first, eventOf(asks, { id: "evt_q" }, noon));
    expect([late.state, late.open, late.closed]).toEqual([after.state, [], [{ id: "evt_q", afterMs: 1 }]]);
    const stopped = sessionAfter(first, eventOf("Stop", { id: "evt_s" }, noon - minute));
    expect(stopped.state.kind).toBe("working");
  });

  it("keeps what only this machine knows: the question's file, and that the person has seen the end", () => {
    const open = [{ ...question, words: "there" }];
    const after = sessionObserved(asked, told({ open }, noon + 100));
    expect(after.open).toMatchObject([{ id: "evt_q", position: "p" }]);
    const first = sessionObserved(blankSession, told({ open }, noon + 100));
    expect(sessionAfter(first, eventOf(asks, { id: "evt_q" }, noon), { position: "p" }).open).toMatchObject([
      { id: "evt_q", position: "p" },
    ]);
    const done = sessionAfter(blankSession, eventOf("Stop", {}, noon));
    const seen = sessionObserved(done, { kind: "acted", how: "clicked", at: noon + 1, source: "person" });
    const again = sessionObserved(seen, told({ state: { ...done.state, since: noon + 100 } }, noon + 5000));
    expect(again.state).toMatchObject({ kind: "done", isSeen: true });
    const next = sessionObserved(seen, told({ state: { ...done.state, since: noon + minute } }, noon + minute));
    expect(next.state).toMatchObject({ kind: "done", isSeen: false });
  });

  it("goes on with what has happened since", () => {
    const first = sessionObserved(blankSession, told({}, noon));
    const after = sessionAfter(first, eventOf(asks, { id: "evt_q" }, noon + 100));
    expect(sessionObserved(after, told({}, noon + 50))).toEqual(after);
    const later = sessionObserved(after, told({ lastSeenAt: noon }, noon + 500));
    expect(later.state.kind).toBe("needsYou");
  });
});
