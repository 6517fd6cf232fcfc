import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { questionsFolder } from "../../src/answers/questions.ts";
import { findLeaseHolder } from "../../src/outbox/lease/lease.ts";
import { stoppedAt, stoppedBefore } from "../support/faults/stop-at-step.ts";
import { stopPayload } from "../support/faults/remote-storm.ts";
import { dispatcherPid, endDispatcher } from "../support/project/dispatcher-process.ts";
import { cliPath, type Project } from "../support/project/running-project.ts";
import { addBox, gotFromBox, recordingProject } from "../support/project/spool-box.ts";
import { ann, startPretendTelegram, type PretendTelegram } from "../support/receivers/pretend-telegram.ts";
import { askHook, decisionOf, onlyQuestion, printed, telegramProject } from "../integration/answers/asking.ts";

async function started(): Promise<{ telegram: PretendTelegram; project: Project }> {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  return { telegram, project: telegramProject(telegram) };
}

/** A question is shown twice when the first time was not recorded; the first tap counts. */
function allowAll(telegram: PretendTelegram): void {
  for (const message of telegram.messages) {
    const allow = message.buttons.find(({ text }) => text === "Allow");
    if (allow !== undefined) telegram.tap(ann, message, allow.callback_data);
  }
}

async function isShown(project: Project, telegram: PretendTelegram): Promise<void> {
  await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
}

describe("a dispatcher that is killed", () => {
  it("while a question is open is followed by another one, which hears the answer", async () => {
    const { telegram, project } = await started();
    const hook = askHook(project);
    await isShown(project, telegram);
    const first = dispatcherPid(project);
    process.kill(first, "SIGKILL");
    await project.until("another one", () => {
      const holder = findLeaseHolder(project.layout, Date.now());
      return holder !== undefined && holder.pid !== first && telegram.isPolled();
    });
    allowAll(telegram);
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the edit", () => /allowed by Ann/.test(telegram.messages[0]?.text ?? ""));
  });

  const kills: [string, Record<string, string>, boolean][] = [
    ...[1, 16, 31, 46, 61].map(
      // Which step has such a number changes with the code: it may be the one before it notes where the card is.
      (step) => [`its step ${step}`, stoppedAt(step), true] as [string, Record<string, string>, boolean],
    ),
    ["it stores the nonces", stoppedBefore(/^renameSync .*questions/, 1), false],
    ["it sends the card", stoppedBefore(/^write .*sendMessage/), false],
    ["it hears where the card is", stoppedBefore(/^renameSync .*questions/, 2), true],
    ["it listens", stoppedBefore(/^write .*getUpdates/), false],
    ["it creates the answer", stoppedBefore(/^linkSync .*\.answer$/), false],
    ["it tells the person", stoppedBefore(/^write .*answerCallbackQuery/), false],
    ["it edits the card", stoppedBefore(/^write .*editMessageText/), false],
    ["it removes the question", stoppedBefore(/^unlinkSync .*questions.*\.json$/), false],
    ["it removes the answer", stoppedBefore(/^unlinkSync .*\.answer$/), false],
    ["it removes the mark", stoppedBefore(/^unlinkSync .*\.obeyed$/), false],
  ];
  it.each(kills)("before %s neither loses an answer nor makes one up", async (step, stop, isShownTwice) => {
    const { telegram, project } = await started();
    const env = { ...project.env, ...stop };
    // A detached one would end while it waits for a slow hook.
    const doomed = spawn(process.execPath, [cliPath, "dispatch"], { env, stdio: "ignore" });
    const isCertain = !step.startsWith("its step");
    if (isCertain) {
      await project.until("its lease", () => findLeaseHolder(project.layout, Date.now())?.pid === doomed.pid);
    }
    const hook = askHook(project);
    await isShown(project, telegram);
    allowAll(telegram);
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    if (isCertain) await project.until("its death", () => doomed.signalCode === "SIGKILL");
    // It may have been killed after the hook's end.
    project.start(["dispatch", "--detached"]);
    await project.until("its end", () => onlyQuestion(project) === undefined);
    const { messages, toasts } = telegram;
    expect(toasts.filter((toast) => toast.startsWith("Allowed")).length).toBeLessThanOrEqual(1);
    await project.until("the edit", () => /allowed by Ann/.test(messages.at(-1)?.text ?? ""));
    // The first card of two is not on record; its buttons say that the question is not open.
    expect(messages.filter(({ buttons }) => buttons.length > 0).length).toBeLessThanOrEqual(isShownTwice ? 1 : 0);
    doomed.kill("SIGKILL");
  });

  it("ten times loses and doubles no event of a sandbox, whose file is replaced by longer copies meanwhile", async () => {
    const project = recordingProject();
    const { spool, hook } = await addBox(project);
    const sent = Array.from({ length: 500 }, (_, index) => `turn ${index}`);
    for (let part = 0; part < 10; part += 1) {
      const some = sent.slice(part * 50, part * 50 + 50);
      const appended = Promise.all(some.map((text) => hook(stopPayload("s1", text))));
      await endDispatcher(project);
      project.start(["dispatch", "--detached"]);
      expect(new Set((await appended).map(({ code }) => code))).toEqual(new Set([0]));
      if (part === 6) {
        const text = readFileSync(spool);
        rmSync(spool);
        writeFileSync(spool, text);
      }
    }
    await project.until("all events", () => gotFromBox(project).length >= 500);
    // This one comes after all that could come twice.
    await hook(stopPayload("s1", "last"));
    await project.until("the last event", () => gotFromBox(project).includes("box:s1 last"));
    expect(gotFromBox(project).toSorted()).toEqual([...sent, "last"].map((text) => `box:s1 ${text}`).toSorted());
  });
});

describe("a hook that is killed", () => {
  it.each([
    ["it stores the question", stoppedBefore(/^renameSync .*questions/)],
    ["it stores the payload", stoppedBefore(/ .*incoming/)],
    ["it marks the answer as obeyed", stoppedBefore(/^linkSync .*\.obeyed$/)],
    ["it tells the agent", stoppedBefore(/^unlinkSync .*questions/)],
  ])("before %s tells the agent nothing, and leaves no open card", async (step, stop) => {
    const { telegram, project } = await started();
    const { ended } = askHook(project, "touch made", stop);
    const isAsked = step.startsWith("it marks") || step.startsWith("it tells");
    if (isAsked) {
      await isShown(project, telegram);
      allowAll(telegram);
    }
    expect(await ended).toMatchObject({ signal: "SIGKILL", stdout: "" });
    project.start(["dispatch", "--detached"]);
    await project.until("its end", () => onlyQuestion(project) === undefined);
    if (isAsked) await project.until("the edit", () => telegram.messages[0]?.buttons.length === 0);
    // It is stored before all else, so a dispatcher tells it without buttons.
    if (step.startsWith("it stores the question")) {
      await project.until("the message", () => telegram.messages[0]?.buttons.length === 0);
    }
    const folder = questionsFolder(project.layout);
    const left = (): string[] =>
      (existsSync(folder) ? readdirSync(folder) : []).filter((name) => !name.startsWith("."));
    await project.until("an empty folder", () => left().every((name) => name.endsWith(".obeyed")));
  });
});
