import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDeliveries, readDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { readEndpoint } from "../../../src/outbox/endpoints.ts";
import type { JournalEntry } from "../../../src/outbox/journal.ts";
import { startHttpReceiver, unusedOrigin } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher, rulesTo, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";
import { backoffMs } from "../../../src/pipeline/channel/waiting-delivery.ts";

function attempts(running: RunningDispatcher): unknown[] {
  return running
    .journal("attempt")
    .map(({ outcome, reason, next }) => [outcome, reason, next].filter(Boolean).join(" "));
}

function dead(running: RunningDispatcher): { reason?: string; detail?: string }[] {
  const { layout } = running.dispatcher;
  return listDeliveries(layout, "dead").map((file) => {
    const reading = readDelivery(layout, "dead", file);
    return reading.status === "read" ? (reading.delivery.lastFailure ?? {}) : {};
  });
}

describe("a delivery that fails", () => {
  it("is tried again after its backoff, under the same id, with a new timestamp", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 503 } });
    const running = prepareDispatcher();
    running.writeRules(
      rulesTo(`${receiver.origin}/x`, { secret: "whsec_aG9va2JlbGwtdGVzdC1zZWNyZXQtMzItYnl0ZXMhIQ==" }),
    );
    running.accept("Stop");
    void running.run();
    await running.until("the first failure", () => attempts(running).length === 1);
    expect(attempts(running)).toEqual(["failed serverError retry"]);
    running.clock.turn(backoffMs(1, () => 1) - 1);
    receiver.behave({ answer: 200 });
    running.clock.turn(1);
    await running.until("the delivery", () => attempts(running).length === 2);
    expect(attempts(running)[1]).toBe("delivered done");
    const [first, second, ...more] = receiver.requests.map(({ headers }) => headers);
    expect(more).toEqual([]);
    expect(second?.["webhook-id"]).toBe(first?.["webhook-id"]);
    expect(Number(second?.["webhook-timestamp"])).toBeGreaterThan(Number(first?.["webhook-timestamp"]));
    expect(listDeliveries(running.dispatcher.layout, "outbox")).toEqual([]);
  });

  it("waits as long as the receiver asks, and with it all others for that receiver, and no one else", async () => {
    const limited = await startHttpReceiver({ behaviour: { answer: 429, headers: { "retry-after": "120" } } });
    const free = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        ops: { type: "webhook", url: `${limited.origin}/x` },
        other: { type: "webhook", url: `${free.origin}/x` },
      },
      rules: [{ name: "all", notify: ["ops", "other"] }],
    });
    running.accept("Stop");
    void running.run();
    await running.until("the refusal", () => readEndpoint(running.dispatcher.layout, "ops").notBefore !== undefined);
    running.accept("Stop", { session_id: "s2" });
    await running.until("both at the other one", () => free.requests.length === 2);
    await running.until("its answer", () => running.requestsUnderWay() === 0);
    running.clock.turn(119_000);
    await running.until("both at the other one", () => free.requests.length === 2);
    expect(limited.requests.length).toBe(1);
    limited.behave({ answer: 200 });
    running.clock.turn(1000);
    await running.until("both", () => limited.requests.length === 3);
    await running.until("an empty outbox", () => listDeliveries(running.dispatcher.layout, "outbox").length === 0);
    expect(readEndpoint(running.dispatcher.layout, "ops").notBefore).toBeUndefined();
  });

  it("keeps the order of its session", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 500 } });
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    running.accept("Notification", { message: "first" });
    void running.run();
    await running.until("the failure", () => attempts(running).length === 1);
    receiver.behave({ answer: 200 });
    running.accept("Stop", { last_assistant_message: "second" });
    running.accept("Stop", { session_id: "another", last_assistant_message: "third" });
    await running.until("the other session's", () => attempts(running).length === 2);
    running.clock.turn(60_000);
    await running.until("all", () => receiver.requests.length === 4);
    const order = receiver.requests.map(
      ({ body }) => (JSON.parse(body) as { data: { event: { message: string } } }).data.event.message,
    );
    expect(order).toEqual(["first", "third", "first", "second"]);
  });

  it.each<[number, string]>([
    [400, "rejected"],
    [302, "rejected"],
    [401, "unauthorized"],
    [403, "unauthorized"],
  ])("with %i becomes a dead letter at once: %s", async (status, reason) => {
    const receiver = await startHttpReceiver({ behaviour: { answer: status } });
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    running.accept("Stop");
    expect(await running.run({ idleMs: 0 })).toBe("ended");
    // The first; a notice about a channel that is switched off may follow, and find no desktop.
    expect(dead(running)[0]).toMatchObject({ reason });
    expect(receiver.requests.length).toBe(1);
  });

  it("becomes a dead letter when it is too old, and says what it last failed with", async () => {
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${unusedOrigin}/x`, { expireAfter: "10m" }));
    running.accept("Stop");
    void running.run();
    await running.until("the failure", () => attempts(running).length === 1);
    running.clock.turn(11 * 60_000);
    await running.until("the end", () => dead(running).length === 1);
    expect(dead(running)).toEqual([
      expect.objectContaining({ reason: "expired", detail: expect.stringMatching(/too old.*network/) as string }),
    ]);
  });
});

describe("a secret that cannot be had", () => {
  const file = (home: string): string => join(home, "secret");
  it.each<[string, (home: string) => object, RegExp]>([
    [
      "a variable that is not set",
      () => ({ env: "HOOK_URL" }),
      /the environment variable HOOK_URL is not set; set it where your agents run/,
    ],
    ["a file that is not there", (home) => ({ file: file(home) }), /there is no file .*secret/],
    [
      "a command that fails (posix)",
      (home) => ({ command: ["cat", file(home)] }),
      /the command cat did not print a secret/,
    ],
    [
      "a command that is not there (posix)",
      (home) => ({ command: [file(home)] }),
      /the command .*secret could not be started/,
    ],
  ])("%s: is told once, tried once by each dispatcher, and keeps none alive", async (_name, url, detail) => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher({ PATH: process.env.PATH ?? "" });
    const { layout, tools } = running.dispatcher;
    running.writeRules(rulesTo("unused", { url: url(tools.home), expireAfter: "1d" }));
    const tried = (): JournalEntry[] => running.journal("attempt").filter(({ channel }) => channel === "ops");
    for (const dispatchers of [1, 2]) {
      for (let index = 0; index < 5; index += 1) running.accept("Stop", { session_id: `s${dispatchers} ${index}` });
      expect(await running.run({ idleMs: 0 })).toBe("ended");
      expect(tried().length).toBe(dispatchers);
    }
    for (const attempt of tried()) {
      expect(attempt).toMatchObject({ reason: "missingSecret", next: "retry" });
      expect(attempt.detail).toMatch(new RegExp(`^url: ${detail.source}`));
    }
    expect(running.journal("notice").map(({ title }) => title)).toEqual([
      'hookbell: channel "ops" waits for its secret',
    ]);
    expect(readEndpoint(layout, "ops").missingSecret?.detail).toMatch(detail);
    expect(listDeliveries(layout, "outbox").length).toBe(10);

    const text = `${receiver.origin}/x`;
    writeFileSync(file(tools.home), detail.source.includes("started") ? `#!/bin/sh\necho '${text}'\n` : text, {
      mode: 0o700,
    });
    running.dispatcher.addToEnvironment({ HOOK_URL: text });
    expect(await running.run({ idleMs: 0 })).toBe("ended");
    expect(receiver.requests.length).toBe(10);
    expect(readEndpoint(layout, "ops")).toEqual({ channel: "ops" });
  });

  it("is looked for again, with growing pauses, by a dispatcher that stays", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const { layout, tools } = running.dispatcher;
    running.writeRules(rulesTo("unused", { url: { file: file(tools.home) } }));
    for (let index = 0; index < 5; index += 1) running.accept("Stop", { session_id: `s${index}` });
    void running.run();
    const tried = (): JournalEntry[] => running.journal("attempt").filter(({ channel }) => channel === "ops");
    await running.until("several tries", () => {
      running.clock.turn(500);
      return tried().length === 4;
    });
    // The fourth comes 2 + 4 + 8 seconds after the first: one row of pauses, however many wait.
    const [first, , , fourth] = tried().map(({ at }) => Date.parse(at));
    expect((fourth ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(14_000);
    writeFileSync(file(tools.home), `${receiver.origin}/x`);
    await running.until("all", () => {
      if (running.requestsUnderWay() === 0) running.clock.turn(1000);
      return listDeliveries(layout, "outbox").length === 0;
    });
    expect(receiver.requests.length).toBe(5);
  });

  it("is looked for at once when the settings change", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules(rulesTo("unused", { url: { env: "HOOK_URL" } }));
    running.accept("Stop");
    void running.run();
    await running.until("the first try", () => running.journal("attempt").some(({ channel }) => channel === "ops"));
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    running.accept("Stop", { session_id: "s2" });
    await running.until("both", () => receiver.requests.length === 2);
    expect(readEndpoint(running.dispatcher.layout, "ops").missingSecret).toBeUndefined();
  });

  it("keeps no other channel waiting, nor the dispatcher from its retries", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 503 } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        lacking: { type: "webhook", url: { env: "HOOK_URL" } },
        ops: { type: "webhook", url: `${receiver.origin}/x` },
      },
      rules: [{ name: "all", notify: ["lacking", "ops"] }],
    });
    running.accept("Stop");
    const run = running.run({ idleMs: 1000 });
    await running.until("the failure", () => receiver.requests.length === 1);
    receiver.behave({ answer: 200 });
    let hasEnded = false;
    void run.then(() => (hasEnded = true));
    await running.until("its end", () => {
      if (running.requestsUnderWay() === 0) running.clock.turn(100);
      return hasEnded;
    });
    expect(receiver.requests.length).toBe(2);
    expect(listDeliveries(running.dispatcher.layout, "outbox").length).toBe(1);
  });

  it("that never comes lets all expire that wait, each with its reason", async () => {
    const running = prepareDispatcher();
    running.writeRules(rulesTo("unused", { url: { env: "HOOK_URL" }, expireAfter: "1h" }));
    for (let index = 0; index < 4; index += 1) running.accept("Stop", { session_id: `s${index}` });
    await running.run({ idleMs: 0 });
    running.clock.turn(3_700_000);
    await running.run({ idleMs: 0 });
    const expired = dead(running).filter(({ reason }) => reason === "expired");
    expect(expired.length).toBe(4);
    for (const { detail } of expired) expect(detail).toMatch(/last: missingSecret, url: the environment/);
  });

  it("gives way at once to the fallback that the rule names", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        lacking: { type: "webhook", url: { env: "HOOK_URL" } },
        ops: { type: "webhook", url: `${receiver.origin}/x` },
      },
      rules: [{ name: "all", notify: ["lacking"], fallback: ["ops"] }],
    });
    running.accept("Stop");
    await running.run({ idleMs: 0 });
    expect(receiver.requests.length).toBe(1);
    expect(dead(running)).toMatchObject([
      { reason: "unavailable", detail: expect.stringMatching(/variable HOOK_URL is not set/) as string },
    ]);
  });
});

describe("a receiver that says it is gone", () => {
  it("is switched off and told once, until its settings change", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 410 } });
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/old`));
    running.accept("Stop");
    void running.run();
    await running.until("the notice", () => running.journal("notice").length === 1);
    expect(running.journal("notice")[0]).toMatchObject({ title: 'hookbell: channel "ops" is switched off' });
    running.accept("Stop", { session_id: "s2" });
    await running.until(
      "the second dead letter",
      () => dead(running).filter(({ reason }) => reason === "gone").length === 2,
    );
    expect(receiver.requests.length).toBe(1);
    expect(running.journal("notice").length).toBe(1);

    receiver.behave({ answer: 200 });
    running.writeRules(rulesTo(`${receiver.origin}/new`));
    running.accept("Stop", { session_id: "s3" });
    await running.until("the delivery", () => receiver.requests.some(({ path }) => path === "/new"));
  });
});

describe("a channel that this machine cannot show", () => {
  it("hands its message to the rule's fallback", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        program: { type: "command", argv: ["no-such-program-here"] },
        backup: { type: "command", argv: ["no-such-backup-either"] },
        phone: { type: "webhook", url: `${receiver.origin}/phone` },
      },
      rules: [{ name: "all", notify: ["program"], fallback: ["backup", "phone"] }],
    });
    running.accept("Stop", { last_assistant_message: "done" });
    await running.run({ idleMs: 0 });
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/phone"]);
    expect(dead(running).map(({ reason }) => reason)).toEqual(["unavailable", "unavailable"]);
  });
});
