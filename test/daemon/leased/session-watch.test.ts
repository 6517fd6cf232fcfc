// What no hook tells of a session: its turn was stopped with Escape, or its process is gone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { readSession, writeSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";

function prepared() {
  const running = prepareDispatcher();
  const { layout } = running.dispatcher;
  running.writeRules({
    channels: { desk: { type: "webhook", url: "http://127.0.0.1:9/x" } },
    stuckAfter: "20m",
    rules: [{ name: "stuck", when: { event: "Stuck" }, notify: ["desk"] }],
  });
  const transcript = join(layout.root, "s1.jsonl");
  const hear = (event: string, facts: object = {}): void => {
    const payload = { hook_event_name: event, session_id: "s1", cwd: "/home/u/shop-web", transcript_path: transcript };
    writeIncoming(layout, JSON.stringify({ ...payload, ...facts }), {
      agentId: "claude-code",
      nowMs: running.clock.now(),
    });
  };
  /** A line of the person, so many milliseconds from now. */
  const write = (text: string, afterMs = 0): void => {
    const at = new Date(Date.now() + afterMs).toISOString();
    const line = { type: "user", timestamp: at, message: { role: "user", content: [{ type: "text", text }] } };
    appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  };
  const state = (): SessionRecord["state"] => readSession(layout, "claude-code", "s1").state;
  /** The clock goes on meanwhile: the next look is due at some time. */
  const turnUntil = async (what: string, check: () => boolean): Promise<void> => {
    await running.until(what, () => {
      running.clock.turn(500);
      return check();
    });
  };
  const becomes = async (kind: SessionRecord["state"]["kind"]): Promise<void> =>
    await turnUntil(`the state ${kind}`, () => state().kind === kind);
  return { ...running, layout, hear, write, state, becomes, turnUntil };
}

const escape = "[Request interrupted by user]";

describe("Escape in Claude Code, which runs no hook", () => {
  it("ends the turn, and with it the watch for a stuck one", async () => {
    const { run, turnUntil, layout, hear, write, state, becomes, journal } = prepared();
    write("fix the cart");
    hear("UserPromptSubmit", { prompt: "fix the cart" });
    void run();
    await becomes("working");
    await turnUntil("the watch for a stuck turn", () => listDeliveries(layout, "outbox").length === 1);
    write(escape, 5000);
    await becomes("interrupted");
    expect(state()).toMatchObject({ source: "transcript", reason: "You stopped its turn." });
    await turnUntil("no watch any more", () => listDeliveries(layout, "outbox").length === 0);
    expect(journal("event").at(-1)).toMatchObject({
      event: { name: "Interrupted" },
      ignored: "the transcript says that you stopped the turn",
    });
  });

  it("of the turn before does not end the next one", async () => {
    const { run, hear, write, state, becomes, clock } = prepared();
    write(escape, -60_000);
    hear("UserPromptSubmit", { prompt: "fix the cart" });
    void run();
    await becomes("working");
    for (let looks = 0; looks < 5; looks += 1) {
      clock.turn(4000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(state().kind).toBe("working");
  });

  it("ends a question as stopped, not as answered", async () => {
    const { run, hear, write, state, becomes } = prepared();
    write("fix the cart");
    hear("PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm test" } });
    void run();
    await becomes("needsYou");
    write(`${escape.slice(0, -1)} for tool use]`, 5000);
    await becomes("interrupted");
    expect(state().source).toBe("transcript");
  });
});

describe("a process that is gone", () => {
  it.each(["working", "needsYou"] as const)("ends a session in the state %s", async (kind) => {
    const { run, layout, state, becomes, clock, journal } = prepared();
    // Its number went to another process.
    const terminal = { device: "/dev/pts/9999", pid: process.pid, start: "1" };
    const open = kind === "needsYou" ? [{ id: "evt_1", at: clock.now(), name: "PermissionRequest" }] : [];
    const record = recordOf({ agent: "claude-code", session: "s1", lastSeenAt: clock.now(), terminal, open });
    const works = { kind, since: clock.now(), reason: "", source: "hook", turn: { helpers: 0 } } as const;
    writeSession(layout, kind === "working" ? { ...record, state: { ...works, kind } } : record);
    void run();
    await becomes("gone");
    expect(state()).toMatchObject({ source: "process", reason: "Its process has ended." });
    expect(journal("event").at(-1)).toMatchObject({ event: { name: "ProcessGone" }, ignored: "its process has ended" });
  });
});

describe("a process that the agent names as its own", () => {
  /** A session of `claude -p`, which has no terminal. */
  async function named(agentId: string) {
    const running = prepared();
    // Nothing else keeps the dispatcher.
    running.writeRules({ channels: {}, rules: [] });
    const agent = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    onTestFinished(() => void agent.kill("SIGKILL"));
    await once(agent, "spawn");
    const payload = {
      hook_event_name: "UserPromptSubmit",
      session_id: "s1",
      cwd: "/home/u/shop-web",
      prompt: "fix it",
    };
    const facts = agentId === "claude-code" ? {} : { turn_id: "t1", model: "m", permission_mode: "default" };
    writeIncoming(running.layout, JSON.stringify({ ...payload, transcript_path: "/no/transcript", ...facts }), {
      agentId,
      nowMs: running.clock.now(),
      namedPid: `${agent.pid}`,
      callerPids: [agent.pid ?? 0],
    });
    const record = (): SessionRecord => readSession(running.layout, agentId, "s1");
    return { ...running, agent, record };
  }

  it("keeps the dispatcher while it works, and ends its session when it ends", async () => {
    const { run, until, turnUntil, record, agent } = await named("claude-code");
    let hasEnded = false;
    const ran = run({ idleMs: 2000 }).finally(() => (hasEnded = true));
    await until("the process", () => record().process?.pid === agent.pid);
    let turns = 0;
    await turnUntil("twenty seconds", () => (turns += 1) > 40);
    expect([hasEnded, record().state.kind]).toEqual([false, "working"]);
    const exit = once(agent, "exit");
    agent.kill("SIGKILL");
    await exit;
    await turnUntil("the dispatcher's end", () => hasEnded);
    expect([await ran, record().state.kind]).toEqual(["ended", "gone"]);
  });

  it("is not believed of an agent that may have inherited the variable", async () => {
    const { run, until, record } = await named("codex");
    void run();
    await until("the prompt", () => record().state.kind === "working");
    expect(record().process).toBeUndefined();
  });
});

describe("an error that ends a turn of Codex, which runs no hook then", () => {
  it("is told as the rules say, and the session has failed", async () => {
    const { run, layout, writeRules, turnUntil, clock, journal } = prepared();
    writeRules({
      channels: { desk: { type: "webhook", url: "http://127.0.0.1:9/x" } },
      rules: [{ name: "broke off", when: { event: "StopFailure" }, notify: ["desk"] }],
    });
    const rollout = join(layout.root, "rollout-2026-11-23.jsonl");
    const payload = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: "/home/u/shop-web", turn_id: "t1" };
    writeIncoming(layout, JSON.stringify({ ...payload, prompt: "fix", transcript_path: rollout, model: "m" }), {
      agentId: "codex",
      nowMs: clock.now(),
    });
    appendFileSync(rollout, "");
    void run();
    const state = (): SessionRecord["state"] => readSession(layout, "codex", "s1").state;
    await turnUntil("the turn", () => state().kind === "working");
    const error = { message: "unexpected status 401 Unauthorized", codex_error_info: "unauthorized" };
    const line = { timestamp: new Date(clock.now() + 5000).toISOString(), type: "event_msg" };
    appendFileSync(
      rollout,
      `${JSON.stringify({ ...line, payload: { type: "task_complete", turn_id: "t1", error } })}\n`,
    );
    await turnUntil("the failure", () => state().kind === "failed");
    expect(state()).toMatchObject({ source: "transcript", reason: "Its turn ended with an error." });
    await turnUntil("its delivery", () => journal("attempt").length > 0);
    expect(journal("event").at(-1)).toMatchObject({
      event: { name: "StopFailure", level: "error", reason: "unauthorized", project: "shop-web" },
    });
    expect(journal("attempt")[0]).toMatchObject({ about: { agent: "codex", event: "StopFailure" }, channel: "desk" });
  });
});

it("Escape before the first word of an answer takes the turn back out of Copilot CLI's transcript, and ends it", async () => {
  const { run, layout, turnUntil, clock, journal } = prepared();
  const folder = join(layout.root, "home", ".copilot", "session-state", "s1");
  mkdirSync(folder, { recursive: true });
  const transcript = join(folder, "events.jsonl");
  const line = (type: string): string =>
    `${JSON.stringify({ type, data: {}, timestamp: "2026-11-23T09:35:04.116Z" })}\n`;
  writeFileSync(transcript, line("session.start") + line("user.message"));
  const payload = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: "/home/u/shop-web", prompt: "fix" };
  const facts = { ...payload, transcript_path: transcript };
  writeIncoming(layout, JSON.stringify(facts), { agentId: "copilot-cli", nowMs: clock.now() });
  void run();
  const state = (): string => readSession(layout, "copilot-cli", "s1").state.kind;
  await turnUntil("the turn", () => state() === "working");
  const texts = [line("session.start"), line("session.start") + line("user.message")];
  // A look sees the shorter text after the longer one at some time.
  await turnUntil("the interruption", () => {
    texts.reverse();
    writeFileSync(transcript, texts[0] ?? "");
    return state() === "interrupted";
  });
  expect(journal("event").at(-1)).toMatchObject({ event: { name: "Interrupted", means: "interrupted" } });
});
