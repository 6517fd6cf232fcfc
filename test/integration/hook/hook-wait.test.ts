// What `hook --wait` sends before it ends, what it leaves to the dispatcher, and what it says.
import { describe, expect, it } from "vitest";
import { listDeliveries, readDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { readEndpoint, writeEndpoint, type Endpoint } from "../../../src/outbox/endpoints.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { takeLease } from "../../../src/outbox/lease/lease.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { hookPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { unusedOrigin } from "../../support/receivers/http-receiver.ts";
import { arrivedAt, shell, stopTo, webhookProject, type WebhookProject } from "../commands/webhook-project.ts";

const payload = payloadOf("Stop", { last_assistant_message: "all green" });

/** A dispatcher is at work, as far as this command can see, which therefore starts none; it does nothing. */
function holdLease<T extends Project>(project: T): T {
  ensureLayout(project.layout);
  takeLease(project.layout, systemClock);
  return project;
}

const loneProject = async (rules?: readonly unknown[]): Promise<WebhookProject> =>
  holdLease(await webhookProject(rules));

describe("hook --wait", () => {
  it("delivers before it ends and says so", async () => {
    const project = await webhookProject();
    const result = await project.run(["hook", "--wait"], payload);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(/^ops: delivered in \d+ ms: answered 200\n$/);
    expect(arrivedAt(project.receiver, "/ops")).toHaveLength(1);
    expect(listDeliveries(project.layout, "outbox")).toEqual([]);
    const kinds = project.journal().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== "dispatcher")).toEqual(["event", "decision", "attempt"]);
  });

  it.each([["--wait", "--json"], ["--json"]])(
    "prints the event and every outcome as JSON with %s %s",
    async (...args) => {
      const project = await loneProject([stopTo("ops", "spare")]);
      const result = await project.command(["hook", ...args.filter((arg) => arg !== undefined)], payload);
      expect(result).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.parse(result.stdout)).toEqual({
        event: {
          isOnlyAgent: true,
          isOnlyHost: true,
          id: expect.stringMatching(/^evt_/),
          name: "Stop",
          agent: "generic",
          session: "s1",
          cwd: "/home/u/shop-web",
          project: "shop-web",
          host: expect.any(String),
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          level: "success",
          message: "all green",
        },
        deliveries: ["ops", "spare"].map((channel) => ({
          channel,
          outcome: "delivered",
          detail: "answered 200",
          ms: expect.any(Number),
        })),
      });
    },
  );

  it("leaves what attention holds to the dispatcher, and says so", async () => {
    const escalate = [{ after: "1h", notify: ["spare"] }];
    const project = await loneProject([{ name: "done", when: { event: "Stop" }, notify: ["ops"], escalate }]);
    const result = await project.command(["hook", "--wait"], payload);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toContain("spare: held: escalates after 1h without an answer\n");
    expect(arrivedAt(project.receiver, "/spare")).toEqual([]);
    const [file = ""] = listDeliveries(project.layout, "outbox");
    const reading = readDelivery(project.layout, "outbox", file);
    expect(reading).toMatchObject({ delivery: { channel: "spare", hold: { by: "escalation" } } });
    expect(reading).not.toHaveProperty("delivery.claimedUntil");
  });

  it("exits 1 when one of two failed, and keeps that one as a dead letter", async () => {
    const project = await loneProject();
    project.writeRules({
      channels: {
        good: { type: "webhook", url: `${project.receiver.origin}/ops` },
        bad: { type: "command", argv: ["/no/such/program"] },
      },
      rules: [stopTo("good", "bad")],
    });
    const result = await project.command(["hook", "--wait"], payload);
    expect(result).toMatchObject({ code: 1, stderr: "" });
    expect(result.stdout).toContain("good: delivered in ");
    expect(result.stdout).toMatch(/^bad: failed \(unavailable\) after \d+ ms: .*\/no\/such\/program/m);
    const [file = ""] = listDeliveries(project.layout, "dead");
    expect(readDelivery(project.layout, "dead", file)).toMatchObject({ delivery: { channel: "bad" } });
  });

  it.each([
    ["the built-in rules", undefined],
    [
      "a file made from them",
      {
        channels: { desktop: { type: "desktop" }, sound: { type: "sound" } },
        rules: [{ name: "all", notify: ["desktop", "sound"] }],
      },
    ],
  ])("keeps one message of %s where there is no screen and no speaker, and status shows it", async (_what, file) => {
    const project = holdLease(temporaryProject());
    if (file !== undefined) project.writeRules(file);
    project.env.PATH = "";
    const { code, stdout } = await project.command(["hook", "--wait"], payload);
    expect({ code, lines: stdout.match(/failed \(unavailable\)/g) }).toEqual({
      code: 1,
      lines: Array(2).fill("failed (unavailable)"),
    });
    expect(listDeliveries(project.layout, "dead")).toHaveLength(1);
    expect(listDeliveries(project.layout, "outbox")).toEqual([]);
    const status = await project.command(["status"]);
    expect(status.stdout).toMatch(
      /^1 message kept, because this machine can neither show nor play it; the last at \S+ \S+: shop-web: is done .*\(.+\)\n.*channels add ntfy$/m,
    );
    expect(status.stdout).not.toContain("given up");
    // Another message is kept, too, and all are said as one.
    await project.command(["hook", "--wait"], payload);
    const { stdout: later } = await project.command(["status"]);
    expect(later).toMatch(/^2 messages kept, because .* play them; the last at /m);
    expect(later).not.toContain("channel desktop:");
    expect(later).not.toContain("channel sound:");
    const doctor = await project.command(["doctor"]);
    expect(doctor.stdout).toMatch(/2 messages kept, [^]*such as your phone[^]*\$ hookbell channels add ntfy/);
    expect(doctor.stdout).not.toContain("given up");
  });

  it("keeps nothing for the screen that is not there where another channel is told", async () => {
    const project = await loneProject();
    const channels = { ops: { type: "webhook", url: project.receiver.origin }, desktop: { type: "desktop" } };
    project.writeRules({ channels, rules: [{ name: "all", notify: ["desktop", "ops"] }] });
    project.env.PATH = "";
    const { stdout } = await project.command(["hook", "--wait"], payload);
    expect(stdout).toMatch(/^desktop: failed \(unavailable\)/m);
    expect(listDeliveries(project.layout, "dead")).toEqual([]);
  });

  it("leaves what may be tried again to the dispatcher, which delivers it under the same id", async () => {
    const project = await webhookProject();
    runDispatcherOf(project);
    project.receiver.behave({ answer: 503 });
    const result = await project.command(["hook", "--wait"], payload);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^ops: failed \(serverError\) after .*; hookbell will try again\n$/);
    project.receiver.behave({ answer: 200 });
    await project.until("the second try", () => project.journal().some(({ outcome }) => outcome === "delivered"));
    const ids = project.receiver.requests.map(({ headers }) => headers["webhook-id"]);
    expect(ids.length).toBeGreaterThanOrEqual(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("wakes the dispatcher before it sends, so that its death in the middle loses no time", async () => {
    const project = await webhookProject();
    project.receiver.behave("hangAfterReading");
    const hook = project.start(["send", "--channel", "ops", "--wait", "x"]);
    await project.until("the request", () => project.receiver.requests.length === 1);
    hook.kill("SIGKILL");
    await project.until("a dispatcher", () => project.journal().some(({ what }) => what === "started"));
    expect(listDeliveries(project.layout, "outbox")).toHaveLength(1);
  });

  it.each<[string, (now: number) => Partial<Endpoint>, RegExp]>([
    [
      "asked to be left alone",
      (now) => ({ notBefore: now + 7_200_000 }),
      /^ops: failed \(rateLimited\) after \d+ ms: its receiver asks hookbell to wait another [^;]+; hookbell will try again\n$/,
    ],
    [
      "failed again and again",
      (now) => ({ breaker: { failures: 4, probeAt: now + 90_000 } }),
      /^ops: failed \(network\) after \d+ ms: it failed 4 times in a row; next attempt in .*; hookbell will try again\n$/,
    ],
  ])("asks no receiver that %s, but leaves it to the dispatcher", async (_why, known, stdout) => {
    const project = await loneProject();
    ensureLayout(project.layout);
    writeEndpoint(project.layout, { channel: "ops", ...known(Date.now()) });
    expect(await project.command(["hook", "--wait"], payload)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(stdout),
    });
    expect(project.receiver.requests).toEqual([]);
    const [file = ""] = listDeliveries(project.layout, "outbox");
    const reading = readDelivery(project.layout, "outbox", file);
    expect(reading).toMatchObject({ status: "read", delivery: { channel: "ops", attempts: 0 } });
    expect(reading).not.toHaveProperty("delivery.claimedUntil");
  });

  it("waits a moment for a receiver's rate, and spends of it", async () => {
    const project = await loneProject();
    project.writeRules({
      channels: { team: { type: "slack", url: `${project.receiver.origin}/slack` } },
      rules: [stopTo("team")],
    });
    ensureLayout(project.layout);
    // A message a second.
    const until = Date.now() + 500;
    writeEndpoint(project.layout, { channel: "team", bucket: { tokens: 0.5, at: until - 500 } });
    project.receiver.behave({ answer: 200, body: "ok" });
    expect(await project.command(["hook", "--wait"], payload)).toMatchObject({ code: 0 });
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    expect(readEndpoint(project.layout, "team").bucket?.tokens).toBeLessThan(1);
  });

  it("says when no rule sends the event anywhere", async () => {
    const project = await loneProject();
    expect(await project.command(["hook", "--wait"], payloadOf("Notification"))).toMatchObject({
      code: 0,
      stdout: "no rule sends this event to a channel. See: hookbell explain\n",
      stderr: "",
    });
    const json = await project.command(["hook", "--json"], payloadOf("Notification"));
    expect(JSON.parse(json.stdout)).toMatchObject({ event: { name: "Notification" }, deliveries: [] });
  });

  it("is what the hook's own bundle does too", async () => {
    const project = await webhookProject();
    expect(await project.hook(payload, ["--agent", "droid", "--wait"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ops: delivered in /),
    });
    project.receiver.behave({ answer: 400 });
    expect(await project.hook(payload, ["--wait"])).toMatchObject({ code: 1 });
    expect(hookPath).toMatch(/hook\.cjs$/);
  });

  it("refuses an invalid payload with exit 1 and nothing on stdout", async () => {
    const project = await loneProject();
    expect(await project.command(["hook", "--wait", "--json"], '{"hook_event_name":"Stop"}')).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("hookbell: Stop: session_id: expected a non-empty string, got nothing\n"),
    });
    expect(project.receiver.requests).toEqual([]);
  });

  it("goes by the rules that still apply when the file is broken, and says so", async () => {
    const project = await loneProject();
    await project.command(["hook", "--wait"], payload);
    project.writeRules('{ "channels": {');
    const result = await project.command(["hook", "--wait"], payload);
    expect(result).toMatchObject({
      code: 0,
      stderr: "hookbell: the rules file is broken; the last good rules apply. See: hookbell check\n",
    });
    expect(arrivedAt(project.receiver, "/ops")).toHaveLength(2);
  });

  // An agent reads an exit code of 2 or more as "block".
  it.each<[string, string[], Record<string, string>]>([
    ["a rules file that is not there", ["--wait", "--config", "nowhere.jsonc"], {}],
    ["a state that cannot be made", ["--wait"], { HOOKBELL_STATE_DIR: "/dev/null/state" }],
    ["an unknown flag", ["--wait", "--wiat"], {}],
  ])("never exits with more than 1: %s", async (_name, args, env) => {
    const project = await loneProject();
    Object.assign(project.env, env);
    const result = await project.command(["hook", ...args], payload);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^hookbell: (there is no rules file|cannot create the folder|--wiat)/);
    expect(result.stderr).not.toMatch(/^ +at /m);
  });

  it("delivers by the rules file of --config, in the foreground (posix)", async () => {
    const project = await webhookProject();
    const result = await shell(
      project,
      `printf '%s' '{"channels":{"other":{"type":"webhook","url":"${unusedOrigin}"}},"rules":[{"notify":["other"]}]}' > other.jsonc
       printf '%s' '${payload}' | hookbell hook --config other.jsonc`,
    );
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^other: failed \(network\) after /);
  });

  it("drops everything when it is switched off", async () => {
    const project = temporaryProject();
    project.env.HOOKBELL_DISABLE = "1";
    expect(await project.command(["hook", "--wait"], "no JSON")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
});
