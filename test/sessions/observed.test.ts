// What an observation changes: news that is older than the state changes nothing, and what is known of the turn stays.
import { describe, expect, it } from "vitest";
import { isLive } from "../../src/sessions/describe.ts";
import { sessionAfter, sessionObserved, type Observation } from "../../src/sessions/reduce.ts";
import { turnStartOf, type Session } from "../../src/sessions/state.ts";
import { blankSession, eventOf, minute, noon, second } from "../policies/messages.ts";
import { recordOf } from "../support/project/session-record.ts";

function after(...names: [name: string, facts?: Parameters<typeof eventOf>[1]][]): Session {
  return names.reduce<Session>(
    (session, [name, facts], index) =>
      sessionAfter(session, eventOf(name, { ...facts, id: `evt_${index}` }, noon + index * minute)),
    blankSession,
  );
}
const works = after(["UserPromptSubmit"]);
const seen = (session: Session, kind: string, at: number): Session["state"] =>
  sessionObserved(session, { kind, what: "server_error", source: "transcript", at } as Observation).state;

describe("a session that works", () => {
  it("is stopped or has failed from the moment on at which it began, and not by an older line", () => {
    for (const [kind, expected] of [
      ["interrupted", "interrupted"],
      ["failed", "failed"],
    ] as const) {
      expect(seen(works, kind, noon - 1).kind).toBe("working");
      expect(seen(works, kind, noon).kind).toBe(expected);
      expect(seen(works, kind, noon + 1).kind).toBe(expected);
    }
  });

  it("was stopped, though the agent has noted a moment before that it is idle", () => {
    const idle = (source: "transcript" | "hook"): Session => ({
      ...works,
      state: { kind: "idle", since: noon + minute, reason: "It waits for your prompt.", source },
    });
    expect(seen(idle("transcript"), "interrupted", noon + minute - 40).kind).toBe("interrupted");
    expect(seen(idle("transcript"), "interrupted", noon + minute - 3 * second).kind).toBe("idle");
    expect(seen(idle("hook"), "interrupted", noon + minute - 40).kind).toBe("idle");
  });

  it("has failed also where it asks", () => {
    expect(seen(after(["UserPromptSubmit"], ["PermissionRequest"]), "failed", noon + minute).kind).toBe("failed");
  });
});

it("a session that asks still asks, in the turn that it is in, after an older line of the transcript", () => {
  const asks = after(["UserPromptSubmit"], ["PermissionRequest"]);
  for (const kind of ["interrupted", "failed"]) expect(seen(asks, kind, noon + minute - 1)).toEqual(asks.state);
  // The hook of the question came late: it asked before the turn that was seen to go on.
  const goesOn = after(["UserPromptSubmit"], ["Stop"], ["UserPromptSubmit"]);
  const asksLate = sessionAfter(goesOn, eventOf("PermissionRequest", { id: "evt_9" }, noon + 2 * minute - 10));
  expect(seen(asksLate, "interrupted", noon + 2 * minute - 5)).toMatchObject({
    kind: "working",
    turn: { startedAt: noon + 2 * minute },
  });
});

it("an answer that the transcript shows is said to come from there", () => {
  const asks = after(["UserPromptSubmit"], ["PermissionRequest"]);
  expect(seen(asks, "answered", noon + 2 * minute)).toMatchObject({ kind: "working", source: "transcript" });
  expect(seen(works, "answered", noon + minute)).toEqual(works.state);
});

it("a session that has ended stays ended as it was when its process ends", () => {
  const ended = after(["UserPromptSubmit"], ["SessionEnd"]);
  expect(seen(ended, "processGone", noon + 2 * minute)).toEqual(ended.state);
});

it("a turn that waits for subagents goes on as the turn that it was, with those that still run", () => {
  const waits = after(["UserPromptSubmit"], ["Stop", { runningHelpers: 2 }]);
  expect(turnStartOf(waits)).toBe(noon);
  const { state } = sessionAfter(waits, eventOf("PreToolUse", { id: "evt_9" }, noon + 2 * minute));
  expect(state).toMatchObject({ kind: "working", turn: { startedAt: noon, helpers: 2 } });
  expect(turnStartOf(works)).toBe(noon);
  expect(turnStartOf(after(["UserPromptSubmit"], ["Stop"]))).toBeUndefined();
});

it("a subagent's session is listed only while it asks", () => {
  const helper = recordOf({ agent: "codex", session: "h", helperOf: "s1", lastSeenAt: noon });
  const asks = after(["UserPromptSubmit"], ["PermissionRequest"]);
  expect(isLive({ ...helper, state: works.state }, noon)).toBe(false);
  expect(isLive({ ...helper, state: asks.state }, noon)).toBe(true);
  expect(isLive({ ...helper, helperOf: undefined, state: works.state }, noon)).toBe(true);
});

it("an end that was seen here is seen also by the word of its machine, within a second, and nothing else is", () => {
  const done = after(["Stop"]);
  const clicked = sessionObserved(done, { kind: "acted", how: "clicked", at: noon + 1, source: "person" });
  const told = (state: Session["state"]) => {
    const session = { lastSeenAt: noon, state };
    return sessionObserved(clicked, { kind: "told", source: "hook", at: noon + 5 * second, session }).state;
  };
  const { state } = done;
  expect(told({ ...state, since: noon + second })).toMatchObject({ kind: "done", isSeen: true });
  expect(told({ ...state, since: noon + second + 1 })).toMatchObject({ kind: "done", isSeen: false });
  expect(told(works.state)).toEqual(works.state);
});
