// hookbell's plug-in in opencode, loaded as opencode loads it: a question goes to Telegram, and the reply to opencode.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { opencodeHookSetup } from "../../../src/agents/known/opencode/hook-setup.ts";
import { ownFileText } from "../../../src/install/command/owner.ts";
import { runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { hookPath, type Project } from "../../support/project/running-project.ts";
import {
  ann,
  startPretendTelegram,
  type PretendTelegram,
  type ShownMessage,
} from "../../support/receivers/pretend-telegram.ts";
import { onlyQuestion, telegramProject } from "./asking.ts";

let telegram: PretendTelegram;
let project: Project;
beforeEach(async () => {
  telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  project = telegramProject(telegram, { allow: ["bash(touch *)"] });
});

const permission = {
  type: "permission.asked",
  properties: {
    id: "per_1",
    sessionID: "ses_1",
    permission: "bash",
    patterns: ["touch made"],
    metadata: { command: "touch made" },
    always: ["touch *"],
  },
};
const options = [{ label: "Red", description: "Warm" }, { label: "Blue" }];
const question = {
  type: "question.asked",
  properties: {
    id: "que_1",
    sessionID: "ses_1",
    questions: [{ question: "Which colour?", header: "Colour", options }],
  },
};

interface Plugin {
  send(event: object): void;
  /** What opencode has got, once that is so many. */
  replies(count: number): Promise<unknown[]>;
}

function startPlugin(): Plugin {
  const [file] = opencodeHookSetup.ownFiles ?? [];
  if (file === undefined) throw new Error("no plug-in");
  const path = join(project.home, "plugin.mjs");
  const argv = [process.execPath, hookPath, "--agent", "opencode"];
  const events = Object.keys(opencodeHookSetup.events);
  const answering = ["permission.asked", "question.asked"];
  writeFileSync(path, ownFileText(file, { argv, platform: "linux", events, answering }));
  const script = `const { Hookbell } = await import(process.argv[1]);
    const post = async ({ url, body }) => console.log(JSON.stringify({ url, body }));
    const { event } = await Hookbell({ client: { _client: { post } }, directory: ${JSON.stringify(project.home)} });
    process.stdin.on("data", (line) => event({ event: JSON.parse(line) }));`;
  const args = ["--input-type=module", "-e", script, pathToFileURL(path).href];
  const child = spawn(process.execPath, args, { env: project.env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const read = (): unknown[] =>
    said === ""
      ? []
      : said
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown);
  return {
    send: (event) => void child.stdin.write(JSON.stringify(event)),
    async replies(count) {
      await project.until("the replies", () => read().length >= count);
      return read();
    },
  };
}

async function shown(): Promise<ShownMessage> {
  await project.until("the question", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
  const message = telegram.messages.at(-1);
  if (message === undefined) throw new Error("no message");
  return message;
}

it("allows once", async () => {
  const { send, replies } = startPlugin();
  send(permission);
  const message = await shown();
  expect(message.text).toMatch(/asks to run a command[^]*│ touch made[^]*tool: bash \(opencode\)/);
  expect(message.buttons.map(({ text }) => text)).toEqual(["Allow", "Deny", "Mute 1h"]);
  telegram.tap(ann, message, message.buttons[0]?.callback_data ?? "");
  expect(await replies(1)).toEqual([{ url: "/permission/per_1/reply", body: { reply: "once" } }]);
});

it("denies with words", async () => {
  runDispatcherOf(project);
  const { send, replies } = startPlugin();
  send(permission);
  telegram.write(ann, 77, "Not here.", await shown());
  const body = { reply: "reject", message: "Not here." };
  expect(await replies(1)).toEqual([{ url: "/permission/per_1/reply", body }]);
});

it("answers a question by an option", async () => {
  runDispatcherOf(project);
  const { send, replies } = startPlugin();
  send(question);
  const message = await shown();
  expect(message.buttons.map(({ text }) => text)).toEqual(["Red", "Blue", "Mute 1h"]);
  telegram.tap(ann, message, message.buttons[1]?.callback_data ?? "");
  expect(await replies(1)).toEqual([{ url: "/question/que_1/reply", body: { answers: [["Blue"]] } }]);
});

it("replies nothing once the terminal has answered, and Telegram says so", async () => {
  runDispatcherOf(project);
  const { send, replies } = startPlugin();
  send(permission);
  const message = await shown();
  send({ type: "permission.replied", properties: { sessionID: "ses_1", requestID: "per_1", reply: "once" } });
  await project.until("the edit", () => /answered at the terminal after/.test(message.text));
  expect(await replies(0)).toEqual([]);
});
