// More questions of another machine than a person can answer: they take no place of this machine's, and everyone says whose they are.
import { expect, it, onTestFinished } from "vitest";
import { listQuestions, type Question } from "../../../src/answers/questions.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { ann, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { askHook, decisionOf, fillPlaces, printed, telegramProject } from "./asking.ts";

it("a remote with a hundred open questions leaves the machine's own their place", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram);
  const theirs = fillPlaces(project, "devbox");
  runDispatcherOf(project);
  const hook = askHook(project);
  const own = (): Question | undefined => {
    const ids = new Set(theirs.map(({ id }) => id));
    return listQuestions(project.layout).find(({ id }) => !ids.has(id));
  };
  await project.until("the card", () => (own()?.shown.length ?? 0) > 0 && telegram.isPolled());
  const message = telegram.messages.find(({ text }) => text.includes("touch made"));
  const pressed = message?.buttons.find(({ text }) => text === "Allow");
  if (message === undefined || pressed === undefined) throw new Error("no button");
  telegram.tap(ann, message, pressed.callback_data);
  expect(await printed(hook)).toEqual(decisionOf("allow"));
});
