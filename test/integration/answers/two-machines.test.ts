import { expect, it, onTestFinished } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import type { Ended, Project } from "../../support/project/running-project.ts";
import {
  ann,
  startPretendTelegram,
  type PretendTelegram,
  type ShownMessage,
} from "../../support/receivers/pretend-telegram.ts";
import { askHook, askWithin, decisionOf, onlyQuestion, printed, telegramProject } from "./asking.ts";

const elsewhere = "Too late, or meant for another computer: no such question is open here.";
const conflict = /Telegram answered 409: another program or computer reads this bot's messages/;

interface Machine {
  command: string;
  project: Project;
  ended: Promise<Ended>;
  stop(): void;
}

function machineOf(telegram: PretendTelegram, command: string): Machine {
  const project = telegramProject(telegram);
  const { child, ended } = askHook(project, command);
  return { command, project, ended, stop: () => child.kill("SIGTERM") };
}

function machineWithin(telegram: PretendTelegram, command: string): Machine {
  const project = telegramProject(telegram);
  runDispatcherOf(project);
  const { ended, stop } = askWithin(project, command);
  return { command, project, ended, stop };
}

it("two machines that share a bot obey only answers to their own questions, and say what to do", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const machines = [machineOf(telegram, "touch home"), machineWithin(telegram, "touch work")];
  for (const { project } of machines) {
    await project.until("its question", () => onlyQuestion(project)?.shown.length === 1);
  }
  await machines[0]?.project.until("the conflict", () => telegram.conflicts > 2);
  const cardOf = (command: string): ShownMessage | undefined =>
    telegram.messages.find(({ text }) => text.includes(command));
  const press = async (command: string): Promise<string | undefined> => {
    const card = cardOf(command);
    const nonce = card?.buttons.find(({ text }) => text === "Allow")?.callback_data;
    if (card === undefined || nonce === undefined) return undefined;
    const tap = telegram.tap(ann, card, nonce);
    while (!telegram.told.has(tap)) await sleep(20);
    return telegram.told.get(tap);
  };
  for (const { command, project, ended, stop } of machines) {
    const said = await press(command);
    const isTaken = said?.startsWith("Allowed by Ann") === true;
    // The other machine may take the tap, and says so.
    if (!isTaken) expect(said).toBe(elsewhere);
    if (!isTaken) stop();
    expect(await printed({ ended })).toEqual(isTaken ? decisionOf("allow") : undefined);
    const answers = project.journal().filter(({ kind, what }) => kind === "answer" && what === "allow");
    expect(answers.length).toBe(isTaken ? 1 : 0);
  }
  const notices = machines.flatMap(({ project }) => project.journal().filter(({ kind }) => kind === "notice"));
  expect(notices.map(({ body }) => body)).toContainEqual(expect.stringMatching(conflict));
});
