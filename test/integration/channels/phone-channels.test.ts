// Channels for phones and for people on call, from the hook's file to the vendor's door.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

const routingKey = "s3cretRoutingKeyOfPagerDuty00001";

describe("an incident at PagerDuty", () => {
  it("opens when the session needs someone, and ends with the next prompt or when the session goes on", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 202, body: '{"status":"success"}' } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { "on-call": { type: "pagerduty", server: receiver.origin, routingKey } },
      rules: [{ name: "all", when: { event: ["Notification", "Stop"] }, notify: ["on-call"] }],
    });
    const events: [string, string][] = [
      ["Notification", "s1"],
      ["UserPromptSubmit", "s1"],
      ["UserPromptSubmit", "s1"],
      ["Notification", "s2"],
      ["Notification", "s2"],
      ["Stop", "s2"],
    ];
    const counts: number[] = [];
    for (const [event, session] of events) {
      running.accept(event, { session_id: session });
      await running.run({ idleMs: 0 });
      counts.push(receiver.requests.length);
    }
    expect(counts).toEqual([1, 2, 2, 3, 4, 5]);
    const asked = receiver.requests.map(({ body }) => JSON.parse(body) as { event_action: string; dedup_key: string });
    expect(asked.map(({ event_action }) => event_action)).toEqual([
      "trigger",
      "resolve",
      "trigger",
      "trigger",
      "resolve",
    ]);
    const [first, ended, second, again, done] = asked.map(({ dedup_key }) => dedup_key);
    expect(ended).toBe(first);
    expect([again, done]).toEqual([second, second]);
    expect(second).not.toBe(first);
    expect(JSON.stringify(running.journal())).not.toContain(routingKey);
    await receiver.close();
  });

  it("that cannot be ended is in the journal", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 202, body: '{"status":"success"}' } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { "on-call": { type: "pagerduty", server: receiver.origin, routingKey } },
      rules: [{ name: "all", when: { event: "Notification" }, notify: ["on-call"] }],
    });
    running.accept("Notification");
    await running.run({ idleMs: 0 });
    receiver.behave({ answer: 500, body: routingKey });
    running.accept("UserPromptSubmit");
    await running.run({ idleMs: 0 });
    expect(running.journal("notice")).toMatchObject([
      { channel: "on-call", title: "not withdrawn", body: expect.stringContaining("answered 500") },
    ]);
    expect(JSON.stringify(running.journal())).not.toContain(routingKey);
    await receiver.close();
  });
});

describe("ntfy", () => {
  it("gets none of the agent's words unless the server is known to be another than ntfy.sh, or the person says so", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 200, body: '{"id":"x"}' } });
    const running = prepareDispatcher();
    const file = join(running.dispatcher.tools.home, "server");
    writeFileSync(file, receiver.origin);
    running.writeRules({
      channels: {
        open: { type: "ntfy", server: { file }, topic: "open" },
        said: { type: "ntfy", server: { file }, topic: "said", content: "summary" },
        own: { type: "ntfy", server: receiver.origin, topic: "own" },
      },
      rules: [{ name: "all", notify: ["open", "said", "own"] }],
    });
    running.accept("Stop", { last_assistant_message: "Sesame" });
    await running.run({ idleMs: 0 });
    const bodies = new Map(receiver.requests.map(({ body }) => [(JSON.parse(body) as { topic: string }).topic, body]));
    expect(bodies.get("open")).toContain("shop-web");
    expect(bodies.get("open")).not.toContain("Sesame");
    expect(bodies.get("said")).toContain("Sesame");
    expect(bodies.get("own")).toContain("Sesame");
    await receiver.close();
  });

  it("is left alone for the rest of the day when the day's messages are used up", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 429, body: '{"code":42908,"http":429}' } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { phone: { type: "ntfy", server: receiver.origin, topic: "mine" } },
      rules: [{ name: "all", notify: ["phone"] }],
    });
    running.accept("Stop", { session_id: "s1" });
    await running.run({ idleMs: 0, isLeavingRetries: true });
    running.accept("Stop", { session_id: "s2" });
    await running.run({ idleMs: 0, isLeavingRetries: true });
    expect(receiver.requests).toHaveLength(1);
    const [attempt] = running.journal("attempt");
    expect(attempt).toMatchObject({ reason: "rateLimited", next: "retry" });
    await receiver.close();
  });
});
