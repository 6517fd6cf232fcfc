// What each stage of an event and of a delivery found is on record, without a word of the agent's, and `why` shows it.
import { describe, expect, it } from "vitest";
import { reasonsOf } from "../../src/console/output/show-entry.ts";
import { someOf, withFinding } from "../../src/pipeline/stages.ts";
import type { JournalEntry } from "../../src/outbox/journal.ts";
import { writeIncoming } from "../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../support/project/running-dispatcher.ts";

async function start() {
  const running = prepareDispatcher();
  running.writeRules({
    channels: { ops: { type: "webhook", url: "http://127.0.0.1:9/x", allowHttp: true }, bell: { type: "sound" } },
    rules: [
      { name: "asks", when: { event: "PermissionRequest" }, notify: ["ops", "bell"] },
      { name: "reminds", when: { event: "Notification" }, notify: ["ops"] },
      { name: "ends", when: { event: "Stop" }, notify: ["ops"], longerThan: "1m" },
    ],
  });
  void running.run();
  const { layout } = running.dispatcher;
  const report = async (payload: Record<string, unknown>) => {
    const count = running.journal("decision").length;
    const text = JSON.stringify({ session_id: "s1", cwd: "/srv/shop", ...payload });
    writeIncoming(layout, text, { agentId: "claude-code", nowMs: running.clock.now() });
    await running.until("its decision", () => running.journal("decision").length > count);
    const decision = running.journal("decision").at(-1);
    if (decision === undefined) throw new Error("no decision");
    return decision;
  };
  return Object.assign(report, { until: running.until, attempts: () => running.journal("attempt") });
}

const secretWord = "Xylophone";
const asks = {
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command: `echo ${secretWord}` },
};

describe("the trace of an event", () => {
  it("has a line for each stage that found something, in their order", async () => {
    const report = await start();
    const decision = await report(asks);
    expect(decision.trace).toEqual([
      { stage: "ingest", found: "read as claude-code" },
      { stage: "identify", found: "one session; on this machine" },
      { stage: "enrich", found: "no rule asks where you are; no terminal found; no git work tree" },
      { stage: "track", found: "the session was unknown, is needsYou now; it asks" },
      { stage: "route", found: "1 of 3 rules match; to ops, bell" },
      { stage: "dedupe", found: "news" },
      { stage: "compose", found: "2 messages" },
    ]);
    expect(reasonsOf(decision).stages[3]).toBe("track     the session was unknown, is needsYou now; it asks");
    expect(JSON.stringify(decision.trace)).not.toContain(secretWord);
  });

  it("ends with the stage that suppressed the event, and says by what", async () => {
    const report = await start();
    const asked = await report(asks);
    const { trace, ...decision } = await report({
      hook_event_name: "Notification",
      notification_type: "permission_prompt",
      message: `${secretWord} needs your permission`,
    });
    expect(trace).toMatchObject([
      { stage: "ingest" },
      { stage: "identify" },
      { stage: "enrich" },
      { stage: "track", found: `the session stays needsYou; it reminds of ${String(asked.event)}` },
      { stage: "route" },
      { stage: "dedupe", found: `the question was reported: ${String(asked.event)}` },
    ]);
    expect(decision.why).toBe(`the question was reported: ${String(asked.event)}`);
    expect(JSON.stringify(trace)).not.toContain(secretWord);
  });

  it("says what a policy suppressed on which channel", async () => {
    const report = await start();
    await report({ hook_event_name: "UserPromptSubmit", prompt: secretWord });
    const { trace } = await report({ hook_event_name: "Stop", last_assistant_message: secretWord });
    expect(trace).toContainEqual({ stage: "route", found: "1 of 3 rules match; suppressed: ops by longerThan" });
  });

  it("goes on in each attempt: what was due, and how the channel showed it", async () => {
    const report = await start();
    await report(asks);
    await report.until("two attempts", () => report.attempts().length === 2);
    for (const { trace } of report.attempts()) {
      expect(trace).toEqual([
        { stage: "open", found: "kind: event; attempt 1" },
        { stage: "render", found: "a message" },
      ]);
    }
    expect(reasonsOf(report.attempts()[0] as JournalEntry).stages[1]).toBe("render    a message");
  });

  it("is bounded, however many channels there are", () => {
    const names = Array.from({ length: 50 }, (_, index) => `channel-${index}-${"x".repeat(60)}`);
    const [finding] = withFinding([], "route", someOf(names), undefined, "more");
    expect(finding?.found.length).toBeLessThanOrEqual(200);
    expect(someOf(["a", "b"])).toBe("a, b");
    expect(someOf(["a", "b", "c", "d", "e"])).toBe("a, b, c, d and 1 more");
  });

  it("of an older journal is empty", () => {
    const entry = { at: "2026-11-01T00:00:00.000Z", kind: "decision" as const, rules: [], silent: [] };
    expect(reasonsOf(entry)).toEqual({ matching: [], others: [], stages: [] });
  });
});
