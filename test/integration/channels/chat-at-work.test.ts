// From the hook's file to the door of a homeserver: what a session's first message remembers, its next one edits.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

describe("a Matrix room", () => {
  let receiver: HttpReceiver;
  beforeEach(async () => {
    receiver = await startHttpReceiver();
  });
  afterEach(() => receiver.close());

  it("has one message a session, edited as it goes on", async () => {
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        room: { type: "matrix", homeserver: receiver.origin, room: "!a:x", token: "syt_s3cret", update: "replace" },
      },
      rules: [{ name: "all", notify: ["room"] }],
    });
    for (const [index, session] of ["s1", "s1", "s2", "s1"].entries()) {
      receiver.behave({ answer: 200, body: JSON.stringify({ event_id: `$${index}` }) });
      running.accept("Stop", { session_id: session });
      await running.run({ idleMs: 0 });
      // What ends within five seconds would leave together.
      running.clock.turn(5000);
    }
    // Before an edit, the homeserver is asked about the earlier event.
    const sent = receiver.requests.filter(({ method }) => method === "PUT");
    const relations = sent.map(
      ({ body }) => (JSON.parse(body) as { "m.relates_to"?: { event_id: string } })["m.relates_to"]?.event_id,
    );
    expect(relations).toEqual([undefined, "$0", undefined, "$0"]);
    expect(new Set(sent.map(({ path }) => path)).size).toBe(4);
  });

  it("is sent the same transaction again when no one knows whether the first try arrived", async () => {
    const running = prepareDispatcher();
    running.writeRules({
      channels: { room: { type: "matrix", homeserver: receiver.origin, room: "!a:x", token: "syt_s3cret" } },
      rules: [{ name: "all", notify: ["room"] }],
    });
    const sent = () => receiver.requests.filter(({ method }) => method === "PUT");
    receiver.behave("resetAfterReading");
    running.accept("Stop", { session_id: "s1" });
    const done = running.run({ idleMs: 0 });
    await running.until("the first try is written down", () => running.journal("attempt").length === 1);
    receiver.behave({ answer: 200, body: '{"event_id":"$1"}' });
    await running.until("the second try has come", () => {
      if (running.requestsUnderWay() === 0) running.clock.turn(1000);
      return sent().length === 2;
    });
    await done;
    const [first, second, ...more] = sent();
    expect([second?.path, second?.body, more]).toEqual([first?.path, first?.body, []]);
  });
});
