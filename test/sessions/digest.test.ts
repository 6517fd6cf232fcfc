// The data of a digest: sums by project, failures, what still waits, and when the work was done.
import { describe, expect, it } from "vitest";
import { agentName } from "../../src/agents/index.ts";
import { digestMessage, digestOf, dueSpan, type DigestEvent } from "../../src/sessions/digest.ts";
import { readFigures } from "../../src/agents/dialect/generic.ts";
import { eventOf, hour, minute, noon, question } from "../policies/messages.ts";
import { recordOf } from "../support/project/session-record.ts";
import { everyRow } from "../support/rows.ts";

const span = { from: noon - 24 * hour, to: noon };

function told(name: string, agoMs: number, more: Partial<DigestEvent["event"]> = {}): DigestEvent {
  return { event: eventOf(name, more, noon - agoMs), fate: "sent" };
}

describe("digestOf", () => {
  it("adds up what ran, the most work first", () => {
    const digest = digestOf(
      [
        told("Stop", hour, { durationMs: 5 * minute }),
        told("Stop", 2 * hour, { durationMs: 20 * minute, project: "api", agent: "codex" }),
        told("Stop", 3 * hour, { durationMs: 10 * minute, project: "api", agent: "droid" }),
        { ...told("StopFailure", 3 * hour, { message: "rate limit", sessionName: "cart" }), fate: "withheld" },
        { ...told("SessionStart", hour), fate: undefined },
        { ...told("SessionEnd", hour), fate: "unreached" },
        told("Notification", hour),
        told("SubagentStop", hour, { durationMs: hour }),
        // It is of no project, and the failure of the turn stands for it.
        told("LimitReached", hour, { project: "", session: "usage-limit", level: "error" }),
      ],
      [],
      span,
    );
    expect(digest.projects).toEqual([
      { project: "api", agents: ["codex", "droid"], turns: 2, workMs: 30 * minute, failures: 0, questions: 0 },
      { project: "shop-web", agents: ["claude-code"], turns: 2, workMs: 5 * minute, failures: 1, questions: 1 },
    ]);
    expect(digest.total).toEqual({
      turns: 4,
      workMs: 35 * minute,
      failures: 1,
      questions: 1,
      sent: 6,
      withheld: 1,
      unreached: 1,
    });
    expect(digest.failures).toEqual([
      { at: noon - 3 * hour, project: "shop-web", agent: "claude-code", name: "cart", words: "rate limit" },
    ]);
  });

  it("leaves out what came before and after", () => {
    const events = [told("Stop", 24 * hour + 1), told("Stop", 0), told("Stop", 24 * hour), told("Stop", 1)];
    expect(digestOf(events, [], span).total.turns).toBe(2);
  });

  it("spreads work over the hours that it ran in", () => {
    const { slots } = digestOf([told("Stop", 90 * minute, { durationMs: hour })], [], span);
    expect(slots).toHaveLength(24);
    expect(slots.slice(-3)).toEqual([30 * minute, 30 * minute, 0]);
    expect(slots.slice(0, -3).every((worked) => worked === 0)).toBe(true);
  });

  it("counts no work from before its time", () => {
    const { slots } = digestOf([told("Stop", 23.5 * hour, { durationMs: 10 * hour })], [], span);
    expect(slots[0]).toBe(30 * minute);
    expect(slots.slice(1).every((worked) => worked === 0)).toBe(true);
  });

  it("names what still waits", () => {
    const open = [{ id: question.id, at: noon - minute, name: question.name }];
    const sessions = [
      recordOf({ agent: "codex", session: "s1", project: "api", open }),
      recordOf({ agent: "codex", session: "s2", project: "idle" }),
    ];
    expect(digestOf([], sessions, span).waiting).toEqual([
      { agent: "codex", session: "s1", project: "api", names: {}, isOneOfSeveral: false, question: open[0] },
    ]);
  });

  it("leaves out of the work what the agent waited for you", () => {
    const end = noon - minute;
    const at = (name: string, agoMs: number, more: object = {}) => ({ event: eventOf(name, more, end - agoMs) });
    const events = [
      at("PermissionRequest", 30 * minute),
      at("SubagentStop", 25 * minute),
      at("PermissionRequest", 20 * minute),
      at("PostToolUse", 10 * minute),
      // The last question is answered by the end of the turn.
      at("PermissionRequest", 5 * minute),
      at("Stop", 0, { durationMs: 60 * minute }),
    ];
    const { total, slots } = digestOf(events, [], span);
    expect(total).toMatchObject({ turns: 1, questions: 3, workMs: 35 * minute });
    expect(slots.reduce((sum, each) => sum + each, 0)).toBe(35 * minute);
  });

  it("of nothing is empty", () => {
    expect(digestOf([], [], span)).toMatchObject({ projects: [], failures: [], waiting: [] });
  });
});

describe("dueSpan", () => {
  const everyDay = [0, 1, 2, 3, 4, 5, 6];
  const at = (text: string): number => Date.parse(text);
  it("is the time since the last one that was due", () =>
    everyRow<[string, Parameters<typeof dueSpan>[0], string, string, string]>(
      [
        [
          "today's time",
          { at: 1080, days: everyDay, timeZone: "UTC" },
          "2026-11-28T18:00Z",
          "2026-11-27T18:00Z",
          "2026-11-28T18:00Z",
        ],
        [
          "yesterday's before it",
          { at: 1080, days: everyDay, timeZone: "UTC" },
          "2026-11-28T17:59Z",
          "2026-11-26T18:00Z",
          "2026-11-27T18:00Z",
        ],
        [
          "the weekend on Monday",
          { at: 540, days: [1, 2, 3, 4, 5], timeZone: "UTC" },
          "2026-11-30T10:00Z",
          "2026-11-27T09:00Z",
          "2026-11-30T09:00Z",
        ],
        [
          "a week",
          { at: 540, days: [1], timeZone: "UTC" },
          "2026-12-02T10:00Z",
          "2026-11-23T09:00Z",
          "2026-11-30T09:00Z",
        ],
        [
          "a day of 25 hours",
          { at: 540, days: everyDay, timeZone: "Europe/Berlin" },
          "2026-10-25T08:00Z",
          "2026-10-24T07:00Z",
          "2026-10-25T08:00Z",
        ],
        [
          "the end of Friday",
          { at: 1440, days: [5], timeZone: "UTC" },
          "2026-11-28T00:00Z",
          "2026-11-21T00:00Z",
          "2026-11-28T00:00Z",
        ],
      ],
      ([_name, schedule, now, from, to]) => {
        expect(dueSpan(schedule, at(now))).toEqual({ from: at(from), to: at(to) });
      },
    ));

  it("is the last day where no day is named", () => {
    expect(dueSpan({ at: 540, days: [] }, noon)).toEqual({ from: noon - 24 * hour, to: noon });
  });
});

describe("digestMessage", () => {
  it("has a line for each project, failure and session that waits, and figures that a payload may bring", () => {
    const events = [
      ...Array.from({ length: 7 }, (_, index) =>
        told("Stop", hour, { project: `p${index}`, durationMs: (9 - index) * minute }),
      ),
      told("StopFailure", hour, { project: "p1", message: "rate limit" }),
    ];
    const open = [{ id: question.id, at: noon - minute, name: question.name, words: "May I?" }];
    const { title, message, figures } = digestMessage(
      digestOf(events, [recordOf({ agent: "codex", session: "s1", project: "api", open })], span),
      agentName,
    );
    expect(title).toBe("8 turns, 42m of work, 1 failure");
    expect(message.split("\n")).toEqual([
      expect.stringMatching(/^Since .*:$/),
      "p0: 1 turn, 9m of work",
      "p1: 2 turns, 8m of work, 1 failure",
      "p2: 1 turn, 7m of work",
      "p3: 1 turn, 6m of work",
      "p4: 1 turn, 5m of work",
      "… and 2 more",
      "Failures, newest first:",
      expect.stringMatching(/^\d\d:\d\d {2}p1 \(Claude Code\): rate limit$/),
      "1 session waits for you:",
      expect.stringMatching(/^api \(\d\d:\d\d\): May I\?$/),
    ]);
    expect(readFigures(figures)).toEqual(figures);
    expect(figures?.table?.rows[1]).toEqual(["p1", "8m", "2", "1", "", "Claude Code"]);
  });
});
