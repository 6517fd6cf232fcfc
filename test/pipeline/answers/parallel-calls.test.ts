// Claude Code runs calls beside the one that asks, and subagents beside its own turn: none of them answers a question.
import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readAnswer } from "../../../src/answers/questions.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { readSession } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { questionsOf } from "../../../src/sessions/state.ts";
import { openQuestion } from "../../answers/sample.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { botToken } from "../../support/receivers/pretend-telegram.ts";

const session = "58bc857f-733e-4414-9907-f65c628ae47a";
const payloads = new URL("../../agents/known/claude-code/payloads/", import.meta.url);
const captured = (name: string, more: object = {}): object => {
  const payload = JSON.parse(readFileSync(new URL(`${name}.json`, payloads), "utf8")) as object;
  return { ...payload, session_id: session, ...more };
};

const asks = captured("PermissionRequest-Bash");
const other = { tool_input: { command: "ls", description: "list" }, tool_use_id: "toolu_2" };
const subagent = { agent_id: "ae56445d68f01fe3b", agent_type: "general-purpose" };
const otherSubagent = { agent_id: "b0000000000000001", agent_type: "general-purpose" };
const asksAsSubagent = { ...asks, ...subagent };

/** Whether the question is open after a second event, so many milliseconds after it. */
async function isOpenAfter(first: object, afterMs: number, second: object): Promise<boolean> {
  const { dispatcher, clock, run, routes, writeRules, until } = prepareDispatcher();
  const { layout } = dispatcher;
  const phone = { type: "telegram", token: botToken, chat: 77, apiUrl: "http://127.0.0.1:9", answers: true };
  const rule = { name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"] };
  writeRules({ answers: { allow: ["Bash"], hold: "always" }, channels: { phone }, rules: [rule] });
  const hear = async (payload: object, unique: string): Promise<void> => {
    const file = writeIncoming(layout, JSON.stringify(payload), { agentId: "claude-code", unique, nowMs: clock.now() });
    utimesSync(join(layout.incoming, file), clock.now() / 1000, clock.now() / 1000);
    await until("its end", () => listIncoming(layout).length === 0);
  };
  void run();
  const askedAt = clock.now();
  const id = `${askedAt}-000000000001-1`;
  const shown = [{ channel: "phone", place: { id: "1" } }];
  const asked = { id, session, host: "testhost", askedAt, expiresAt: askedAt + 300_000, shown, routes: await routes() };
  openQuestion(layout, asked);
  await hear(first, id);
  const isOpen = (): boolean => {
    const isListed = questionsOf(readSession(layout, "claude-code", session)).length === 1;
    expect(readAnswer(layout, id) === undefined).toBe(isListed);
    return isListed;
  };
  expect(isOpen()).toBe(true);
  clock.step(afterMs);
  await hear(second, `${clock.now()}-000000000002-1`);
  return isOpen();
}

it.each([
  [
    "a call that has run since before the question",
    asks,
    9000,
    captured("PostToolUse-Bash", { ...other, duration_ms: 9500 }),
  ],
  ["a call that begins at the same time", asks, 400, captured("PreToolUse-Bash", other)],
  [
    "a call that began at the same time and fails",
    asks,
    9000,
    captured("PostToolUseFailure-Bash", { duration_ms: 8000 }),
  ],
  ["the main agent's end of the turn", asksAsSubagent, 9000, captured("Stop")],
  ["the main agent's calls", asksAsSubagent, 9000, captured("PostToolUse-Bash", other)],
  ["another subagent's calls", asksAsSubagent, 9000, captured("PostToolUse-Bash", { ...other, ...otherSubagent })],
  ["another subagent's end", asksAsSubagent, 9000, captured("SubagentStop", otherSubagent)],
  ["a subagent's end", asks, 9000, captured("SubagentStop", subagent)],
])("%s leaves the question open", async (_, first, afterMs, second) => {
  expect(await isOpenAfter(first, afterMs, second)).toBe(true);
});

it.each([
  ["the call itself", asks, 9000, captured("PostToolUse-Bash")],
  ["a later call begins", asks, 9000, captured("PreToolUse-Bash", other)],
  ["a later call has run", asks, 9000, captured("PostToolUse-Bash", { ...other, duration_ms: 71 })],
  ["the end of the turn", asks, 9000, captured("Stop")],
  ["a prompt", asksAsSubagent, 9000, captured("UserPromptSubmit")],
  ["the subagent's call itself", asksAsSubagent, 9000, captured("PostToolUse-Bash", subagent)],
  ["the subagent's end", asksAsSubagent, 9000, captured("SubagentStop", subagent)],
])("%s ends the question", async (_, first, afterMs, second) => {
  expect(await isOpenAfter(first, afterMs, second)).toBe(false);
});
