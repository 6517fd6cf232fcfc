import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backoffMs } from "../../../src/dispatch/policy/retry-timing.ts";
import { runDispatcher } from "../../../src/dispatch/run/loop.ts";
import { listDeliveries, readDelivery } from "../../../src/outbox/deliveries.ts";
import { readEndpoint } from "../../../src/outbox/endpoints.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import type { JournalEntry } from "../../../src/outbox/journal.ts";
import { findLeaseHolder } from "../../../src/outbox/lease.ts";
import { isAnyResting } from "../../../src/outbox/resting-mark.ts";
import { startHttpReceiver, unusedOrigin } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher, rulesTo, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";
import { payloadOf } from "../../support/project/running-project.ts";

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

  it("waits as long as the receiver asks, and with it all others for that receiver, and nobody else", async () => {
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
    await running.until("the other session's", () => receiver.requests.length === 2);
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
    running.writeRules(rulesTo(`${await unusedOrigin()}/x`, { expireAfter: "10m" }));
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

describe("a secret that cannot be had for now", () => {
  const file = (home: string): string => join(home, "secret");
  it.each<[string, (home: string) => object, string]>([
    ["a file that is not there", (home) => ({ file: file(home) }), "there is no file "],
    ["a command that fails", (home) => ({ command: ["cat", file(home)] }), "the command cat did not print a secret "],
    [
      "a command that is not there",
      (home) => ({ command: [file(home)] }),
      "the command .*/secret could not be started ",
    ],
  ])("%s: is waited for and told once, and tried again once for all, without the lease", async (_name, url, detail) => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher({ PATH: process.env.PATH ?? "" });
    const { layout, tools } = running.dispatcher;
    running.writeRules(rulesTo("unused", { url: url(tools.home), expireAfter: "1d" }));
    for (let index = 0; index < 10; index += 1) running.accept("Stop", { session_id: `s${index}` });
    const run = running.run({ idleMs: 10_000 });
    const tried = (): JournalEntry[] => running.journal("attempt").filter(({ channel }) => channel === "ops");
    const isResting = (): boolean => running.journal("dispatcher").at(-1)?.what === "resting";
    await running.until("its rest", isResting);
    expect(findLeaseHolder(layout, running.clock.now())).toBeUndefined();
    for (const tries of [2, 3, 4]) {
      await running.until("another try", () => {
        if (isResting()) running.clock.turn(1000);
        return tried().length === tries;
      });
      await running.until("its rest", isResting);
    }
    for (const attempt of tried()) {
      expect(attempt).toMatchObject({ reason: "missingSecret", next: "retry" });
      expect(attempt.detail).toMatch(new RegExp(`^url: ${detail}`));
    }
    // The fourth comes 2 + 4 + 8 seconds after the first: one row of pauses, however many wait.
    const [first, , , fourth] = tried().map(({ at }) => Date.parse(at));
    expect((fourth ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(14_000);
    expect(running.journal("notice").map(({ title }) => title)).toEqual([
      'hookbell: channel "ops" waits for its secret',
    ]);
    expect(listDeliveries(layout, "outbox").length).toBe(10);

    const text = `${receiver.origin}/x`;
    writeFileSync(file(tools.home), detail.includes("started") ? `#!/bin/sh\necho '${text}'\n` : text, { mode: 0o700 });
    await running.until("all", () => {
      if (isResting()) running.clock.turn(1000);
      return listDeliveries(layout, "outbox").length === 0;
    });
    expect(receiver.requests.length).toBe(10);
    expect(readEndpoint(layout, "ops")).toEqual({ channel: "ops" });
    await running.until("its end", () => {
      running.clock.turn(20_000);
      return running.journal("dispatcher").at(-1)?.what === "ended";
    });
    expect(await run).toBe("ended");
  });
});

describe("a secret that is not in the dispatcher's environment", () => {
  const missing =
    /^url: the environment variable HOOK_URL is not set; a dispatcher has the environment of .* "file" .*hookbell dispatch --until-idle/;

  it("is waited for, told once, and found by the next dispatcher that has it, at once", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const { layout, tools } = running.dispatcher;
    running.writeRules(rulesTo("unused", { url: { env: "HOOK_URL" } }));
    running.accept("Stop");
    running.accept("Stop", { session_id: "s2" });
    // It makes room rather than stay for the next event.
    expect(await running.run({ idleMs: 10_000 })).toBe("ended");
    expect(dead(running).filter(({ reason }) => reason === "missingSecret")).toEqual([]);
    expect(listDeliveries(layout, "outbox").length).toBe(2);
    const attempts = running.journal("attempt").filter(({ channel }) => channel === "ops");
    expect(attempts.map(({ reason, next }) => [reason, next])).toEqual([["missingSecret", "retry"]]);
    expect(attempts[0]?.detail).toMatch(missing);
    expect(running.journal("notice").map(({ title }) => title)).toEqual([
      'hookbell: channel "ops" waits for its secret',
    ]);
    expect(readEndpoint(layout, "ops").missingSecret?.detail).toMatch(missing);
    running.accept("Stop", { session_id: "s3" });
    expect(await running.run({ idleMs: 10_000 })).toBe("ended");
    expect(running.journal("notice").length).toBe(1);

    tools.env = { HOOK_URL: `${receiver.origin}/x` };
    expect(await running.run({ idleMs: 0 })).toBe("ended");
    expect(receiver.requests.length).toBe(3);
    expect(listDeliveries(layout, "outbox")).toEqual([]);
    expect(readEndpoint(layout, "ops")).toEqual({ channel: "ops" });
  });

  it("keeps no other channel waiting, and does not keep the dispatcher from staying for its retries", async () => {
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
    const run = running.run({ idleMs: 10_000 });
    await running.until("the failure", () => receiver.requests.length === 1);
    receiver.behave({ answer: 200 });
    await running.until("the delivery", () => {
      running.clock.turn(100);
      return receiver.requests.length === 2;
    });
    expect(await run).toBe("ended");
    expect(listDeliveries(running.dispatcher.layout, "outbox").length).toBe(1);
  });

  it("is looked for once by each dispatcher, however many wait for it, and again when the settings change", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const { layout } = running.dispatcher;
    const lacked = (): number => running.journal("attempt").filter(({ reason }) => reason === "missingSecret").length;
    running.writeRules(rulesTo("unused", { url: { env: "HOOK_URL" } }));
    for (let index = 0; index < 40; index += 1) running.accept("Stop", { session_id: `s${index}` });
    for (let dispatchers = 1; dispatchers <= 3; dispatchers += 1) {
      await running.run({ idleMs: 10_000 });
      expect(lacked()).toBe(dispatchers);
    }
    void running.run();
    await running.until("one that stays", () => lacked() === 4);
    for (let index = 0; index < 3; index += 1) {
      running.accept("Stop", { session_id: `more${index}` });
      running.clock.turn(600_000);
      await running.until("its taking in", () => listDeliveries(layout, "outbox").length === 41 + index);
    }
    expect(lacked()).toBe(4);
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    running.clock.turn(20_000);
    await running.until("all", () => listDeliveries(layout, "outbox").length === 0);
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(43);
  });

  it("that never comes lets all expire that wait, each with its reason", async () => {
    const running = prepareDispatcher();
    running.writeRules(rulesTo("unused", { url: { env: "HOOK_URL" }, expireAfter: "1h" }));
    for (let index = 0; index < 4; index += 1) running.accept("Stop", { session_id: `s${index}` });
    void running.run();
    await running.until("the first try", () => running.journal("attempt").some(({ channel }) => channel === "ops"));
    running.clock.turn(3_700_000);
    const expired = (): { detail?: string }[] => dead(running).filter(({ reason }) => reason === "expired");
    await running.until("the end of all", () => expired().length === 4);
    for (const { detail } of expired()) expect(detail).toMatch(/last: missingSecret, url: the environment/);
  });

  it("lets another dispatcher have the lease between the retries of others, and makes these on time", async () => {
    const [down, up] = [await startHttpReceiver({ behaviour: { answer: 503 } }), await startHttpReceiver()];
    const running = prepareDispatcher();
    const { layout, tools } = running.dispatcher;
    const rests = (): number => running.journal("dispatcher").filter(({ what }) => what === "resting").length;
    const isFree = (): boolean => findLeaseHolder(layout, running.clock.now()) === undefined;
    running.writeRules({
      channels: {
        lacking: { type: "webhook", url: { env: "HOOK_URL" } },
        ops: { type: "webhook", url: `${down.origin}/x`, expireAfter: "1d" },
      },
      rules: [{ name: "all", notify: ["lacking", "ops"] }],
    });
    running.accept("Stop");
    const first = running.run({ idleMs: 10_000 });
    // Nobody comes.
    for (const requests of [5, 6, 7]) {
      await running.until("the next retry", () => {
        if (running.requestsUnderWay() === 0) running.clock.turn(1000);
        return down.requests.length === requests;
      });
      await running.until("its rest", isFree);
    }
    expect(rests()).toBeGreaterThanOrEqual(3);
    const lacked = running.journal("attempt").filter(({ reason }) => reason === "missingSecret");
    expect(lacked.length).toBe(1);

    // One that has the secret comes to stay.
    running.accept("Stop", { session_id: "s2" });
    const stop = new AbortController();
    const second = runDispatcher(
      { ...running.dispatcher, tools: { ...tools, env: { HOOK_URL: `${up.origin}/x` } } },
      { idleMs: 10_000, isLeavingRetries: false, isPatient: true, stop: stop.signal },
    );
    expect(isFree()).toBe(false);
    await running.until("both with the secret", () => up.requests.length === 2);
    expect(await first).toBe("ended");
    down.behave({ answer: 200 });
    await running.until("both of the other channel", () => {
      if (running.requestsUnderWay() === 0) running.clock.turn(5000);
      return listDeliveries(layout, "outbox").length === 0;
    });
    running.clock.turn(20_000);
    expect(await second).toBe("ended");
  });

  it("keeps its lease while a hook of the shell that may have started it is reading", async () => {
    const down = await startHttpReceiver({ behaviour: { answer: 503, headers: { "retry-after": "300" } } });
    const running = prepareDispatcher();
    const { layout } = running.dispatcher;
    running.writeRules({
      channels: {
        lacking: { type: "webhook", url: { env: "HOOK_URL" } },
        ops: { type: "webhook", url: `${down.origin}/x` },
      },
      rules: [{ name: "all", notify: ["lacking", "ops"] }],
    });
    running.accept("Stop");
    const aside = join(layout.incoming, ".tmp-sh-1-1-0.generic.-.json");
    writeFileSync(aside, "");
    const run = running.run({ idleMs: 10_000 });
    await running.until(
      "both tries",
      () => running.journal("attempt").filter(({ channel }) => channel !== "desktop").length === 2,
    );
    running.clock.turn(60_000);
    expect(findLeaseHolder(layout, running.clock.now())).toBeDefined();
    writeFileSync(aside, payloadOf("Stop", { session_id: "s2" }));
    renameSync(aside, join(layout.incoming, "sh-1-1-0.generic.-.json"));
    await running.until("its rest", () => running.journal("dispatcher").at(-1)?.what === "resting");
    expect(listIncoming(layout)).toEqual([]);
    running.stop();
    expect(await run).toBe("ended");
    expect(isAnyResting(layout)).toBe(false);
  });

  it("gives way at once to the fallback that the person has named", async () => {
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
    expect(dead(running)).toMatchObject([{ reason: "unavailable", detail: expect.stringMatching(missing) }]);
  });

  it("is waited for no longer than the channel's messages live", async () => {
    const running = prepareDispatcher();
    running.writeRules(rulesTo("unused", { url: { env: "HOOK_URL" }, expireAfter: "1h" }));
    running.accept("Stop");
    await running.run({ idleMs: 0 });
    running.clock.turn(3_700_000);
    await running.run({ idleMs: 0 });
    const expired = dead(running).filter(({ reason }) => reason === "expired");
    expect(expired).toMatchObject([{ detail: expect.stringMatching(/last: missingSecret, url: the environment/) }]);
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
