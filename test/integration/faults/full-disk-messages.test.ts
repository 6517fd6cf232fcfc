// What a person reads when the disk takes nothing: the disk is named, and never the input, which is sound.
import { closeSync, openSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { questionIdOf, readAnswer } from "../../../src/answers/questions.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { describeWithParts } from "../../support/parts.ts";
import { runAsPerson, personParts } from "../../support/project/person-terminal.ts";
import { putLonelyScript, putScript, runScript } from "../../support/project/posix-hook.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import {
  cliPath,
  end,
  type Ended,
  hookPath,
  payloadOf,
  type Project,
  temporaryProject,
} from "../../support/project/running-project.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { fillForGood, mountParts, mountSmallDisk, type SmallDisk } from "../../support/project/small-disk.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { askHook, capturedQuestion, onlyQuestion, telegramProject } from "../answers/asking.ts";

const troubles: [string, (disk: SmallDisk) => Promise<void> | void, RegExp][] = [
  ["full", fillForGood, /the disk is full/],
  ["read-only", (disk) => disk.setReadOnly(true), /the file system is read-only|the folder cannot be written/],
];

describeWithParts("on a disk that takes nothing", mountParts, () => {
  it.each(troubles)("(%s) each way to put an event in blames the disk, not the event", async (_name, cause, said) => {
    const project = temporaryProject();
    project.env.XDG_RUNTIME_DIR = temporaryFolder();
    project.writeRules(rulesTo("http://127.0.0.1:9/x"));
    const disk = mountSmallDisk(project.layout.root);
    ensureLayout(project.layout);
    await cause(disk);
    const stop = payloadOf("Stop");
    const question = JSON.stringify(capturedQuestion);
    const hook = (flags: string[], input: string) => project.hook(input, ["--agent", "claude-code", ...flags]);
    const ways = {
      hook: await hook([], stop),
      "hook --wait": await hook(["--wait"], stop),
      "hook --reply": await hook(["--reply"], stop),
      "hook --answer": await hook(["--answer"], question),
      "the shell's hook": await runScript(project, [putLonelyScript(project), "--agent", "droid"], stop, project.env),
      send: await project.run(["send", "hello"]),
      "send --wait": await project.run(["send", "--wait", "hello"]),
      "send with its text on standard input": await project.run(["send"], "hello"),
      run: await project.run(["run", "--", "true"]),
      mute: await project.run(["mute", "1h"]),
    };
    for (const [way, { stderr }] of Object.entries(ways)) {
      expect(stderr, way).toMatch(said);
      expect(stderr, way).not.toMatch(/\b(?:expected|JSON|unreadable|bug)\b|ENOSPC: |EROFS: /);
    }
  });
});

describeWithParts("on a disk that takes nothing, without a dispatcher", mountParts, () => {
  const stop = payloadOf("Stop");
  const hooks: [string, (project: Project) => Promise<Ended>][] = [
    ["the hook", (project) => project.hook(stop, ["--agent", "claude-code"])],
    [
      "the shell's hook",
      (project) => runScript(project, [putScript(join(project.home, "hook.sh")), "--agent", "claude-code"], stop),
    ],
  ];
  const each = hooks.flatMap(([way, run]) => troubles.map((trouble) => [way, ...trouble, run] as const));

  it.each(each)("the event that %s loses is told without the disk (%s)", async (_way, _name, cause, said, run) => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 200, body: '{ "id": 1 }' } });
    const project = temporaryProject();
    project.env.XDG_RUNTIME_DIR = temporaryFolder();
    const phone = {
      type: "gotify",
      server: receiver.origin,
      token: "A1234567890abcd",
      content: "full",
      allowHttp: true,
    };
    project.writeRules({ channels: { phone }, rules: [{ notify: ["phone"] }] });
    const disk = mountSmallDisk(project.layout.root);
    ensureLayout(project.layout);
    await cause(disk);
    expect((await run(project)).stderr).toMatch(said);
    await project.until("the notice", () => receiver.requests.length > 0);
    expect(receiver.requests[0]?.body).toContain("events are being lost");
    expect(receiver.requests[0]?.body).toMatch(said);
  });
});

describeWithParts("on a disk that takes nothing, an answer", [...mountParts, ...personParts], () => {
  it.each(troubles)("(%s) is refused with the disk's trouble, and none counts", async (_name, cause, said) => {
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const project = telegramProject(telegram);
    project.env.XDG_RUNTIME_DIR = temporaryFolder();
    // The dispatcher keeps its compiled code there, too.
    const disk = mountSmallDisk(project.layout.root, "16m");
    const hook = askHook(project);
    await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
    const question = onlyQuestion(project);
    if (question === undefined) throw new Error("no question");
    await cause(disk);
    const answered = await runAsPerson(project, ["answer", questionIdOf(question), "allow"]);
    expect(answered.code).not.toBe(0);
    expect(answered.shown).toMatch(said);
    expect(answered.shown).not.toMatch(/no open question|\bbug\b/);
    hook.child.kill("SIGTERM");
    expect((await hook.ended).stdout).toBe("");
    expect(readAnswer(project.layout, question.id)).toBeUndefined();
  });
});

/** Reading the start of it is an error of the system. */
it.runIf(process.platform === "linux")("a standard input that cannot be read is named as such", async () => {
  const project = temporaryProject();
  const input = openSync("/proc/self/mem", "r");
  try {
    for (const argv of [
      [hookPath, "--agent", "droid"],
      [cliPath, "hook", "--agent", "droid", "--wait"],
    ]) {
      const child = spawn(process.execPath, argv, { env: project.env, stdio: [input, "pipe", "pipe"] });
      const { code, stderr } = await end(child, undefined);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: "hookbell: payload: cannot read standard input: the disk reports an error (EIO)\n",
      });
    }
  } finally {
    closeSync(input);
  }
});
