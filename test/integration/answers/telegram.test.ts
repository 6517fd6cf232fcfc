import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { removeSenders } from "../../../src/answers/senders.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import type { Project } from "../../support/project/running-project.ts";
import {
  ann,
  mallory,
  startPretendTelegram,
  type PretendTelegram,
  type ShownMessage,
} from "../../support/receivers/pretend-telegram.ts";
import { askHook, askWithin, capturedQuestion, decisionOf, onlyQuestion, printed, telegramProject } from "./asking.ts";

let telegram: PretendTelegram;
beforeEach(newTelegram);

async function newTelegram(): Promise<void> {
  telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
}

/** With the dispatcher within the test. */
function started(more: object = {}): Project {
  const project = telegramProject(telegram, more);
  runDispatcherOf(project);
  return project;
}

const buttonOf = (message: ShownMessage | undefined, label: string): string =>
  message?.buttons.find(({ text }) => text === label)?.callback_data ?? "no such button";

async function shown(project: Project): Promise<ShownMessage> {
  await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
  const message = telegram.messages.at(-1);
  if (message === undefined) throw new Error("no message");
  return message;
}

describe("a question in Telegram", () => {
  it("is allowed by a tap, once, and says so ever after", async () => {
    const project = telegramProject(telegram);
    const hook = askHook(project);
    const message = await shown(project);
    expect(message.text).toMatch(
      /asks to run a command[^]*│ touch made[^]*tool: Bash \(Claude Code\)[^]*host: [^]*folder: \/home\/u\/proj/,
    );
    const allow = buttonOf(message, "Allow");
    telegram.tap(mallory, message, allow);
    telegram.tap(ann, message, "AAAAAAAAAAAAAAAAAAAAAA");
    telegram.tap(ann, message, allow);
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the edit", () => message.earlier.length === 1);
    expect(message.text).toMatch(/allowed by Ann in phone after/);
    expect(message.buttons).toEqual([]);
    telegram.repeatLast();
    telegram.tap(ann, message, allow);
    await project.until("the late tap's reply", () => telegram.toasts.length === 4);
    expect(telegram.toasts).toEqual([
      "This account may not answer.",
      "Too late, or meant for another computer: no such question is open here.",
      expect.stringMatching(/^Allowed by Ann in phone after/),
      expect.stringMatching(/^Too late/),
    ]);
    const answers = project.journal().filter(({ kind }) => kind === "answer");
    expect(answers[0]).toMatchObject({ what: "refused", why: "not paired" });
    expect(answers.filter(({ what }) => what !== "refused").map(({ what }) => what)).toEqual(["allow"]);
    expect(telegram.conflicts).toBe(0);
  });

  it("is denied by a reply, whose words the agent reads", async () => {
    const project = started();
    const hook = askWithin(project);
    const message = await shown(project);
    telegram.write(mallory, 77, "yes", message);
    telegram.write(ann, 77, "Not now.", message);
    expect(await printed(hook)).toEqual(decisionOf("deny", "Not now."));
    await project.until("the edit", () => /denied by Ann in phone after/.test(message.text));
  });

  it.each([
    ["that the list does not name", "rm -rf build", {}],
    ["that is too long to show", `touch ${"a".repeat(5000)}`, {}],
    ["with a credential, which is masked", "touch --token=ghp_abcdefghijklmnopqrstuvwxyz0123456789", {}],
  ])("about a command %s can only be denied", async (_why, command, more) => {
    const project = started(more);
    const hook = askWithin(project, command);
    const message = await shown(project);
    expect(message.buttons.map(({ text }) => text)).toEqual(["Deny", "Mute 1h"]);
    expect(message.text).not.toContain("ghp_abcdefghij");
    telegram.tap(ann, message, buttonOf(message, "Deny"));
    expect(await printed(hook)).toEqual(decisionOf("deny", "The user denied this."));
  });

  it("ends without a decision when the terminal answers first, and a late tap is told so", async () => {
    const project = started();
    const hook = askHook(project);
    const message = await shown(project);
    const allow = buttonOf(message, "Allow");
    hook.child.kill("SIGTERM");
    // Windows knows no signals: the hook is ended at once.
    if (process.platform === "win32") expect(await hook.ended).toMatchObject({ signal: "SIGTERM", stdout: "" });
    else expect(await printed(hook)).toBeUndefined();
    await project.until("the edit", () => /answered at the terminal after/.test(message.text));
    telegram.tap(ann, message, allow);
    await project.until("the reply", () => telegram.toasts.length === 1);
    expect(telegram.toasts).toEqual([expect.stringMatching(/^Too late: answered at the terminal after/)]);
  });

  it("ends without a decision when the session goes on: Claude Code leaves its hook waiting", async () => {
    const project = started();
    const hook = askWithin(project);
    const message = await shown(project);
    const { session_id: session } = hook.payload;
    const done = { hook_event_name: "Stop", session_id: session, cwd: "/home/u/proj", last_assistant_message: "Done." };
    await project.command(["hook", "--agent", "claude-code"], JSON.stringify(done));
    expect(await printed(hook)).toBeUndefined();
    await project.until("the edit", () => /answered at the terminal after/.test(message.text));
  });

  it.each([
    ["that was before a prompt", true],
    ["of the same turn", false],
  ])("leaves alone an earlier message of its session %s", async (_when, isPrompted) => {
    const project = started();
    const { session_id: session } = capturedQuestion;
    const say = async (name: string, facts: object): Promise<void> => {
      const payload = { hook_event_name: name, session_id: session, cwd: "/home/u/proj", ...facts };
      await project.command(["hook", "--agent", "claude-code"], JSON.stringify(payload));
    };
    await say("Notification", { notification_type: "idle_prompt", message: "Claude is waiting for your input" });
    await project.until("the earlier message", () => telegram.messages.length === 1);
    if (isPrompted) await say("UserPromptSubmit", { prompt: "Go on." });
    const hook = askWithin(project);
    await project.until("the question", () => telegram.messages.length === 2 && telegram.isPolled());
    const [earlier, question] = telegram.messages;
    if (question === undefined) throw new Error("no question");
    telegram.tap(ann, question, buttonOf(question, "Allow"));
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await say("PostToolUse", { tool_name: "Bash", tool_input: { command: "touch made" } });
    await say("Stop", { last_assistant_message: "Done." });
    await project.until("the end of the turn", () => telegram.messages.length === 3);
    expect(question.text).toMatch(/allowed by Ann in phone after/);
    expect(earlier?.earlier).toEqual([]);
  });

  it("ends without a decision when the hook is killed", async () => {
    const project = started();
    const hook = askHook(project);
    const message = await shown(project);
    hook.child.kill("SIGKILL");
    expect(await hook.ended).toMatchObject({ signal: "SIGKILL", stdout: "" });
    await project.until("the edit", () => /answered at the terminal after/.test(message.text));
  });

  it("shows several at once, each with its own answer, through one listener", async () => {
    const project = started();
    const hooks = ["touch one", "touch two", "touch three"].map((command) => askHook(project, command));
    await project.until("all of them", () => telegram.messages.length === 3 && telegram.isPolled());
    for (const [index, label] of ["Allow", "Deny", "Allow"].entries()) {
      const command = ["touch one", "touch two", "touch three"][index] ?? "";
      const message = telegram.messages.find(({ text }) => text.includes(command));
      if (message !== undefined) telegram.tap(ann, message, buttonOf(message, label));
    }
    const denied = decisionOf("deny", "The user denied this.");
    expect(await Promise.all(hooks.map(printed))).toEqual([decisionOf("allow"), denied, decisionOf("allow")]);
    expect(telegram.conflicts).toBe(0);
  });
});

describe("the button that mutes", () => {
  const ended = (event: object): string =>
    JSON.stringify({ hook_event_name: "Stop", last_assistant_message: "Done.", ...event });

  it("silences the project for an hour; the question stays open, and says who did it where someone asks", async () => {
    const project = started();
    const hook = askHook(project);
    const message = await shown(project);
    expect(message.buttons.map(({ text }) => text)).toEqual(["Allow", "Deny", "Mute 1h"]);
    const mute = buttonOf(message, "Mute 1h");
    telegram.tap(mallory, message, mute);
    telegram.tap(ann, message, mute);
    telegram.tap(ann, message, mute);
    await project.until("the toasts", () => telegram.toasts.length === 3);
    expect(telegram.toasts).toEqual([
      "This account may not answer.",
      expect.stringMatching(
        /^proj is silent until \d\d:\d\d\. This question still waits for an answer\. To end the silence: hookbell unmute --project proj$/,
      ),
      expect.stringMatching(/^proj is already silent until \d\d:\d\d\. /),
    ]);
    const until = telegram.toasts[1]?.match(/until (\S+)\./)?.[1];
    const said = `project proj until ${until}, by Ann in phone`;
    expect(await project.command(["mute", "--list"])).toMatchObject({ stdout: `${said}\n` });
    const listed = JSON.parse((await project.command(["mute", "--list", "--json"])).stdout) as object;
    expect(listed).toMatchObject({ muted: [{ scope: "project", name: "proj", by: "Ann in phone" }] });
    const waiting = await project.command(["pending"]);
    expect(waiting.stdout).toContain("touch made");
    const board = JSON.parse((await project.command(["board", "--json"])).stdout) as { sessions: object[] };
    expect(board.sessions[0]).toMatchObject({ group: "needsYou", muted: { name: "proj", by: "Ann in phone" } });
    const done = { session_id: "another", cwd: "/home/u/proj" };
    await project.command(["hook", "--agent", "claude-code"], ended(done));
    const decisions = () => project.journal().filter(({ kind }) => kind === "decision");
    await project.until("the decision", () => decisions().length === 2);
    const silenced = decisions()[1];
    await project.command(["hook", "--agent", "claude-code"], ended({ session_id: "else", cwd: "/home/u/other" }));
    await project.until("the other project's message", () => telegram.messages.length === 2);
    expect(telegram.messages[1]?.text).toContain("other");
    const why = await project.command(["why", String(silenced?.event)]);
    expect(why.stdout).toContain(`muted: ${said}`);
    expect(message.buttons).toHaveLength(3);
    telegram.tap(ann, message, buttonOf(message, "Allow"));
    expect(await printed(hook)).toEqual(decisionOf("allow"));
    await project.until("the edit", () => /allowed by Ann in phone after/.test(message.text));
    telegram.tap(ann, message, mute);
    await project.until("the late tap's reply", () => telegram.toasts.length === 5);
    expect(telegram.toasts[4]).toMatch(/^proj is already silent until \d\d:\d\d\. This question is over\. /);
  });

  it("is not there while no account is paired, nor in the place of an option", async () => {
    const project = telegramProject(telegram);
    removeSenders(project.layout, "phone");
    runDispatcherOf(project);
    askWithin(project);
    await project.until("the question", () => telegram.messages.length === 1);
    expect(telegram.messages[0]?.buttons.map(({ text }) => text)).toEqual(["Allow", "Deny"]);
    const other = started();
    for (const count of [7, 8]) {
      const options = Array.from({ length: count }, (_, index) => ({ label: `way ${index}`, description: "" }));
      const questions = [{ question: "Which way?", header: "Way", options, multiSelect: false }];
      const before = telegram.messages.length;
      const asked = { tool_name: "AskUserQuestion", tool_input: { questions }, session_id: `with ${count}` };
      askWithin(other, "", {}, asked);
      await other.until("the question", () => telegram.messages.length > before);
      const labels = telegram.messages.at(-1)?.buttons.map(({ text }) => text);
      expect(labels).toEqual([...options.map(({ label }) => label), ...(count === 7 ? ["Mute 1h"] : [])]);
    }
  });
});

describe("no question waits", () => {
  it.each([
    ["in bypassPermissions", { permission_mode: "bypassPermissions" }],
    ["for a subagent", { agent_id: "a1", agent_type: "Explore" }],
    ["for a payload that is shortened, since no one could see all of it", { padding: "x".repeat(300_000) }],
  ])("%s: the payload is kept, and the message has no buttons", async (_why, more) => {
    const project = started();
    expect(await printed(askWithin(project, "touch made", {}, more))).toBeUndefined();
    await project.until("the message", () => telegram.messages.length === 1);
    expect(telegram.messages[0]?.buttons).toEqual([]);
  });

  it("on a disk that takes no question", async () => {
    const project = started();
    // In place of the folder.
    writeFileSync(join(project.env.HOOKBELL_STATE_DIR ?? "", "questions"), "");
    expect(await printed(askWithin(project))).toBeUndefined();
    await project.until("the message", () => telegram.messages.length === 1);
  });
});
