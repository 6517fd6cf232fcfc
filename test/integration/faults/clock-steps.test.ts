import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher, rulesTo, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";

const hour = 60 * 60_000;
const minute = 60_000;

/** A delivery that has failed once and waits for its retry; the receiver answers from now on. */
async function waiting(): Promise<{ running: RunningDispatcher; receiver: HttpReceiver }> {
  const receiver = await startHttpReceiver({ behaviour: { answer: 503 } });
  onTestFinished(receiver.close);
  const running = prepareDispatcher();
  running.writeRules(rulesTo(`${receiver.origin}/x`));
  running.accept("Stop");
  return { running, receiver };
}

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
    const rightAt = running.clock.now();
    await running.until("the end", () => {
      if (running.requestsUnderWay() === 0 && running.clock.now() < rightAt + minute) running.clock.turn(100);
      return listDeliveries(layout, "outbox").length === 0;
    });
    expect(receiver.requests.length).toBe(4);
    expect(listDeliveries(running.dispatcher.layout, "dead")).toEqual([]);
  });
});
