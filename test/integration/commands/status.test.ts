import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyCommand, removeCommand } from "../../../src/model/places/user-shell.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { describeWithParts } from "../../support/parts.ts";
import { mountParts, mountSmallDisk } from "../../support/project/small-disk.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { shell, stopTo, webhookProject } from "./webhook-project.ts";
import { recordOf } from "../../support/project/session-record.ts";

const nothing = { incoming: 0, outbox: 0, dead: 0, rejected: 0, dispatcher: { running: false }, endpoints: [] };

describe("status", () => {
  it("is all nought before anything happened, and makes nothing", async () => {
    const project = temporaryProject();
    const result = await project.command(["status", "--json"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(result.stdout)).toEqual(nothing);
    const { stdout } = await project.command(["status"]);
    expect(stdout).toContain(`there is no state folder ${project.layout.root} yet, because no hook has run\n`);
    expect(stdout).toContain("dispatcher: not running; the next hook starts it\n");
    project.env.HOOKBELL_STATE_DIR = "somewhere/else";
    expect((await project.command(["status"])).stdout).toMatch(
      /somewhere[\\/]else yet,[^]*HOOKBELL_STATE_DIR is relative/,
    );
  });

  it("counts what lies where", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 400 });
    await project.command(["send", "--channel", "ops", "--wait", "x"]);
    for (const name of ["a.-.-.json", "b.-.-.json", ".tmp-c.json"])
      writeFileSync(join(project.layout.incoming, name), "{}");
    await project.command(["hook"], "no JSON");
    const result = await project.run(["status", "--json"]);
    expect(JSON.parse(result.stdout)).toMatchObject({
      ...nothing,
      incoming: 2,
      dead: 1,
      rejected: 1,
      givenUp: [{ channel: "ops", count: 1, last: { detail: "answered 400" } }],
    });
    const { stdout } = await project.command(["status", "--verbose"]);
    expect(stdout).toMatch(/^incoming +2 {2}payloads not processed yet$/m);
    expect(stdout).toMatch(/^outbox +0 {2}/m);
    expect(stdout).toMatch(/^given up +1 {2}/m);
    expect(stdout).toMatch(/^rejected +1 {2}/m);
    const short = (await project.command(["status"])).stdout;
    expect(short).toMatch(/^1 delivery given up: hookbell retry --all, or hookbell discard --all$/m);
    const remove = removeCommand([join(project.layout.root, "rejected")]);
    expect(short).toContain(`\n1 invalid payload kept: hookbell log --failed says why; to delete them: ${remove}\n`);
    expect(short).toMatch(/^dispatcher: .* \(2 payloads not processed yet\)$/m);
    expect(short).not.toMatch(/^(?:incoming|outbox)/m);
  });

  it("says why a channel's last message failed, also where none was kept", async () => {
    const project = await webhookProject();
    const channels = { sound: { type: "sound" }, desktop: { type: "desktop" } };
    project.writeRules({ channels, rules: [stopTo("sound", "desktop")] });
    ensureLayout(project.layout);
    const attempt = { kind: "attempt", event: "evt_1", outcome: "failed", reason: "unavailable" } as const;
    const detail = `no sound server or device? ${"aplay: open error; ".repeat(20)}`;
    for (const outcome of ["failed", "delivered", "failed", "failed"] as const)
      writeJournal(project.layout, Date.now(), { ...attempt, outcome, next: "done", channel: "sound", detail });
    writeJournal(project.layout, Date.now(), { ...attempt, channel: "removed", detail: "no such channel any more" });
    writeJournal(project.layout, Date.now(), { ...attempt, channel: "desktop", detail: "no screen" });
    writeJournal(project.layout, Date.now(), { ...attempt, channel: "desktop", outcome: "delivered" });
    writeJournal(project.layout, Date.now(), { ...attempt, channel: "ops", detail: "down", next: "retry" });
    const { stdout } = await project.command(["status"]);
    expect(stdout).toMatch(
      /^channel sound: its last message failed at .*: no sound server or device\? .{60,100}… \(not kept: 2\)$/m,
    );
    expect(stdout).not.toMatch(/desktop|ops|removed/);
    const json = JSON.parse((await project.command(["status", "--json"])).stdout) as unknown;
    expect(json).toMatchObject({ failing: [{ channel: "sound", detail, notKept: 2 }] });
  });

  it("says what silences it: a broken rules file, HOOKBELL_DISABLE, no dispatcher for what waits", async () => {
    const project = await webhookProject();
    await project.command(["test"]);
    project.writeRules('{ "channels": 1, "rules": 2 }');
    project.env.HOOKBELL_DISABLE = "yes";
    writeFileSync(join(project.layout.incoming, "a.-.-.json"), "{}");
    const { stdout, code } = await project.command(["status"]);
    expect(code).toBe(0);
    const restore = copyCommand(join(project.layout.root, "rules.last-good.jsonc"), project.rulesFile);
    expect(stdout).toContain(
      `\nrules: broken: ${project.rulesFile} (2 problems: hookbell check); the last good rules apply; to restore them: ${restore}\n`,
    );
    expect(stdout).toMatch(/^HOOKBELL_DISABLE=yes is set: every event is dropped$/m);
    expect(stdout).toMatch(
      /^dispatcher: not running, and something is waiting\. .*: hookbell dispatch --until-idle \(1 payload not processed yet\)$/m,
    );
    expect((await project.command(["status", "--line"])).stdout).toBe("rules broken\n");
    const json = JSON.parse((await project.command(["status", "--json"])).stdout) as unknown;
    expect(json).toMatchObject({ isDisabled: true, brokenRules: { problems: 2, file: project.rulesFile } });
  });

  it("says of a rules file that is a broken link that it is one (posix)", async () => {
    const project = temporaryProject();
    symlinkSync("nowhere", project.rulesFile);
    expect((await project.command(["status"])).stdout).toMatch(
      /^rules: broken: .* \(1 problem: hookbell check\); the built-in/m,
    );
    rmSync(project.rulesFile);
    expect((await project.command(["status"])).stdout).not.toContain("rules:");
  });

  it("does not show noughts where it cannot look", async () => {
    const project = temporaryProject();
    writeFileSync(project.layout.root, "no folder");
    const result = await project.command(["status"]);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(
      /^hookbell: cannot read \S+: a part of the path is a file, not a folder \(ENOTDIR\)\n/,
    );
  });

  it("knows the dispatcher at work, and one that was killed", async () => {
    const project = await webhookProject();
    const dispatcher = project.start(["dispatch"]);
    await project.until("the dispatcher", () => project.journal().some(({ what }) => what === "started"));
    const running = JSON.parse((await project.command(["status", "--json"])).stdout) as unknown;
    expect(running).toMatchObject({ dispatcher: { running: true, pid: dispatcher.pid } });
    expect((await project.command(["status"])).stdout).toContain(`dispatcher: running, process ${dispatcher.pid} on `);
    const ended = new Promise((resolve) => dispatcher.once("exit", resolve));
    dispatcher.kill("SIGKILL");
    await ended;
    expect(JSON.parse((await project.command(["status", "--json"])).stdout)).toMatchObject({
      dispatcher: { running: false },
    });
  });

  it("shows a channel that is switched off until its settings change", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 410 });
    await project.command(["send", "--channel", "ops", "--wait", "x"]);
    const off = JSON.parse((await project.command(["status", "--json"])).stdout) as unknown;
    // Our own book-keeping, such as fingerprints, is no one's business.
    expect(off).toMatchObject({
      endpoints: [
        {
          channel: "ops",
          switchedOff: { reason: "gone", detail: expect.stringContaining("410"), at: expect.any(Number) },
        },
      ],
    });
    expect(JSON.stringify(off)).not.toMatch(/bucket|fingerprint|digest/i);
    expect((await project.command(["status"])).stdout).toMatch(
      /^channel ops: switched off \(gone: .*\). When it works again: hookbell test ops$/m,
    );
    project.writeRules({ channels: { ops: { type: "webhook", url: `${project.receiver.origin}/new` } }, rules: [] });
    expect(JSON.parse((await project.command(["status", "--json"])).stdout)).toMatchObject({ endpoints: [] });
    expect((await project.command(["status"])).stdout).not.toContain("channel ops");
  });

  it("shows how long a receiver wants to be left alone", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 429, headers: { "retry-after": "7200" } });
    await project.command(["hook", "--wait"], payloadOf("Stop"));
    expect((await project.command(["status"])).stdout).toMatch(
      /^channel ops: its receiver asks hookbell to wait another (1h|2h)/m,
    );
  });
});

it("shows the sessions that wait for an answer, muted or not, and the mutes", async () => {
  const project = await webhookProject();
  await project.command(["mute", "2h"]);
  await project.command(["hook", "--wait"], payloadOf("Notification", { message: "May I run npm test?" }));
  const { stdout } = await project.command(["status"]);
  // Who needs the person is said before all else.
  expect(stdout).toMatch(/^1 session waits for you:\n/);
  expect(stdout).toMatch(/^muted: everything until \d\d:\d\d$/m);
  expect(stdout).toMatch(/^1 session waits for you:\n {2}shop-web \((?:now|\d+s)\): May I run npm test\?$/m);
  expect(JSON.parse((await project.command(["status", "--json"])).stdout)).toMatchObject({
    asking: [{ session: "s1", project: "shop-web", words: "May I run npm test?" }],
    muted: [expect.stringContaining("everything until")],
  });
  await project.command(["hook", "--wait"], payloadOf("Stop"));
  expect((await project.command(["status"])).stdout).not.toContain("waits for you");
});

it("shows a question in full, wrapped, and the sessions that ended with an error", async () => {
  const project = await webhookProject();
  const command = `npm publish --tag ${"very-long-name-".repeat(10)}end`;
  const asks = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command } };
  const agent = ["--agent", "claude-code", "--wait"];
  await project.command(["hook", ...agent], JSON.stringify({ ...asks, session_id: "s1", cwd: "/srv/shop-web" }));
  const failed = { hook_event_name: "StopFailure", error: "overloaded", last_assistant_message: "API Error: 529" };
  await project.command(["hook", ...agent], JSON.stringify({ ...failed, session_id: "s2", cwd: "/srv/api" }));
  const { stdout } = await project.command(["status"]);
  expect(stdout).toContain(`: run \`${command}\`?\n`);
  expect(stdout).toMatch(/^the last turn of 1 session failed:\n {2}api \((?:now|\d+s)\): API Error: 529$/m);
  expect(JSON.parse((await project.command(["status", "--json"])).stdout)).toMatchObject({
    asking: [{ session: "s1", words: `run \`${command}\`?` }],
    failed: [{ session: "s2", project: "api", words: "API Error: 529" }],
  });
});

it("leaves out a session whose agent is gone", async () => {
  const project = await webhookProject();
  ensureLayout(project.layout);
  const open = [{ id: "evt_1", at: Date.now(), name: "PermissionRequest", words: "May I?" }];
  const asking = { agent: "codex", open };
  // Its process has ended, and another has the number.
  const terminal = { device: "/dev/pts/9999", pid: process.pid, start: "1" };
  writeSession(project.layout, recordOf({ ...asking, session: "gone", project: "api", terminal }));
  writeSession(project.layout, recordOf({ ...asking, session: "there", project: "web" }));
  const { stdout } = await project.command(["status"]);
  expect(stdout).toMatch(/^1 session waits for you:\n {2}web \((?:now|\d+s)\): May I\?$/m);
});

describeWithParts("status without permission", ["setpriv"], () => {
  it("says that it may not look", async () => {
    const project = temporaryProject();
    const result = await shell(
      project,
      'mkdir -p "$HOOKBELL_STATE_DIR/outbox" && chmod 0 "$HOOKBELL_STATE_DIR" && ordinarily hookbell status; code=$?; chmod 700 "$HOOKBELL_STATE_DIR"; exit $code',
    );
    expect(result).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("permission denied (EACCES)"),
    });
    expect(result.stderr).toContain(`\n  chmod 700 ${project.layout.root}\n`);
  });

  it("says that no dispatcher can run, and which command fixes that", async () => {
    const project = temporaryProject();
    ensureLayout(project.layout);
    const { root } = project.layout;
    const result = await shell(project, `chmod 555 ${root}; ordinarily hookbell status; chmod 700 ${root}`);
    expect(result.stdout).toContain(
      `state: broken: ${root}: permission denied (EACCES); no dispatcher can run, so nothing is sent\n  $ chmod 700 ${root}\n`,
    );
    expect(result.stdout).not.toContain("dispatcher:");
  });

  it("says that events are being lost where a hook cannot make the folder for them", async () => {
    const project = temporaryProject();
    const { root } = project.layout;
    mkdirSync(root);
    const result = await shell(project, `chmod 555 ${root}; ordinarily hookbell status; chmod 700 ${root}`);
    expect(result.stdout).toContain(`state: broken: ${root}: permission denied (EACCES); events are being lost\n`);
  });
});

describeWithParts("status on a disk that takes nothing", mountParts, () => {
  it("says that events are being lost, and why", async () => {
    const project = temporaryProject();
    const { root, incoming } = project.layout;
    const disk = mountSmallDisk(root);
    ensureLayout(project.layout);
    disk.fill();
    const full = await project.command(["status"]);
    expect(full.stdout).toContain(`state: broken: ${incoming}: the disk is full (ENOSPC); events are being lost\n`);
    expect(full.stdout).toContain(`  $ df -h ${incoming}\n`);
    disk.setReadOnly(true);
    const readOnly = JSON.parse((await project.command(["status", "--json"])).stdout) as unknown;
    expect(readOnly).toMatchObject({ brokenState: { why: "the file system is read-only (EROFS)", isLosing: true } });
  });
});
