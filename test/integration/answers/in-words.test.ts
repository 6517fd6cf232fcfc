// Questions and forms of Claude Code that are answered in Telegram and in a shell.
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { awayParts, lockedScreen } from "../../support/desktop/bus-services.ts";
import { describeWithParts } from "../../support/parts.ts";
import { personParts, runAsPerson } from "../../support/project/person-terminal.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import type { Project } from "../../support/project/running-project.ts";
import {
  ann,
  botToken,
  startPretendTelegram,
  type PretendTelegram,
  type ShownMessage,
} from "../../support/receivers/pretend-telegram.ts";
import { askHook, askWithin, onlyQuestion, telegramProject, type Hook, type HookWithin } from "./asking.ts";

const read = (name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`../../agents/known/claude-code/payloads/${name}.json`, import.meta.url), "utf8"),
  ) as Record<string, unknown>;
const question = read("PermissionRequest-AskUserQuestion");
const form = read("Elicitation-form");
const [colour] = (question.tool_input as { questions: object[] }).questions;
const size = { question: "Which sizes?", multiSelect: true, options: [{ label: "Small" }, { label: "Large" }] };

let telegram: PretendTelegram;
beforeEach(async () => {
  telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
});

async function shown(project: Project): Promise<ShownMessage> {
  await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
  const message = telegram.messages.at(-1);
  if (message === undefined) throw new Error("no message");
  return message;
}

async function printed({ ended }: Pick<Hook, "ended">): Promise<unknown> {
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? undefined : JSON.parse(stdout);
}

const ask = (project: Project, ...questions: unknown[]): Hook =>
  askHook(project, "", {}, { ...question, tool_input: { questions } });

/** The same with the hook and the dispatcher within the test. */
const askHere = (project: Project, ...questions: unknown[]): HookWithin => {
  runDispatcherOf(project);
  return askWithin(project, "", {}, { ...question, tool_input: { questions } });
};

const answered = (questions: unknown[], answers: object): object => ({
  hookSpecificOutput: {
    hookEventName: "PermissionRequest",
    decision: { behavior: "allow", updatedInput: { questions, answers } },
  },
});

describe("a question with options", () => {
  it("is answered by a button, and says so", async () => {
    const project = telegramProject(telegram);
    const hook = ask(project, colour);
    const message = await shown(project);
    expect(message.text).toMatch(/has a question[^]*│ Which colour\?[^]*1\. Red: Warm\n│ 2\. Blue: Cold/);
    expect(message.text).toContain("reply in your own words");
    expect(message.buttons.map(({ text }) => text)).toEqual(["Red", "Blue", "Mute 1h"]);
    telegram.tap(ann, message, message.buttons[1]?.callback_data ?? "");
    expect(await printed(hook)).toEqual(answered([colour], { "Which colour?": "Blue" }));
    await project.until("the edit", () => /answered by Ann in phone after/.test(message.text));
    expect(message.buttons).toEqual([]);
  });

  it("is answered in words, also where the list allows nothing", async () => {
    const project = telegramProject(telegram, { allow: [] });
    const hook = askHere(project, colour);
    const message = await shown(project);
    telegram.write(ann, 77, "3", message);
    telegram.write(ann, 77, "Green, like the door", message);
    expect(await printed(hook)).toEqual(answered([colour], { "Which colour?": "Green, like the door" }));
    await project.until("both replies", () => telegram.messages.length === 3);
    expect(telegram.messages[1]?.text).toContain(
      "Not accepted: reply with a number from 1 to 2, or in your own words.",
    );
  });

  it("among several has numbers, which a reply names", async () => {
    const project = telegramProject(telegram);
    const hook = askHere(project, colour, size);
    const message = await shown(project);
    expect(message.buttons.map(({ text }) => text)).toEqual(["Mute 1h"]);
    expect(message.text).toMatch(/1\) Which colour\?[^]*2\) Which sizes\?\n│ 1\. Small/);
    expect(message.text).toContain("reply with a line for each of the 2 questions");
    telegram.write(ann, 77, "1; 2, 1", message);
    const answers = { "Which colour?": "Red", "Which sizes?": "Large, Small" };
    expect(await printed(hook)).toEqual(answered([colour, size], answers));
  });

  it("that is no question is left to the terminal: no allow without answers", async () => {
    const project = telegramProject(telegram, { allow: ["AskUserQuestion"] });
    runDispatcherOf(project);
    expect(await printed(askWithin(project, "", {}, { ...question, tool_input: {} }))).toBeUndefined();
    await project.until("the message", () => telegram.messages.length === 1);
    expect(telegram.messages[0]?.buttons).toEqual([]);
  });
});

describeWithParts("a question with options, in a terminal", personParts, () => {
  it("is answered in a shell", async () => {
    const project = telegramProject(telegram);
    const hook = ask(project, colour);
    await shown(project);
    const [open] = JSON.parse((await project.command(["pending", "--json"])).stdout) as { id: string; kind: string }[];
    expect(open).toMatchObject({ kind: "question", choices: ["reply"] });
    expect((await project.command(["pending"])).stdout).toContain(
      "reply with a number from 1 to 2, or in your own words",
    );
    const wrong = await runAsPerson(project, ["answer", open?.id ?? "", "7"]);
    expect(wrong).toMatchObject({
      code: 1,
      shown: expect.stringContaining("Not accepted: reply with a number") as string,
    });
    const right = await runAsPerson(project, ["answer", open?.id ?? "", "blue"]);
    expect(right.shown).toMatch(/^Answered by .* in a shell after/m);
    expect(await printed(hook)).toEqual(answered([colour], { "Which colour?": "Blue" }));
  });
});

describeWithParts("the end of a turn, while the person is away", awayParts, () => {
  const ended = read("Stop");
  const stop = { ...ended, last_assistant_message: "All done, but for the tests." };

  it("waits for the next prompt so often in a row, and the user's own prompt starts anew", async () => {
    const project = telegramProject(telegram, { hold: "away", nextPrompt: 1 });
    runDispatcherOf(project);
    const env = { ...(await lockedScreen()), CLAUDE_CODE_ENTRYPOINT: "cli" };
    const first = askHook(project, "", env, stop);
    const message = await shown(project);
    expect(message.text).toMatch(/is done[^]*but for the tests[^]*reply with the next prompt/);
    expect(message.buttons.map(({ text }) => text)).toEqual(["Mute 1h"]);
    telegram.write(ann, 77, "Run the tests", message);
    expect(await printed(first)).toEqual({ decision: "block", reason: "Run the tests" });
    await project.until("the edit", () => /answered by Ann in phone after/.test(message.text));

    const again = { ...stop, stop_hook_active: true, last_assistant_message: "They pass." };
    expect(await printed(askHook(project, "", env, again))).toBeUndefined();
    await project.until("the message", () => telegram.messages.some(({ text }) => text.includes("They pass.")));

    const prompt = { ...read("UserPromptSubmit"), session_id: ended.session_id };
    await project.command(["hook", "--agent", "claude-code"], JSON.stringify(prompt));
    await project.until("an empty queue", () =>
      project
        .journal()
        .some(({ kind, event }) => kind === "event" && JSON.stringify(event).includes("UserPromptSubmit")),
    );
    const third = askHook(project, "", env, { ...stop, last_assistant_message: "Again." });
    await project.until("the third question", () =>
      telegram.messages.some(({ text }) => text.includes("reply with the next prompt") && text.includes("Again.")),
    );
    third.child.kill("SIGTERM");
    expect(await printed(third)).toBeUndefined();
  });

  it("waits for nothing where the rules do not say so", async () => {
    const project = telegramProject(telegram, { hold: "away" });
    runDispatcherOf(project);
    const env = { ...(await lockedScreen()), CLAUDE_CODE_ENTRYPOINT: "cli" };
    expect(await printed(askHook(project, "", env, stop))).toBeUndefined();
    await project.until("the message", () => telegram.messages.length === 1);
    expect(telegram.messages[0]?.text).not.toContain("reply with the next prompt");
  });
});

it("that no channel shows ends at once", async () => {
  const project = telegramProject(telegram);
  project.writeRules({
    answers: { hold: "always" },
    channels: { phone: { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true } },
    rules: [{ name: "ends", when: { event: "Stop" }, notify: ["phone"] }],
  });
  expect(await printed(askHere(project, colour))).toBeUndefined();
  const answers = () => project.journal().filter(({ kind }) => kind === "answer");
  await project.until("its end on record", () => answers().length > 0);
  expect(answers()).toMatchObject([{ what: "none", by: "no channel shows it" }]);
});

describeWithParts("a form, while the person is away", awayParts, () => {
  it.each([
    ["Seats: 2\nwhere: outside", { action: "accept", content: { seats: 2, where: "out" } }],
    ["decline", { action: "decline" }],
  ])("is answered by %j", async (text, told) => {
    const project = telegramProject(telegram, { hold: "away" });
    runDispatcherOf(project);
    const hook = askHook(project, "", await lockedScreen(), form);
    const message = await shown(project);
    expect(message.text).toMatch(/has a question[^]*Book a table\n│ seats: Seats[^]*note: Anything else/);
    expect(message.buttons.map((button) => button.text)).toEqual(["Decline", "Mute 1h"]);
    telegram.write(ann, 77, text, message);
    expect(await printed(hook)).toEqual({ hookSpecificOutput: { hookEventName: "Elicitation", ...told } });
  });

  it("is not held at the desk, where the terminal would be silent", async () => {
    const project = telegramProject(telegram);
    runDispatcherOf(project);
    expect(await printed(askWithin(project, "", {}, form))).toBeUndefined();
  });
});
