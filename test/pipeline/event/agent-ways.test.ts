// How agents tell one thing in several events, or several things in one: what you are notified of, in their order.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { maxPayloadBytes } from "../../../src/agents/read-payload.ts";
import { readIncoming } from "../../../src/outbox/incoming.ts";
import { listSessions, readSession } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { isLive } from "../../../src/sessions/describe.ts";
import { processPayload } from "../../../src/pipeline/pipeline.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

const second = 1000;

function captured(agentId: string, file: string): Record<string, unknown> {
  const url = new URL(`../../agents/known/${agentId}/payloads/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")) as Record<string, unknown>;
}

async function prepare(agentId: string) {
  const running = prepareDispatcher();
  running.writeRules({
    channels: { desk: { type: "ntfy", topic: "t", server: "http://127.0.0.1:9" } },
    rules: [
      { name: "all", when: { event: ["Notification", "PermissionRequest", "Stop", "SubagentStop"] }, notify: ["desk"] },
    ],
  });
  const { dispatcher, clock } = running;
  await dispatcher.rereadRules();
  /** The titles of what is sent for a payload; a hold is no title. */
  const take = async (payload: object, afterMs = second, callerPids: readonly number[] = []): Promise<string[]> => {
    clock.turn(afterMs);
    const text = JSON.stringify({ cwd: "/srv/shop", session_id: "s1", ...payload });
    const file = writeIncoming(dispatcher.layout, text, { agentId, nowMs: clock.now(), callerPids });
    const incoming = readIncoming(dispatcher.layout, file, maxPayloadBytes);
    if (incoming === undefined) throw new Error("it is gone");
    const enqueued = await processPayload(dispatcher, incoming, () => true);
    return (enqueued?.deliveries ?? []).map(({ delivery }) => delivery.message.title);
  };
  const state = (session = "s1") => readSession(dispatcher.layout, agentId, session).state;
  const open = () => readSession(dispatcher.layout, agentId, "s1").open ?? [];
  const listed = () =>
    listSessions(dispatcher.layout)
      .filter((each) => isLive(each, clock.now()))
      .map(({ session }) => session);
  const why = () => running.journal("decision").at(-1)?.why;
  return { ...running, take, state, open, listed, why };
}

const prompt = { hook_event_name: "UserPromptSubmit", prompt: "go on" };

describe("Claude Code", () => {
  const start = () => prepare("claude-code");
  const of = (file: string, more = {}) => ({
    ...captured("claude-code", file),
    session_id: "s1",
    cwd: "/srv/shop",
    ...more,
  });

  it("asks for a tool of an MCP server, and the server's form is the next question", async () => {
    const { take, open } = await start();
    await take(prompt);
    expect(await take(of("PermissionRequest-mcp-shop-ask-color"))).toEqual(["shop: asks to use a tool"]);
    expect(await take(of("Notification-elicitation-dialog"), 7 * second)).toEqual(["shop: has a question"]);
    expect(open().map(({ name }) => name)).toEqual(["Notification"]);
  });

  it("tells of a question in its agent view as well, which is told once and is no state of the view", async () => {
    const { take, state, listed } = await start();
    expect(await take(of("PermissionRequest-Bash"))).toHaveLength(1);
    expect(await take(of("Notification-agent-needs-input", { session_id: "view" }), 6 * second)).toEqual([]);
    expect(state("view")).toMatchObject({ kind: "unknown", reason: "Its events do not say what it does." });
    expect(state("view").since).toBeGreaterThan(0);
    expect(state().kind).toBe("needsYou");
    expect(listed()).toEqual(["s1"]);
  });

  it("tells of a question in its agent view alone, and you are notified", async () => {
    const { take, state } = await start();
    expect(await take(of("Notification-agent-needs-input", { session_id: "view" }))).toEqual(["shop: waits for you"]);
    expect(state("view").kind).not.toBe("needsYou");
  });

  it("starts subagents of its own for /compact, of which no one is told", async () => {
    const { take, state, why } = await start();
    await take(prompt);
    expect(await take(of("SubagentStop-of-compact"))).toEqual([]);
    expect(why()).toBe("a subagent of Claude Code's own, such as that of /compact");
    expect(state()).toMatchObject({ kind: "working", turn: { helpers: 0 } });
  });

  it("ends a turn while a command runs on, and the next turn when it has ended", async () => {
    const { take } = await start();
    await take(prompt);
    expect(await take(of("Stop-with-background-shell"))).toEqual(["shop: is done, a command runs"]);
    await take({ ...prompt, prompt: "<task-notification>done</task-notification>" });
    expect(await take(of("Stop", { background_tasks: [] }))).toEqual(["shop: is done"]);
  });

  it.each([
    ["50 15 29 11 *", false, "shop: wakes at 15:50"],
    ["5 9 * * *", true, "shop: wakes at 09:05"],
    ["*/5 * * * *", true, "shop: wakes by itself"],
  ])("wakes by itself (%s), and of such turns the first is told", async (schedule, recurring, title) => {
    const { take, state } = await start();
    const session_crons = [{ id: "c1", schedule, recurring, prompt: "look again" }];
    const stop = of("Stop", { session_crons, last_assistant_message: "Nothing new." });
    const wakeUp = { ...prompt, source: "loop_wakeup" };
    await take(prompt);
    expect(await take(stop)).toEqual([title]);
    expect(state()).toMatchObject({ kind: "done", reason: "Its turn ended, and it goes on by itself later." });
    for (let turn = 0; turn < 3; turn += 1) {
      await take(wakeUp, 60 * second);
      expect(state().kind).toBe("working");
      expect(await take({ ...stop, prompt_id: `p${turn}` })).toEqual([]);
      expect(state().kind).toBe("done");
    }
    await take(wakeUp, 60 * second);
    const asking = { ...stop, prompt_id: "p9", last_assistant_message: "The build broke. Shall I fix it?" };
    expect(await take(asking)).toEqual(["shop: has a question"]);
    await take(prompt);
    expect(await take({ ...stop, prompt_id: "p10" })).toEqual([title]);
  });

  it("knows a prompt of its schedule, which comes without a source, by the end of the turn before", async () => {
    const { take, state, why } = await start();
    const session_crons = [{ id: "c1", schedule: "*/5 * * * *", recurring: true, prompt: "look again" }];
    const stop = of("Stop", { session_crons, last_assistant_message: "Nothing new." });
    await take(prompt);
    expect(await take(stop)).toEqual(["shop: wakes by itself"]);
    await take({ ...prompt, prompt: "look again", prompt_id: "w1" }, 60 * second);
    expect(why()).toBe("Claude Code went on by itself");
    expect(state()).toMatchObject({ kind: "working", reason: "It went on by itself." });
    expect(await take({ ...stop, prompt_id: "w1" })).toEqual([]);
    await take({ ...prompt, prompt: "stop that", prompt_id: "p2" }, 60 * second);
    expect(await take(of("Stop", { session_crons: [], prompt_id: "p2" }))).toEqual(["shop: is done"]);
    // It is no longer on the schedule, so a person has entered it.
    await take({ ...prompt, prompt: "look again", prompt_id: "p3" }, 60 * second);
    expect(state()).toMatchObject({ kind: "working", reason: "You gave it a prompt." });
  });
});

describe("a session without a person before it", () => {
  /** A session of which the transcript says who has started it; its process has these arguments. */
  const start = async (agentId: string, line: object, args: readonly string[] = []) => {
    const running = await prepare(agentId);
    running.writeRules({
      channels: { desk: { type: "ntfy", topic: "t", server: "http://127.0.0.1:9" } },
      rules: [
        { name: "headless", when: { headless: true }, notify: ["desk"], title: "headless: {event}", final: true },
        { name: "others", when: { headless: false }, notify: ["desk"], title: "other: {event}" },
      ],
    });
    await running.dispatcher.rereadRules();
    const transcript = join(temporaryFolder(), "t.jsonl");
    writeFileSync(transcript, `${JSON.stringify(line)}\n{"type":"user"}\n`);
    const argv = ["-e", "process.stdin.resume()", "agent", ...args];
    const agent = spawn(process.execPath, argv, { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void agent.kill());
    await once(agent, "spawn");
    const event = (name: string, more = {}) =>
      running.take({ hook_event_name: name, transcript_path: transcript, ...more }, second, [agent.pid ?? 0]);
    const ask = () => event("PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm test" } });
    return { ...running, event, ask };
  };

  it("of claude -p has no questions: it denies them by itself (posix)", async () => {
    const { ask, event, why, state } = await start("claude-code", { type: "user", entrypoint: "sdk-cli" }, ["-p", "x"]);
    expect(await ask()).toEqual([]);
    expect(why()).toBe("Claude Code has no one to ask here, and denies it by itself");
    expect(state().kind).not.toBe("needsYou");
    expect(await event("Stop")).toEqual(["headless: Stop"]);
  });

  it.each([["--permission-prompt-tool", "mcp__x__ask"], ["--permission-prompt-tool=mcp__x__ask"]])(
    "of claude -p with a tool that asks has questions: %s",
    async (...args) => {
      const { ask } = await start("claude-code", { type: "user", entrypoint: "sdk-cli" }, ["-p", ...args]);
      expect(await ask()).toEqual(["headless: PermissionRequest"]);
    },
  );

  it.each([
    ["claude-code", { type: "user", entrypoint: "sdk-ts" }, "headless: PermissionRequest"],
    ["claude-code", { type: "user", entrypoint: "cli" }, "other: PermissionRequest"],
    ["claude-code", { type: "user" }, "other: PermissionRequest"],
    [
      "claude-code",
      { message: { content: [{ type: "tool_use", input: { entrypoint: "sdk-cli" } }] }, entrypoint: "cli" },
      "other: PermissionRequest",
    ],
    ["codex", { type: "session_meta", payload: { source: "exec" } }, "headless: PermissionRequest"],
    ["codex", { type: "session_meta", payload: { source: "cli" } }, "other: PermissionRequest"],
  ])("of %s is known by its transcript: %j", async (agentId, line, title) => {
    const { ask } = await start(agentId, line);
    expect(await ask()).toEqual([title]);
  });
});

describe("Codex", () => {
  const of = (file: string) => ({ ...captured("codex", file), session_id: "s1", cwd: "/srv/shop" });

  it("asks with choices, and the result of the call ends the question", async () => {
    const { take, state } = await prepare("codex");
    await take(prompt);
    expect(await take(of("PreToolUse-request-user-input"))).toEqual(["shop: has a question"]);
    expect(state().kind).toBe("needsYou");
    await take(of("PostToolUse-request-user-input"), 60 * second);
    expect(state().kind).toBe("working");
  });
});

describe("Copilot CLI", () => {
  it("asks with choices, and the result of the call ends the question", async () => {
    const { take, state } = await prepare("copilot-cli");
    await take(prompt);
    const call = { tool_name: "ask_user", tool_input: { question: "Which color?", choices: ["Red", "Blue"] } };
    expect(await take({ hook_event_name: "PreToolUse", ...call })).toEqual(["shop: has a question"]);
    expect(state().kind).toBe("needsYou");
    await take({ hook_event_name: "PostToolUse", ...call, tool_result: "Red" }, 60 * second);
    expect(state().kind).toBe("working");
  });
});
