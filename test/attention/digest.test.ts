// The data of a digest: sums by project, failures, what still waits, and when the work was done.
import { describe, expect, it } from "vitest";
import { digestOf, type DigestEvent } from "../../src/attention/digest.ts";
import { eventOf, hour, minute, noon, question } from "./messages.ts";

const span = { from: noon - 24 * hour, to: noon };

function told(name: string, agoMs: number, more: Partial<DigestEvent["event"]> = {}): DigestEvent {
  return { event: eventOf(name, more, noon - agoMs), sent: 1, withheld: 0 };
}

describe("digestOf", () => {
  it("adds up what ran, the most work first", () => {
    const digest = digestOf(
      [
        told("Stop", hour, { durationMs: 5 * minute }),
        told("Stop", 2 * hour, { durationMs: 20 * minute, project: "api", agent: "codex" }),
        told("Stop", 3 * hour, { durationMs: 10 * minute, project: "api", agent: "droid" }),
        { ...told("StopFailure", 3 * hour, { message: "rate limit" }), sent: 0, withheld: 2 },
        told("Notification", hour),
        told("SubagentStop", hour, { durationMs: hour }),
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
      sent: 5,
      withheld: 2,
    });
    expect(digest.failures).toEqual([
      { at: noon - 3 * hour, project: "shop-web", agent: "claude-code", words: "rate limit" },
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
      { agent: "codex", session: "s1", project: "api", open },
      { agent: "codex", session: "s2", project: "idle" },
    ];
    expect(digestOf([], sessions, span).waiting).toEqual([
      { agent: "codex", session: "s1", project: "api", question: open[0] },
    ]);
  });

  it("of nothing is empty", () => {
    expect(digestOf([], [], span)).toMatchObject({ projects: [], failures: [], waiting: [] });
  });
});
