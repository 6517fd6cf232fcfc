// `hookbell replay` over the journal of a dispatcher that really ran, with questions answered in a chat.
import { expect, it, onTestFinished } from "vitest";
import { ann, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { payloadOf } from "../../support/project/running-project.ts";
import { askWithin, onlyQuestion, printed, telegramProject } from "../answers/asking.ts";

it("sends the same after questions that were answered in a chat, and leaves out what was sent by hand", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram);
  runDispatcherOf(project);
  for (const [label, answer] of [
    ["Allow", "allow"],
    ["Deny", "deny"],
  ] as const) {
    const hook = askWithin(project, `touch ${answer}`, {}, { tool_use_id: `toolu_${answer}` });
    await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
    const message = telegram.messages.at(-1);
    if (message === undefined) throw new Error("no message");
    const button = message.buttons.find(({ text }) => text === label);
    telegram.tap(ann, message, button?.callback_data ?? "no such button");
    expect(await printed(hook)).toMatchObject({ hookSpecificOutput: { decision: { behavior: answer } } });
    await project.until("the edit", () => message.earlier.length === 1);
  }
  const attempts = (): number => project.journal().filter(({ kind }) => kind === "attempt").length;
  await project.command(["hook"], payloadOf("Stop", { session_id: "other" }));
  expect((await project.command(["send", "--channel", "phone", "by hand", "--wait"])).code).toBe(0);
  await project.until("all attempts", () => attempts() >= 4);
  const { code, stdout, stderr } = await project.run(["replay", "--since", "1h", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { was, wouldBe, differences, olderUntil } = JSON.parse(stdout) as Record<string, object>;
  expect(differences).toEqual([]);
  expect(olderUntil).toBeUndefined();
  for (const side of [was, wouldBe])
    expect(side).toMatchObject({ notifications: 3, questions: { asked: 2, notified: 2 } });
});
