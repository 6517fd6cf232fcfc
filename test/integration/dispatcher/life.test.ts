import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaseMs, takeLease } from "../../../src/outbox/lease/lease.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { isAlive } from "../../../src/system/process/identity.ts";
import { dispatcherPid, expectOneAtATime } from "../../support/project/dispatcher-process.ts";
import { startHttpReceiver, unusedOrigin } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher, rulesTo } from "../../support/project/running-dispatcher.ts";
import { end, hookPath, payloadOf, temporaryProject } from "../../support/project/running-project.ts";

describe("the dispatcher", () => {
  it("stays a while for the next event, and ends by itself", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    const run = running.run({ idleMs: 10_000 });
    running.accept("Stop");
    await running.until("the first", () => receiver.requests.length === 1);
    await running.until("its end", () => listDeliveries(running.dispatcher.layout, "outbox").length === 0);
    running.clock.turn(9000);
    running.accept("Stop", { session_id: "s2" });
    await running.until("the second", () => receiver.requests.length === 2);
    let hasEnded = false;
    void run.then(() => (hasEnded = true));
    await running.until("the end", () => {
      if (running.requestsUnderWay() === 0) running.clock.turn(1000);
      return hasEnded;
    });
    expect(await run).toBe("ended");
  });

  it("does not end while a retry waits", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 429, headers: { "retry-after": "3600" } } });
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    running.accept("Stop");
    const run = running.run({ idleMs: 1000 });
    await running.until("the refusal", () => running.journal("attempt").length === 1);
    receiver.behave({ answer: 200 });
    running.clock.turn(3_599_000);
    running.clock.turn(2000);
    await running.until("the delivery", () => receiver.requests.length === 2);
    await running.until("the end of it", () => listDeliveries(running.dispatcher.layout, "outbox").length === 0);
    await running.until("the idle time", () => {
      running.clock.turn(500);
      return running.journal("dispatcher").some(({ what }) => what === "ended");
    });
    expect(await run).toBe("ended");
  });

  it("leaves the field to one that has taken over, and sends nothing more", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    const run = running.run();
    await running.until("its start", () => running.journal("dispatcher").length === 1);
    // It sleeps past its lease, frozen or in a suspended laptop, and someone else starts.
    running.clock.set(running.clock.now() + leaseMs + 1000);
    expect(takeLease(running.dispatcher.layout, running.clock)).toBeDefined();
    running.accept("Stop");
    expect(await run).toBe("lost");
    expect(receiver.requests).toEqual([]);
    // What the other one takes in at this moment, it must not take in as well: that would send it twice.
    expect(listIncoming(running.dispatcher.layout).length).toBe(1);
    expect(running.journal("event")).toEqual([]);
  });

  it("is one, however many are started at once", async () => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    // The shell's hook is started sixty times at once, in its own tests.
    const count = 8;
    // What waits for no one keeps the dispatcher from ending before the last of them has started.
    project.writeRules({
      channels: { ops: { type: "webhook", url: receiver.origin }, down: { type: "webhook", url: unusedOrigin } },
      rules: [{ name: "all", notify: ["ops", "down"] }],
    });
    const hooks = Array.from({ length: count }, (_, index) =>
      project.hook(payloadOf("Stop", { session_id: `s${index}` })),
    );
    const others = Array.from({ length: count }, () => project.start(["dispatch", "--detached"]));
    expect((await Promise.all(hooks)).map(({ code }) => code)).toEqual(Array.from({ length: count }, () => 0));
    await project.until("all", () => receiver.requests.length >= count);
    await project.until("what waits", () => listDeliveries(project.layout, "outbox").length === count);
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(count);
    expect(receiver.requests.length).toBe(count);
    expectOneAtATime(project);
    for (const other of others) other.kill("SIGKILL");
  });

  it.runIf(process.platform !== "win32")("starts and delivers where a process may open few files", async () => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    project.writeRules(rulesTo(`${receiver.origin}/x`));
    const hook = ["-c", 'ulimit -n 64 && exec "$@"', "sh", process.execPath, hookPath];
    const ended = await end(spawn("sh", hook, { env: project.env, cwd: project.home }), payloadOf("Stop"));
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    await project.until("the delivery", () => receiver.requests.length === 1);
  });

  it("sets aside what is torn or foreign, and goes on", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    const { layout } = running.dispatcher;
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    writeFileSync(join(layout.outbox, "0000000000001-000-msg_torn.json"), '{"version":1,');
    writeFileSync(join(layout.outbox, "0000000000002-000-msg_later.json"), '{"version":99}');
    writeFileSync(join(layout.outbox, "0000000000003-000-msg_empty.json"), "");
    writeFileSync(join(layout.incoming, "0000000000004-1-a.generic.-.json"), "");
    writeFileSync(join(layout.incoming, "0000000000005-1-a.generic.-.json"), '{"hook_event_name":"Stop"}');
    running.accept("Stop");
    expect(await running.run({ idleMs: 0 })).toBe("ended");
    expect(receiver.requests.length).toBe(1);
    expect(listIncoming(layout)).toEqual([]);
    // It is left for the version that can read it.
    expect(listDeliveries(layout, "outbox")).toEqual(["0000000000002-000-msg_later.json"]);
    expect(readdirSync(layout.rejected).filter((name) => name.endsWith(".reasons.txt")).length).toBe(4);
    expect(running.journal("rejected").length).toBe(4);
  });

  it("goes on with the last good rules when the file breaks, and tells once where", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules(rulesTo(`${receiver.origin}/x`));
    void running.run();
    running.accept("Stop");
    await running.until("the first", () => receiver.requests.length === 1);
    running.writeRules('{\n  "channels": {},\n  "rulez": [],\n  "rules": []\n}');
    running.accept("Stop", { session_id: "s2" });
    running.accept("Stop", { session_id: "s3" });
    await running.until("both", () => receiver.requests.length === 3);
    const notices = running.journal("notice");
    expect(notices.length).toBe(1);
    expect(notices[0]?.title).toBe("hookbell: the rules file has a mistake");
    expect(notices[0]?.body).toMatch(/^rules\.jsonc:3:3.*rulez.*The last valid rules still apply/);
  });

  it("remembers the last good rules when it is started anew", async () => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    project.writeRules(rulesTo(`${receiver.origin}/x`));
    await project.hook(payloadOf("Stop"));
    await project.until("the first", () => receiver.requests.length === 1);
    // One that is killed before it records the answer leaves a delivery that is sent again.
    await project.until("its record", () => listDeliveries(project.layout, "outbox").length === 0);
    const pid = dispatcherPid(project);
    process.kill(pid, "SIGKILL");
    // Until it is gone it is at work, as far as a hook can see.
    await project.until("its death", () => !isAlive(pid));
    project.writeRules("{ broken");
    await project.hook(payloadOf("Stop", { session_id: "s2" }));
    await project.until("the second", () => receiver.requests.length === 2);
    expect(project.journal().filter(({ kind }) => kind === "notice")).toMatchObject([
      { title: "hookbell: the rules file has a mistake" },
    ]);
  });

  it("writes secrets nowhere into queue or journal", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 500, body: "bad token=Literal5ecretValue" } });
    const running = prepareDispatcher({ TOKEN: "FromTheEnvironment99" });
    running.writeRules(
      rulesTo(`${receiver.origin}/hooks/PathSecret12345678?token=Literal5ecretValue`, {
        headers: { Authorization: { env: "TOKEN" } },
      }),
    );
    running.accept("Stop");
    void running.run();
    await running.until("the attempt", () => running.journal("attempt").length === 1);
    const { layout } = running.dispatcher;
    const folders = [
      layout.incoming,
      layout.outbox,
      layout.dead,
      layout.journal,
      layout.sessions,
      layout.endpoints,
      layout.rejected,
    ];
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files)
      expect(readFileSync(file, "utf8")).not.toMatch(/Literal5ecretValue|FromTheEnvironment99|PathSecret12345678/);
    expect(receiver.requests[0]?.headers.authorization).toBe("FromTheEnvironment99");
  });

  it("tells how long the turn took, where it saw the turn begin", async () => {
    const receiver = await startHttpReceiver();
    const running = prepareDispatcher();
    running.writeRules({
      channels: { ops: { type: "webhook", url: `${receiver.origin}/x` } },
      rules: [{ name: "done", when: { event: "Stop" }, notify: ["ops"], body: "after {duration}" }],
    });
    void running.run();
    running.accept("UserPromptSubmit", { prompt: "go" });
    await running.until("the prompt", () => running.journal("event").length === 1);
    running.accept("Stop");
    await running.until("the stop", () => receiver.requests.length === 1);
    expect(JSON.parse(receiver.requests[0]?.body ?? "")).toMatchObject({
      data: { message: { body: expect.stringMatching(/^after \d+m?s$/) as string } },
    });
  });
});
