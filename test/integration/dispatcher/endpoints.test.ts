import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { breakerThreshold, maxProbeMs } from "../../../src/pipeline/channel/endpoint-policy.ts";
import { listDeliveries, readDelivery, writeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { listEndpoints } from "../../../src/outbox/endpoints.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher, rulesTo, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";

/** Turns the clock in small steps, with time for what they set off, until the check holds. */
async function turnUntil(running: RunningDispatcher, what: string, check: () => boolean, stepMs = 5000): Promise<void> {
  await running.until(what, () => {
    if (!check() && running.requestsUnderWay() === 0) running.clock.turn(stepMs);
    return check();
  });
}

describe("a destination that is down", () => {
  it("is asked by one delivery at a time, ever more seldom, while another gets everything", async () => {
    const down = await startHttpReceiver({ behaviour: { answer: 503 } });
    const up = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        ops: { type: "webhook", url: `${down.origin}/x` },
        other: { type: "webhook", url: `${up.origin}/x` },
      },
      rules: [{ name: "all", notify: ["ops", "other"] }],
    });
    void running.run();
    for (let index = 0; index < 20; index += 1) running.accept("Stop", { session_id: `s${index}` });
    await running.until("all at the other one", () => up.requests.length === 20);
    await running.until("an open breaker", () =>
      listEndpoints(running.dispatcher.layout).some(({ breaker }) => breaker !== undefined),
    );
    expect(down.requests.length).toBe(breakerThreshold);
    // Twenty deliveries wait; the receiver still hears of at most one for each probe.
    running.clock.turn(maxProbeMs);
    await running.until("a probe", () => down.requests.length === breakerThreshold + 1);
    down.behave({ answer: 200 });
    await turnUntil(
      running,
      "the rest",
      () => listDeliveries(running.dispatcher.layout, "outbox").length === 0,
      maxProbeMs,
    );
    expect(new Set(down.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
    expect(listEndpoints(running.dispatcher.layout)).toEqual([]);
  });

  it("gets one summary of what is old when it comes back, newest first", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 503 } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { team: { type: "slack", url: `${receiver.origin}/services/T/B/x` } },
      rules: [{ name: "all", notify: ["team"] }],
    });
    void running.run();
    for (let index = 0; index < 6; index += 1) {
      running.accept("Stop", { last_assistant_message: `message ${index}` });
    }
    await turnUntil(running, "an open breaker", () => receiver.requests.length >= breakerThreshold, 1000);
    await running.until("its answers", () => running.requestsUnderWay() === 0);
    receiver.behave({ answer: 200, body: "ok" });
    const before = receiver.requests.length;
    running.clock.turn(20 * 60_000);
    await turnUntil(running, "the summary", () => listDeliveries(running.dispatcher.layout, "outbox").length === 0);
    const texts = receiver.requests.slice(before).map(({ body }) => JSON.stringify(JSON.parse(body)));
    const summaries = texts.filter((text) => /\d earlier notifications/.test(text));
    expect(summaries.length).toBe(1);
    expect(texts.length).toBeLessThanOrEqual(3);
    const told = [...(summaries[0] ?? "").matchAll(/message (\d)/g)].map(([, index]) => Number(index));
    expect([...new Set(told)]).toEqual([...new Set(told)].toSorted((a, b) => b - a));
    for (let index = 0; index < 6; index += 1) expect(texts.join()).toContain(`message ${index}`);
  });

  it("gets every message where the person wants no summary, and where programs read them", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 503 } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        team: { type: "slack", url: `${receiver.origin}/slack`, summary: false },
        ops: { type: "webhook", url: `${receiver.origin}/ops` },
      },
      rules: [{ name: "all", notify: ["team", "ops"] }],
    });
    void running.run();
    for (let index = 0; index < 6; index += 1) running.accept("Stop", { last_assistant_message: `message ${index}` });
    await turnUntil(running, "open breakers", () => receiver.requests.length >= 2 * breakerThreshold, 1000);
    await running.until("its answers", () => running.requestsUnderWay() === 0);
    receiver.behave({ answer: 200, body: "ok" });
    const before = receiver.requests.length;
    running.clock.turn(20 * 60_000);
    await turnUntil(running, "all", () => listDeliveries(running.dispatcher.layout, "outbox").length === 0);
    expect(receiver.requests.slice(before).filter(({ path }) => path === "/slack").length).toBe(6);
    expect(receiver.requests.slice(before).filter(({ path }) => path === "/ops").length).toBe(6);
  });

  it("is told nothing twice when the dispatcher died between a summary and what it stands for", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const { layout } = running.dispatcher;
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    running.accept("Stop", { last_assistant_message: "old" });
    receiver.behave({ answer: 429, headers: { "retry-after": "60" } });
    await running.run({ idleMs: 0, isLeavingRetries: true });
    const [file = ""] = listDeliveries(layout, "outbox");
    const reading = readDelivery(layout, "outbox", file);
    if (reading.status !== "read") throw new Error("the delivery is missing");
    const summary = {
      ...reading.delivery,
      id: "msg_5ummary",
      kind: "summary" as const,
      summarises: [{ file, at: reading.delivery.event.at, line: "old" }],
    };
    writeDelivery(layout, "outbox", file.replace(/msg_\w+/, "msg_5ummary"), summary);
    receiver.behave({ answer: 200 });
    running.clock.turn(120_000);
    await running.run({ idleMs: 0 });
    expect(receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual([reading.delivery.id, "msg_5ummary"]);
    expect(readdirSync(join(layout.root, "outbox"))).toEqual([]);
  });
});

describe("a destination with a known rate", () => {
  it("is sent no more than that", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 200, body: "ok" } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { team: { type: "slack", url: `${receiver.origin}/services/T/B/x` } },
      rules: [{ name: "all", notify: ["team"] }],
    });
    void running.run();
    for (let index = 0; index < 5; index += 1) running.accept("Stop", { last_assistant_message: `message ${index}` });
    await running.until("the first", () => receiver.requests.length === 1);
    await running.until(
      "the rest in the outbox",
      () => listDeliveries(running.dispatcher.layout, "outbox").length === 4,
    );
    for (let sent = 1; sent < 5; sent += 1) {
      expect(receiver.requests.length).toBe(sent);
      running.clock.turn(1000);
      await running.until("one more", () => listDeliveries(running.dispatcher.layout, "outbox").length === 4 - sent);
    }
    expect(receiver.requests.length).toBe(5);
  });
});

describe("a secret that was wrong", () => {
  it("switches the channel off, and its fixing on again, without a change of the rules", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 401 } });
    const env: Record<string, string> = { TOKEN: "wrong-token" };
    const running = prepareDispatcher(env);
    running.writeRules(rulesTo(`${receiver.origin}/x`, { headers: { Authorization: { env: "TOKEN" } } }));
    void running.run();
    running.accept("Stop");
    await running.until("the notice", () => running.journal("notice").length === 1);
    running.accept("Stop", { session_id: "s2" });
    await running.until(
      "the second",
      () => running.journal("attempt").filter(({ reason }) => reason === "unauthorized").length === 2,
    );
    expect(receiver.requests.length).toBe(1);
    receiver.behave({ answer: 200 });
    env.TOKEN = "right-token";
    running.accept("Stop", { session_id: "s3" });
    await running.until("the delivery", () => receiver.requests.length === 2);
    await running.until("the end of it", () => listEndpoints(running.dispatcher.layout).length === 0);
    expect(running.journal("notice").length).toBe(1);
  });
});
