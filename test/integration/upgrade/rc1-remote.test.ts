// Machines that 1.0.0-rc.1 has added, with the scripts that it put there: the dispatcher of now goes on where the one of rc.1 stopped.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { objectOf } from "../../../src/model/json.ts";
import { readStatus } from "../../../src/wings/remote/remotes.ts";
import { recorded, stopPayload } from "../../support/faults/remote-storm.ts";
import { sshHosts, sshParts } from "../../support/faults/ssh-host.ts";
import { tree } from "../../support/faults/tree.ts";
import { describeWithParts } from "../../support/parts.ts";
import { endDispatcher } from "../../support/project/dispatcher-process.ts";
import { silent } from "../../support/project/posix-hook.ts";
import { end, type Project } from "../../support/project/running-project.ts";
import { recordingProject } from "../../support/project/spool-box.ts";
import { fileOfRc1, unpackRc1 } from "../../support/home/rc1-program.ts";
import { ann, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { capturedQuestion, decisionOf, onlyQuestion, telegramProject } from "../answers/asking.ts";

const starts = (project: Project): number => project.journal().filter(({ what }) => what === "started").length;

describeWithParts("a machine that 1.0.0-rc.1 has added over ssh", sshParts, () => {
  it("is followed on, its questions are answered, and it is removed without a trace", async () => {
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const project = telegramProject(telegram);
    const rc1 = unpackRc1(join(project.home, "rc1"));
    const [host] = await sshHosts(project, ["web1"]);
    if (host === undefined) throw new Error("no host");
    host.put(".claude/settings.json", "{}\n");
    const before = tree(host.home);
    expect(await rc1.run(project, ["remote", "add", "web1", "--yes"])).toMatchObject({ code: 0, stderr: "" });
    const script = readFileSync(join(host.state, "hookbell-hook.sh"), "utf8");
    expect(script.split("\n").slice(-20)).toEqual(fileOfRc1("hooks/hookbell-hook.sh").split("\n").slice(-20));
    expect(await host.hook(stopPayload("s1", "one"))).toEqual(silent);
    await project.until("the first event", () => recorded(project, host).length === 1);
    await project.until("its removal there", () => host.waiting().length === 0);
    await endDispatcher(project);

    for (const word of ["two", "three"]) expect(await host.hook(stopPayload("s1", word))).toEqual(silent);
    expect(host.waiting()).toHaveLength(2);
    project.start(["dispatch", "--detached"]);
    await project.until("all events", () => recorded(project, host).length >= 3);
    expect(recorded(project, host)).toEqual(["one", "two", "three"].map((word) => `web1:s1 ${word}`));
    await project.until("their removal there", () => host.waiting().length === 0);

    const question = { ...capturedQuestion, cwd: "/srv/shop", tool_input: { command: "touch made" } };
    const hook = host.hook(JSON.stringify(question), ["--agent", "claude-code", "--answer"]);
    await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
    const card = telegram.messages.at(-1);
    const allow = card?.buttons.find(({ text }) => text === "Allow");
    if (card === undefined || allow === undefined) throw new Error(`no button: ${JSON.stringify(card)}`);
    telegram.tap(ann, card, allow.callback_data);
    expect(JSON.parse((await hook).stdout)).toEqual(decisionOf("allow"));

    expect(readStatus(project.layout, "web1")).toMatchObject({ what: "connected" });
    expect(await project.command(["remote", "remove", "web1", "--yes"])).toMatchObject({ code: 0, stderr: "" });
    expect(tree(host.home)).toEqual(before);
  });
});

it("a sandbox whose file 1.0.0-rc.1 has read in part is read on, by the script that rc.1 put there (posix)", async () => {
  const project = recordingProject();
  const rc1 = unpackRc1(join(project.home, "rc1"));
  const folder = join(project.home, "box");
  mkdirSync(folder);
  const added = await rc1.run(project, ["remote", "add", "box/spool", "--by", "file", "--name", "box"]);
  expect(added).toMatchObject({ code: 0, stderr: "" });
  const hook = async (word: string): Promise<unknown> => {
    const argv = [join(folder, "hookbell-spool.sh"), "--agent", "claude-code"];
    return await end(spawn("sh", argv, { cwd: folder, env: { PATH: process.env.PATH } }), stopPayload("s1", word));
  };
  const got = (): string[] => recorded(project, { name: "box" });
  expect(readFileSync(join(folder, "hookbell-spool.sh"), "utf8")).toContain(
    fileOfRc1("hooks/hookbell-spool.sh").split("\n").slice(-20).join("\n"),
  );
  expect(await hook("one")).toEqual(silent);
  await project.until("the first event", () => got().length === 1);
  await endDispatcher(project);
  expect(await hook("two")).toEqual(silent);
  const before = starts(project);
  project.start(["dispatch", "--detached"]);
  await project.until("the second event", () => starts(project) > before && got().length === 2);
  expect(await hook("three")).toEqual(silent);
  await project.until("the third event", () => got().length === 3);
  expect(got()).toEqual(["one", "two", "three"].map((word) => `box:s1 ${word}`));
  // A dispatcher that is killed while it takes an event in leaves it on record; the next one records it again, with the same ID.
  const ids = project.journal().flatMap(({ kind, event }) => (kind === "event" ? [objectOf(event).id] : []));
  expect(new Set(ids).size).toBe(3);
  expect(await project.command(["remote", "remove", "box", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(join(folder, "hookbell-spool.sh"))).toBe(false);
});
