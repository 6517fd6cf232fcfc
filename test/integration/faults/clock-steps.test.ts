import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { findLeaseHolder } from "../../../src/outbox/lease.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher, rulesTo, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";

const hour = 60 * 60_000;
/** The first backoff at its longest. */
const firstRetryMs = 2000;
/** Within this the dispatcher looks at the clock, whatever it waits for. */
const noticedMs = 15_000;

/** A delivery that has failed once and waits for its retry; the receiver answers from now on. */
async function waiting(): Promise<{ running: RunningDispatcher; receiver: HttpReceiver }> {
  const receiver = await startHttpReceiver({ behaviour: { answer: 503 } });
  onTestFinished(receiver.close);
  const running = prepareDispatcher();
  running.writeRules(rulesTo(`${receiver.origin}/x`));
  running.accept("Stop");
  return { running, receiver };
}

describe("a clock that is set while the dispatcher runs", () => {
  it.each([
    ["back by an hour", -hour],
    ["back by ten years", -10 * 365 * 24 * hour],
    ["on by an hour", hour],
  ])("%s: a retry waits no longer than it was to wait, and than takes to notice", async (_name, stepMs) => {
    const { running, receiver } = await waiting();
    const { clock } = running;
    void running.run();
    await running.until("its sleep", () => clock.nextAt() === clock.now() + firstRetryMs);
    receiver.behave({ answer: 200 });
    clock.step(stepMs);
    const steppedAt = clock.now();
    await running.until("the delivery", () => {
      if (receiver.requests.length === 1) clock.turn(100);
      return receiver.requests.length === 2;
    });
    expect(clock.now() - steppedAt).toBeLessThanOrEqual(firstRetryMs + noticedMs);
    await running.until("its end", () => listDeliveries(running.dispatcher.layout, "outbox").length === 0);
    expect(running.journal("attempt").map(({ next }) => next)).toEqual(expect.arrayContaining(["retry", "done"]));
    expect(receiver.requests.length).toBe(2);
  });

  it.each([
    ["back", -hour],
    ["on", hour],
  ])("%s: it holds its lease again with its next renewal", async (_name, stepMs) => {
    const { running } = await waiting();
    const { layout } = running.dispatcher;
    void running.run();
    await running.until("the failure", () => running.journal("attempt").length === 1);
    running.clock.step(stepMs);
    expect(findLeaseHolder(layout, running.clock.now())).toBeUndefined();
    running.clock.turn(5000);
    expect(findLeaseHolder(layout, running.clock.now())).toMatchObject({ pid: process.pid });
  });

  it("back: it does not stay for an hour with nothing to do", async () => {
    const running = prepareDispatcher();
    running.writeRules({ rules: [{ name: "nobody", notify: [] }] });
    const run = running.run({ idleMs: 10_000 });
    running.clock.step(-hour);
    let isOver = false;
    void run.then(() => (isOver = true));
    const startedAt = running.clock.now();
    await running.until("its end", () => {
      running.clock.turn(100);
      return isOver;
    });
    expect(running.clock.now() - startedAt).toBeLessThan(hour / 2);
    expect(await run).toBe("ended");
  });
});

describe("a clock that was wrong when a delivery was put off, and is right when the next dispatcher starts", () => {
  it("does not make it wait for hours, nor live for years", async () => {
    const { running, receiver } = await waiting();
    const wrongByMs = 365 * 24 * hour;
    running.clock.step(wrongByMs);
    running.accept("Stop", { session_id: "s2" });
    const { layout } = running.dispatcher;
    const wrongNow = running.clock.now() / 1000;
    for (const file of listIncoming(layout)) utimesSync(join(layout.incoming, file), wrongNow, wrongNow);
    expect(await running.run({ idleMs: 0, isLeavingRetries: true })).toBe("ended");
    expect(listDeliveries(running.dispatcher.layout, "outbox").length).toBe(2);
    receiver.behave({ answer: 200 });
    running.clock.step(-wrongByMs);
    void running.run();
    await running.until("the first failures", () => running.journal("attempt").length >= 2);
    running.clock.turn(firstRetryMs);
    await running.until("the end", () => listDeliveries(running.dispatcher.layout, "outbox").length === 0);
    expect(receiver.requests.length).toBe(4);
    expect(listDeliveries(running.dispatcher.layout, "dead")).toEqual([]);
  });
});
