import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import { writeSecretAdvice } from "../../../src/model/places/user-shell.ts";
import { quarantine } from "../../../src/outbox/rejected.ts";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { describeWithParts } from "../../support/parts.ts";
import { unusedOrigin } from "../../support/receivers/http-receiver.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { shell, webhookProject } from "./webhook-project.ts";

interface Finding {
  area: string;
  status: "ok" | "warning" | "broken";
  text: string;
  fix?: string;
  command?: string;
}

async function examine(project: Project, run = project.command): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, stdout, stderr } = await run(["doctor", "--json"]);
  expect(stderr).toBe("");
  return { code, findings: (JSON.parse(stdout) as { findings: Finding[] }).findings };
}

/** The findings that are not as they should be, of one area. */
const amiss = (findings: readonly Finding[], area: string): Finding[] =>
  findings.filter((finding) => finding.area === area && finding.status !== "ok");

/** Whether the machine has a desktop decides about one more, which has a test of its own. */
const amissChannels = (findings: readonly Finding[]): Finding[] =>
  amiss(findings, "channels").filter(({ text }) => !isAboutNotices(text));
const isAboutNotices = (text: string): boolean => text.startsWith("no channel can tell you of hookbell's own problems");

describe("doctor", () => {
  it("finds nothing broken where all is well, and exits 0", async () => {
    const project = await webhookProject();
    chmodSync(project.rulesFile, 0o600);
    const { code, findings } = await examine(project);
    expect(code).toBe(0);
    expect(findings.filter(({ text }) => !isAboutNotices(text))).toEqual([
      // No agent is set up in this home.
      expect.objectContaining({ area: "agents", status: "warning" }),
      { area: "rules", status: "ok", text: `${project.rulesFile} (2 channels, 1 rule)` },
      { area: "channels", status: "ok", text: expect.stringMatching(/^ops \(webhook\): /) },
      { area: "channels", status: "ok", text: expect.stringMatching(/^spare \(webhook\): /) },
      { area: "state", status: "ok", text: `${project.layout.root} is writable` },
      { area: "queue", status: "ok", text: "nothing is waiting; the dispatcher starts with the next hook" },
    ]);
    const { stdout } = await project.command(["doctor"]);
    expect(stdout).toMatch(/^agents\n {2}warning {2}/);
    expect(stdout).toMatch(/\nNothing is broken\.\n$/);
    expect(project.receiver.requests).toEqual([]);
  });

  it("says of a rules file that cannot be read what it is", async () => {
    const project = await webhookProject();
    rmSync(project.rulesFile);
    mkdirSync(project.rulesFile);
    const found = amiss((await examine(project)).findings, "rules");
    expect(found).toMatchObject([
      { status: "broken", text: expect.stringContaining("cannot be read: it is not a file but a directory") },
    ]);
  });

  it("says of a rules file that is a broken link that it is one (posix)", async () => {
    const project = await webhookProject();
    rmSync(project.rulesFile);
    symlinkSync("nowhere", project.rulesFile);
    const found = amiss((await examine(project)).findings, "rules");
    expect(found).toMatchObject([
      { status: "broken", text: expect.stringContaining("cannot be read: it is a broken link") },
    ]);
  });

  it("finds that the rules file is broken in one line, and what applies meanwhile", async () => {
    const project = await webhookProject();
    await project.command(["test"]);
    project.writeRules('{ "channels": { "ops": { "type": "webhok" } },\n "rules": [{ "notify": ["opps"] }] }');
    const { code, findings } = await examine(project);
    expect(code).toBe(1);
    expect(amiss(findings, "rules").map(({ status, text, fix }) => [status, text, fix])).toEqual([
      [
        "broken",
        expect.stringMatching(
          /rules\.jsonc: 2 problems; the last good rules apply \(\S+last-good\.jsonc, saved at \d{4}-\d\d-\d\d [\d:]{8}\)$/,
        ),
        "hookbell check",
      ],
    ]);
    expect((await project.command(["check"])).stdout).toMatch(
      /^until it is fixed, the last good rules apply \(\S+last-good\.jsonc, saved at \d{4}-\d\d-\d\d [\d:]{8}\)$/m,
    );
  });

  it("warns where no channel can carry hookbell's own notices (posix)", async () => {
    const project = temporaryProject();
    const warned = async () =>
      amiss((await examine(project)).findings, "channels").filter(({ text }) => isAboutNotices(text));
    project.env.XDG_RUNTIME_DIR = project.home;
    const hook = { type: "webhook", url: unusedOrigin };
    project.writeRules({ channels: { hook }, rules: [{ notify: ["hook"] }] });
    expect(await warned()).toMatchObject([{ status: "warning", command: "hookbell channels add" }]);
    project.writeRules({
      channels: { hook, team: { type: "slack", url: unusedOrigin } },
      rules: [{ notify: ["hook"] }],
    });
    expect(await warned()).toEqual([]);
  });

  it("finds a channel that would carry answers while answers are off", async () => {
    const project = await webhookProject();
    project.writeRules({ channels: { here: { type: "desktop", answers: true } }, rules: [{ notify: ["here"] }] });
    expect(amiss((await examine(project)).findings, "channels")).toContainEqual(
      expect.objectContaining({
        status: "warning",
        text: 'here (desktop): "answers": true does nothing, because the rules file has no "answers"',
        command: "hookbell init",
      }),
    );
  });

  it("finds a channel whose secret is missing, and says how to fix it", async () => {
    const project = await webhookProject();
    project.writeRules({
      channels: { ops: { type: "webhook", url: { env: "NOT_SET" } }, team: { type: "slack", url: { file: "~/none" } } },
      rules: [],
    });
    const { code, findings } = await examine(project);
    expect(code).toBe(1);
    expect(amissChannels(findings)).toEqual([
      {
        area: "channels",
        status: "broken",
        text: "ops (webhook): url: the environment variable NOT_SET is not set",
        fix: expect.stringContaining('{ "file" }'),
        command: "hookbell test ops",
      },
      {
        area: "channels",
        status: "broken",
        text: "team (slack): url: there is no file ~/none",
        fix: `${writeSecretAdvice()}; hookbell test team`,
        command: "hookbell test team",
      },
    ]);
  });

  it("offers another channel where no screen is (posix)", async () => {
    const project = await webhookProject();
    project.writeRules({ channels: { "my screen": { type: "desktop" } }, rules: [] });
    const [finding] = amiss((await examine(project)).findings, "channels");
    expect(finding?.fix).toMatch(/^install a notification .*; if you do not sit at this machine, add another channel:/);
    expect(finding?.command).toBe("hookbell channels add");
  });

  it("finds a channel that is switched off", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 410 });
    await project.command(["send", "--channel", "ops", "--wait", "x"]);
    const { code, findings } = await examine(project);
    expect(code).toBe(1);
    expect(amissChannels(findings)).toEqual([
      {
        area: "channels",
        status: "broken",
        text: expect.stringContaining("ops (webhook): switched off, because gone: "),
        fix: "change its settings, or repair its receiver, then: hookbell test ops",
        command: "hookbell test ops",
      },
    ]);
  });

  it("does not call a channel ok whose last delivery failed", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 503 });
    runDispatcherOf(project);
    await project.command(["send", "--channel", "ops", "x"]);
    await project.until("a failed try", () => project.journal().some(({ kind }) => kind === "attempt"));
    const { code, findings } = await examine(project);
    expect(code).toBe(1);
    expect(amissChannels(findings)).toMatchObject([
      {
        text: expect.stringMatching(/^ops \(webhook\): 1 delivery waiting, because answered 503/),
        command: "hookbell test ops",
      },
    ]);
    expect((await project.command(["doctor"])).stdout).toMatch(/\n {2}broken {3}ops .*\n {11}\$ hookbell test ops\n/);
  });

  it("finds secrets and a state that others may look at, without calling it broken (posix)", async () => {
    const project = await webhookProject();
    ensureLayout(project.layout);
    chmodSync(project.layout.root, 0o755);
    const url = `${project.receiver.origin}/hooks/abcdefgh12345678`;
    project.writeRules({
      channels: { ops: { type: "webhook", url }, spare: { type: "webhook", url: `${project.receiver.origin}/agents` } },
      rules: [],
    });
    chmodSync(project.rulesFile, 0o644);
    const { code, findings } = await examine(project);
    expect(code).toBe(0);
    expect(amiss(findings, "state")).toEqual([
      {
        area: "state",
        status: "warning",
        text: `other users can read ${project.layout.root} (mode 755)`,
        fix: `chmod 700 ${project.layout.root}`,
        command: `chmod 700 ${project.layout.root}`,
      },
    ]);
    expect(amiss(findings, "rules")).toEqual([
      {
        area: "rules",
        status: "warning",
        text: `other users can read ${project.rulesFile} (mode 644), which contains secrets of ops`,
        fix: `chmod 600 ${project.rulesFile}`,
        command: `chmod 600 ${project.rulesFile}`,
      },
    ]);
  });

  it("calls rules, a state and secrets that others can change by their name; init says so as well (posix)", async () => {
    const project = await webhookProject();
    ensureLayout(project.layout);
    const secret = join(project.home, "secret");
    writeFileSync(secret, `${project.receiver.origin}/x`);
    chmodSync(secret, 0o644);
    project.writeRules({ channels: { ops: { type: "webhook", url: { file: secret } } }, rules: [] });
    chmodSync(project.layout.root, 0o777);
    expect(amiss((await examine(project)).findings, "state")).toMatchObject([
      {
        status: "broken",
        text: `${project.layout.root} can be changed by other users (mode 777); they decide what hookbell sends and runs`,
        command: `chmod go-w ${project.layout.root}`,
      },
    ]);
    expect(amiss((await examine(project)).findings, "rules")).toMatchObject([
      { status: "warning", text: `other users can read ${secret} (mode 644), which is a secret` },
    ]);
    chmodSync(project.rulesFile, 0o666);
    expect(amiss((await examine(project)).findings, "rules")).toMatchObject([
      { status: "broken", text: expect.stringContaining("can be changed by other users (mode 666); to use it: chmod") },
    ]);
    const { stderr } = await project.command(["init", "--agent", "claude-code", "--yes"]);
    const applying = "hookbell: the rules file is broken; the built-in rules apply. See: hookbell check\n";
    expect(stderr).toBe(
      applying +
        [project.rulesFile, project.layout.root]
          .map((path, index) => {
            const mode = index === 0 ? "666" : "777";
            return `hookbell: ${path} can be changed by other users (mode ${mode}); to fix it: chmod go-w ${path}\n`;
          })
          .join(""),
    );
  });

  it("passes on what check warns about", async () => {
    const project = temporaryProject();
    project.writeRules(
      JSON.stringify({
        channels: { a: { type: "webhook", url: "http://127.0.0.1:9/x" } },
        rules: [{ notify: ["a"], when: { agent: "claud-code" } }],
      }),
    );
    expect(amiss((await examine(project)).findings, "rules")).toContainEqual({
      area: "rules",
      status: "warning",
      text: expect.stringContaining('there is no known agent "claud-code" (did you mean "claude-code"?)'),
      fix: "hookbell check",
      command: "hookbell check",
    });
  });

  it("finds what waits and what gave up", async () => {
    const project = await webhookProject();
    project.receiver.behave({ answer: 400 });
    await project.command(["send", "--channel", "ops", "--wait", "x"]);
    await project.command(["hook"], "no JSON");
    writeFileSync(join(project.layout.incoming, "a.-.-.json"), "{}");
    writeFileSync(join(project.layout.outbox, "c.json"), "{");
    quarantine(project.layout, "outbox", "c.json", "not JSON:\nline 2", Date.now());
    const { code, findings } = await examine(project, project.run);
    expect(code).toBe(0);
    // A dispatcher is started for the trial, and takes it.
    expect(findings).toContainEqual({
      area: "queue",
      status: "ok",
      text: expect.stringMatching(
        /^1 payload and 0 deliveries waiting(?:; the dispatcher is running| until a dispatcher)/,
      ),
    });
    expect(listIncoming(project.layout)).toEqual([]);
    expect(amiss(findings, "queue").map(({ status, text }) => [status, text])).toEqual([
      ["warning", "1 delivery given up"],
      ["warning", `1 file of the queue was damaged, and moved to ${project.layout.rejected}`],
      ["warning", "1 payload did not validate"],
    ]);
    expect((await project.command(["log", "--failed"])).stdout).toMatch(/^.* rejected .*: not JSON: line 2$/m);
  });

  it("finds that everything is switched off", async () => {
    const project = await webhookProject();
    project.env.HOOKBELL_DISABLE = "1";
    const { code, findings } = await examine(project);
    expect(code).toBe(0);
    expect(amiss(findings, "state").map(({ text }) => text)).toEqual([
      "HOOKBELL_DISABLE=1 is set: every event is dropped",
    ]);
  });

  it("finds a state that cannot be made", async () => {
    const project = await webhookProject();
    writeFileSync(join(project.home, "file"), "");
    project.env.HOOKBELL_STATE_DIR = join(project.home, "file", "state");
    const { code, findings } = await examine(project);
    expect(code).toBe(1);
    expect(amiss(findings, "state").map(({ status, text }) => [status, text])).toEqual([
      ["broken", expect.stringContaining("is not writable: a part of the path is a file, not a folder (ENOTDIR)")],
    ]);
    expect(findings).toContainEqual({ area: "queue", status: "ok", text: "nothing is waiting" });
  });
});

describeWithParts("doctor without permission", ["setpriv"], () => {
  it("looks at everything that it may look at", async () => {
    const project = await webhookProject();
    ensureLayout(project.layout);
    chmodSync(project.layout.outbox, 0);
    mkdirSync(join(project.home, ".factory"));
    const result = await shell(project, "ordinarily hookbell doctor --json");
    chmodSync(project.layout.outbox, 0o700);
    expect(result).toMatchObject({ code: 1, stderr: "" });
    const { findings } = JSON.parse(result.stdout) as { findings: Finding[] };
    expect(findings.filter(({ status }) => status === "broken").map(({ area, text }) => [area, text])).toEqual([
      ["state", `${project.layout.outbox} is not writable: permission denied (EACCES)`],
      ["queue", `cannot read ${project.layout.outbox}: permission denied (EACCES)`],
    ]);
    expect(findings.map(({ area }) => area)).toContain("channels");
  });
});
