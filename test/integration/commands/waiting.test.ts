import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { startHttpReceiver, unusedOrigin } from "../../support/receivers/http-receiver.ts";
import { type Ended, payloadOf, type Project, temporaryProject } from "../../support/project/running-project.ts";
import { webhookProject } from "./webhook-project.ts";
import { dispatcherPid, endDispatcher } from "../../support/project/dispatcher-process.ts";

/** A hook or `send` may have started another dispatcher meanwhile. */
async function dispatchUntilIdle(project: Project): Promise<Ended> {
  for (;;) {
    const ended = await project.run(["dispatch", "--until-idle"]);
    if (!/another dispatcher/.test(ended.stderr)) return ended;
    await endDispatcher(project);
  }
}

describe("what waits for its next try", () => {
  it("is said by dispatch --until-idle, and by status after it", async () => {
    const project = temporaryProject();
    project.writeRules({
      channels: { ops: { type: "webhook", url: `${unusedOrigin}/x` } },
      rules: [{ notify: ["ops"] }],
    });
    for (const session_id of ["s1", "s2", "s3"]) await project.hook(payloadOf("Stop", { session_id }));
    await project.until("a first failure", () => project.journal().some(({ kind }) => kind === "attempt"));
    await project.until("all of them planned", () => readdirSync(project.layout.outbox).length === 3);
    expect(dispatcherPid(project)).toBeGreaterThan(0);
    await endDispatcher(project);
    const line = /^3 waiting until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(ops: .*(refused|ECONNREFUSED).*\)$/m;
    const left = await dispatchUntilIdle(project);
    expect(left).toMatchObject({ code: 0, stderr: "" });
    expect(left.stdout).toMatch(line);
    const said = JSON.parse((await project.command(["status", "--json"])).stdout) as { waiting: unknown };
    expect(said.waiting).toMatchObject([{ channel: "ops", count: 3, reason: "network" }]);
    const { stdout } = await project.command(["status"]);
    expect(stdout).toMatch(/ops.*(next attempt in|refused)/);
    expect(stdout).not.toContain("1 deliveries");
  });

  it("is nothing when all has gone out", async () => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    project.writeRules({ channels: { ops: { type: "webhook", url: `${receiver.origin}/x` } }, rules: [] });
    await project.command(["send", "--channel", "ops", "--wait", "x"]);
    expect((await project.command(["dispatch", "--until-idle"])).stdout).toBe("nothing was due\n");
  });

  it("says what it has sent, and what holds back the rest, as status does", async () => {
    const escalate = [{ after: "1h", notify: ["spare"] }];
    const project = await webhookProject([{ when: { event: "Stop" }, notify: ["ops"], escalate }]);
    ensureLayout(project.layout);
    const payload = payloadOf("Stop", { session_id: "s1" });
    writeFileSync(join(project.layout.incoming, "0000000000005-1-a.claude-code.-.json"), payload);
    const { stdout } = await project.command(["dispatch", "--until-idle"]);
    const held = /^1 message sent\n(1 waiting until [-\d: ]{19} \(spare: escalates after 1h without an answer\))\n$/;
    expect(stdout).toMatch(held);
    expect((await project.command(["status"])).stdout).toContain(held.exec(stdout)?.[1]);
  });
});

describe("a message sent by hand", () => {
  it("goes out while agents' events are dropped, and says so", async () => {
    const receiver = await startHttpReceiver();
    const project = temporaryProject();
    project.writeRules({ channels: { ops: { type: "webhook", url: `${receiver.origin}/x` } }, rules: [] });
    project.env.HOOKBELL_DISABLE = "1";
    const sent = await project.command(["send", "--channel", "ops", "--wait", "x"]);
    expect(sent.code).toBe(0);
    expect(sent.stderr).toContain("HOOKBELL_DISABLE drops only the events of agents; this message is sent");
    expect(receiver.requests.length).toBe(1);
  });
});

describe("dead letters", () => {
  it("are told from each other by what they say, and a retry of them is on record", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 400 } });
    const project = temporaryProject();
    project.writeRules({
      channels: { ops: { type: "webhook", url: `${receiver.origin}/x`, scrub: false } },
      rules: [{ notify: ["ops"] }],
    });
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    for (const message of ["May I run make?", `Is it ${token}?`]) {
      await project.command(["hook", "--wait"], payloadOf("Notification", { message }));
    }
    const { stderr } = await project.command(["retry"]);
    expect(stderr).toMatch(/Notification · "May I run make\?", to ops: rejected/);
    expect(stderr).toContain('Notification · "Is it [redacted: GitHub token]?", to ops');
    receiver.behave({ answer: 200 });
    await project.command(["retry", "--all"]);
    expect(project.journal().filter(({ kind }) => kind === "retried")).toMatchObject([
      { what: "2 failed deliveries", why: "by hand" },
    ]);
    expect((await project.command(["log", "--all"])).stdout).toMatch(/retried {3}2 failed deliveries · by hand$/m);
  });
});

describe("a payload", () => {
  it("is named as it lies on the disk", async () => {
    const project = temporaryProject();
    project.writeRules({ channels: {}, rules: [] });
    mkdirSync(project.layout.incoming, { recursive: true });
    writeFileSync(join(project.layout.incoming, "sh-1-1-0.claude-code.-.json"), "{}");
    await project.command(["dispatch", "--until-idle"]);
    const entry = project.journal().find(({ kind }) => kind === "rejected");
    expect(readdirSync(project.layout.rejected)).toContain(entry?.file);
    expect(entry?.cameAs).toBe("sh-1-1-0.claude-code.-.json");
  });
});
