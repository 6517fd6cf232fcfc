// Claude Code's hook of a question, run as Claude Code runs it, and what it prints at its end.
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { listQuestions, readAnswer, type Question } from "../../../src/answers/questions.ts";
import { openQuestion } from "../../answers/sample.ts";
import { end, hookPath, temporaryProject, type Ended, type Project } from "../../support/project/running-project.ts";
import { ann, botToken, type PretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { addSender } from "../../../src/answers/senders.ts";

export const capturedQuestion = JSON.parse(
  readFileSync(new URL("../../agents/known/claude-code/payloads/PermissionRequest-Bash.json", import.meta.url), "utf8"),
) as Record<string, unknown>;

export const decisionOf = (behavior: "allow" | "deny", message?: string): object => ({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior, message } },
});

export interface Hook {
  payload: Record<string, unknown>;
  child: ChildProcess;
  ended: Promise<Ended>;
}

export function telegramProject(telegram: PretendTelegram, more: object = {}, rule: object = {}): Project {
  const bot = { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin };
  return answeringProject(bot, String(ann.id), more, rule);
}

/** Its questions let this account allow through the channel what touches a file. */
export function answeringProject(
  channel: Record<string, unknown>,
  account: string,
  more: object = {},
  rule: object = {},
): Project {
  const project = temporaryProject();
  project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always", ...more },
    channels: { phone: { ...channel, answers: true } },
    rules: [
      {
        name: "asks",
        when: { event: ["PermissionRequest", "Elicitation", "Notification", "Stop"] },
        notify: ["phone"],
        ...rule,
      },
    ],
  });
  addSender(project.layout, "phone", { type: String(channel.type), id: account, name: "Ann", pairedAt: 0 });
  return project;
}

export function askHook(
  project: Project,
  command = "touch made",
  env: NodeJS.ProcessEnv = {},
  more: object = {},
): Hook {
  const child = spawn(process.execPath, [hookPath, "--agent", "claude-code", "--answer"], {
    env: { ...project.env, ...env },
    cwd: project.home,
  });
  const payload = { ...capturedQuestion, tool_input: { command }, ...more };
  return { child, payload, ended: end(child, JSON.stringify(payload)) };
}

/** The same hook within the test, where a dispatcher runs already. */
export interface HookWithin {
  payload: Record<string, unknown>;
  ended: Promise<Ended>;
  /** As its agent does by a signal, once the terminal has answered. */
  stop(): void;
}

export function askWithin(
  project: Project,
  command = "touch made",
  env: NodeJS.ProcessEnv = {},
  more: object = {},
): HookWithin {
  const payload = { ...capturedQuestion, tool_input: { command }, ...more };
  const stop = new AbortController();
  const args = ["hook", "--agent", "claude-code", "--answer"];
  const ended = project.command(args, JSON.stringify(payload), { env, stop: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { payload, ended, stop: () => stop.abort() };
}

/** What the agent reads; undefined for no decision. */
export async function printed(hook: Pick<Hook, "ended">): Promise<unknown> {
  const { code, stdout, stderr } = await hook.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? undefined : JSON.parse(stdout);
}

/** The one that is open: those that have ended stay for some seconds. */
export function onlyQuestion({ layout }: Project): Question | undefined {
  return listQuestions(layout).find(({ id }) => readAnswer(layout, id) === undefined);
}

/** As many questions as one remote may have open. */
export function fillPlaces({ layout }: Project, host: string): Question[] {
  const now = Date.now();
  const more = { host, session: `${host}:s1`, askedAt: now, expiresAt: now + 600_000 };
  return Array.from({ length: 100 }, () => openQuestion(layout, more));
}
