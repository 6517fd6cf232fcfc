// What a person reads when the disk takes nothing: the disk is named, and never the input, which is sound.
import { setTimeout as sleep } from "node:timers/promises";
import { closeSync, openSync } from "node:fs";
import { spawn } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { questionIdOf, readAnswer } from "../../../src/answers/questions.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { describeWithParts } from "../../support/parts.ts";
import { runAsPerson, personParts } from "../../support/project/person-terminal.ts";
import { putLonelyScript, runScript } from "../../support/project/posix-hook.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import { cliPath, end, hookPath, payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { mountParts, mountSmallDisk, type SmallDisk } from "../../support/project/small-disk.ts";
import { startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { askHook, capturedQuestion, onlyQuestion, telegramProject } from "../answers/asking.ts";

const troubles: [string, (disk: SmallDisk) => void, RegExp][] = [
  ["full", (disk) => disk.fill(), /the disk is full/],
  ["read-only", (disk) => disk.setReadOnly(true), /the file system is read-only|the folder cannot be written/],
];

describeWithParts("on a disk that takes nothing", mountParts, () => {
  it.each(troubles)("(%s) each way to put an event in blames the disk, not the event", async (_name, cause, said) => {
    const project = temporaryProject();
    project.writeRules(rulesTo("http://127.0.0.1:9/x"));
    const disk = mountSmallDisk(project.layout.root);
    ensureLayout(project.layout);
    cause(disk);
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

describeWithParts("on a disk that takes nothing, an answer", [...mountParts, ...personParts], () => {
  it.each(troubles)("(%s) is refused with the disk's trouble, and none counts", async (_name, cause, said) => {
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const project = telegramProject(telegram);
    // The dispatcher keeps its compiled code there, too.
    const disk = mountSmallDisk(project.layout.root, "16m");
    const hook = askHook(project);
    await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
    const question = onlyQuestion(project);
    if (question === undefined) throw new Error("no question");
    cause(disk);
    // What the dispatcher was writing then, it removes again.
    await sleep(1000);
    cause(disk);
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
