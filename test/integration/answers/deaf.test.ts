// Listeners that hear nothing, and what doctor, pending and status say of them.
import { expect, it, onTestFinished } from "vitest";
import { botToken, ann, startPretendTelegram, type PretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { askHook, decisionOf, onlyQuestion, printed, telegramProject } from "./asking.ts";
import { listListeners } from "../../../src/answers/listener-state.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import type { Project } from "../../support/project/running-project.ts";
import { removeSenders } from "../../../src/answers/senders.ts";

/** Another program with the same bot, as a second installation would be. */
function pollBeside({ origin }: PretendTelegram): () => Promise<void> {
  const stop = new AbortController();
  const polling = (async () => {
    while (!stop.signal.aborted) {
      const body = JSON.stringify({ timeout: 25 });
      await fetch(`${origin}/bot${botToken}/getUpdates`, { method: "POST", body, signal: stop.signal });
    }
  })().catch(() => {});
  return async () => {
    stop.abort();
    await polling;
  };
}

async function doctorOn(project: Project, about: string): Promise<string> {
  const { stdout } = await project.command(["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: { status: string; text: string }[] };
  const found = findings.find(({ text }) => text.includes(about));
  return found === undefined ? "" : `${found.status}: ${found.text}`;
}

it("another program that reads the bot's messages is named, until it ends", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram);
  runDispatcherOf(project);
  expect(await doctorOn(project, "phone (telegram), answers")).toMatch(
    /^ok: .*while a question is open; there has been none yet/,
  );
  const hook = askHook(project);
  await project.until("the question", () => onlyQuestion(project)?.shown.length === 1 && telegram.isPolled());
  expect(await doctorOn(project, "phone (telegram), answers")).toMatch(/^ok: .*it is listening/);
  const end = pollBeside(telegram);
  await project.until("the conflict", () => listListeners(project.layout)[0]?.what === "failed");
  expect(await doctorOn(project, "phone (telegram), answers")).toMatch(
    /^warning: .*listening failed .* ago: Telegram answered 409: another program or computer reads this bot's messages/,
  );
  for (const command of ["pending", "status"]) {
    expect((await project.command([command])).stdout).toMatch(/^no answer comes from phone: Telegram answered 409/m);
  }
  await end();
  await project.until("the listener", telegram.isPolled);
  const [message] = telegram.messages;
  if (message === undefined) throw new Error("no message");
  telegram.tap(ann, message, message.buttons[0]?.callback_data ?? "");
  expect(await printed(hook)).toEqual(decisionOf("allow"));
  expect(await doctorOn(project, "phone (telegram), answers")).toMatch(/^ok: /);
  expect((await project.command(["pending"])).stdout).toBe("no question is waiting for an answer\n");
  removeSenders(project.layout, "phone");
  expect(await doctorOn(project, "phone (telegram), answers")).toMatch(/^warning: .*no account may answer yet/);
});
