import { writeFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher, runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";

const missing = { type: "command", argv: ["hookbell-no-such-program"] };

describe("a fallback", () => {
  it("says no more of the agent's words than it may by itself", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        screen: missing,
        ops: { type: "webhook", url: `${receiver.origin}/x`, content: "none", payload: true },
      },
      rules: [{ name: "all", notify: ["screen"], fallback: ["ops"], body: "{message}" }],
    });
    running.accept("Stop", { last_assistant_message: "the password is hunter2" });
    await running.run({ idleMs: 0 });
    expect(receiver.requests.length).toBe(1);
    expect(receiver.requests[0]?.body).not.toContain("hunter2");
    expect(receiver.requests[0]?.body).toContain("shop-web");
  });

  it("hears once of an event, however many it stands in for, and not when it is notified anyway", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules({
      channels: { a: missing, b: missing, ops: { type: "webhook", url: `${receiver.origin}/ops` } },
      rules: [
        { name: "ends", when: { event: "SessionEnd" }, notify: ["ops"] },
        { name: "all", notify: ["a", "b"], fallback: ["ops"] },
      ],
    });
    running.accept("Stop");
    running.accept("SessionEnd", { session_id: "s2", reason: "other" });
    await running.run({ idleMs: 0 });
    expect(receiver.requests.length).toBe(2);
  });

  it("is sent once by a command in the foreground while a dispatcher is at work", async () => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    project.writeRules({
      channels: { a: missing, ops: { type: "webhook", url: `${receiver.origin}/ops` } },
      rules: [{ name: "all", notify: ["a"], fallback: ["ops"] }],
    });
    runDispatcherOf(project);
    await project.command(["hook"], payloadOf("Stop"));
    await project.until("the first", () => receiver.requests.length === 1);
    // Another process than the dispatcher's.
    await project.hook(payloadOf("Stop", { session_id: "s0" }), ["--wait"]);
    for (const session_id of ["s1", "s2"]) {
      await project.command(["hook", "--wait"], payloadOf("Stop", { session_id }));
    }
    await project.until("an empty outbox", () => listDeliveries(project.layout, "outbox").length === 0);
    expect(receiver.requests.length).toBe(4);
  });
});

describe("a message sent in the foreground", () => {
  it("holds up nothing that comes after it", async () => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    project.writeRules({ channels: { ops: { type: "webhook", url: `${receiver.origin}/x` } }, rules: [] });
    runDispatcherOf(project);
    await project.command(["send", "--channel", "ops", "warm"]);
    await project.until("a dispatcher at work", () => receiver.requests.length === 1);
    await project.run(["send", "--channel", "ops", "--wait", "waited"]);
    const sentAt = Date.now();
    await project.command(["send", "--channel", "ops", "after"]);
    await project.until("the last", () => receiver.requests.length === 3);
    // The claim of a message in the foreground lasts thirty seconds and more.
    expect(Date.now() - sentAt).toBeLessThan(30_000);
  });
});

describe("what must not stop the others", () => {
  it("a destination's file that cannot be read", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const { layout } = running.dispatcher;
    running.writeRules({
      channels: {
        ops: { type: "webhook", url: `${receiver.origin}/ops` },
        other: { type: "webhook", url: `${receiver.origin}/other` },
      },
      rules: [{ name: "all", notify: ["ops", "other"] }],
    });
    receiver.behave({ answer: 429, headers: { "retry-after": "60" } });
    running.accept("Stop");
    await running.run({ idleMs: 0, isLeavingRetries: true });
    for (const name of readdirSync(layout.endpoints)) writeFileSync(join(layout.endpoints, name), "\u0000 torn");
    receiver.behave({ answer: 200 });
    running.clock.turn(60_000);
    await running.run({ idleMs: 0 });
    expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(["/ops", "/other"]));
    expect(listDeliveries(layout, "outbox")).toEqual([]);
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "a.b c/d", "-", "%2F"])(
    "an event named %s",
    async (name) => {
      const receiver = await startHttpReceiver();
      const running = prepareDispatcher();
      running.writeRules({
        channels: { ops: { type: "webhook", url: `${receiver.origin}/ops` } },
        rules: [{ name: "all", when: { level: "info" }, notify: ["ops"] }],
      });
      running.accept(name);
      await running.run({ idleMs: 0 });
      expect(
        receiver.requests.map(
          ({ body }) => (JSON.parse(body) as { data: { event: { name: string } } }).data.event.name,
        ),
      ).toEqual([name]);
    },
  );

  it("a payload nested too deep, which the hook refuses", async () => {
    const project = temporaryProject();
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const text = payloadOf("Stop").replace("}", `,"deep":${deep}}`);
    const result = await project.hook(text);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("expected JSON nested at most 500 deep");
  });

  it.each([["turn.end"], ["two words"], ["ä/ö"]])("an event name from the command line: %s", async (name) => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    project.writeRules({
      channels: { ops: { type: "webhook", url: `${receiver.origin}/x` } },
      rules: [{ notify: ["ops"] }],
    });
    const text = JSON.stringify({ session_id: "s", cwd: "/" });
    runDispatcherOf(project);
    const args = ["--agent", "my.agent", "--event", name];
    expect(await project.command(["hook", ...args], text)).toMatchObject({ code: 0, stderr: "" });
    await project.until("its delivery", () => receiver.requests.length === 1);
    expect(JSON.parse(receiver.requests[0]?.body ?? "")).toMatchObject({
      data: { event: { name, agent: "my.agent" } },
    });
  });
});

describe("too many requests", () => {
  it("is a brake also when the receiver does not say for how long", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 429 } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { ops: { type: "webhook", url: `${receiver.origin}/x` } },
      rules: [{ notify: ["ops"] }],
    });
    for (let index = 0; index < 30; index += 1) running.accept("Stop", { session_id: `s${index}` });
    void running.run();
    await running.until("the first answer", () => running.journal("attempt").length === 1);
    await running.until("all in the outbox", () => listDeliveries(running.dispatcher.layout, "outbox").length === 30);
    expect(receiver.requests.length).toBe(1);
  });
});
