// A question leaves once the agent's transcript shows its answer, without any hook that tells of it.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listSessions } from "../../../src/outbox/sessions.ts";
import { questionsOf } from "../../../src/sessions/state.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";

async function prepared() {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const running = prepareDispatcher();
  const { layout } = running.dispatcher;
  const { clock } = running;
  const startedAt = clock.now();
  const transcript = join(layout.root, "config", "projects", "shop-web", "s1.jsonl");
  mkdirSync(dirname(transcript), { recursive: true });
  running.writeRules({
    channels: {
      desk: { type: "webhook", url: `${receiver.origin}/desk` },
      phone: { type: "webhook", url: `${receiver.origin}/phone` },
    },
    rules: [
      {
        name: "asks",
        when: { event: ["PermissionRequest", "Notification"] },
        notify: ["desk"],
        escalate: [{ after: "10m", notify: ["phone"] }],
      },
    ],
  });
  const write = (role: "assistant" | "user", ...content: object[]): void => {
    // A question's time is its payload's, by the clock of the file system.
    const at = role === "assistant" ? startedAt - 1000 : clock.now();
    const line = { type: role, timestamp: new Date(at).toISOString(), message: { role, content } };
    appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  };
  const call = (id: string, command: string): object => ({ type: "tool_use", id, name: "Bash", input: { command } });
  const result = (id: string): object => ({ type: "tool_result", tool_use_id: id, content: "" });
  const ask = (command: string): void => {
    const payload = {
      hook_event_name: "PermissionRequest",
      session_id: "s1",
      cwd: "/home/u/shop-web",
      transcript_path: transcript,
      tool_name: "Bash",
      tool_input: { command },
    };
    writeIncoming(layout, JSON.stringify(payload), { agentId: "claude-code", nowMs: clock.now() });
  };
  /** What Claude Code notes about its running session. */
  const writeStatus = (status: string, file = "4711.json"): void => {
    mkdirSync(join(layout.root, "config", "sessions"), { recursive: true });
    const at = clock.now();
    const content = { pid: 4711, sessionId: "s1", status, updatedAt: at, statusUpdatedAt: at };
    writeFileSync(join(layout.root, "config", "sessions", file), JSON.stringify(content));
  };
  const open = (): number => listSessions(layout).flatMap((session) => session.open ?? []).length;
  const isTold = (): boolean => receiver.requests.length > 0;
  const isEscalating = (): boolean => listDeliveries(layout, "outbox").length > 0;
  return { ...running, transcript, writeStatus, write, call, result, ask, open, isTold, isEscalating };
}

it("ends by the result of the call that was asked about, not by that of another one", async () => {
  const { run, until, clock, write, call, result, ask, open, isTold, isEscalating, journal } = await prepared();
  write("assistant", call("t1", "npm test"), call("t2", "ls"));
  ask("npm test");
  void run();
  await until("the message", isTold);
  clock.turn(3000);
  write("user", result("t2"));
  for (let looks = 0; looks < 5; looks += 1) {
    clock.turn(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect([open(), isEscalating()]).toEqual([1, true]);
  write("user", { ...result("t1"), is_error: true, content: "The user doesn't want to proceed with this tool use." });
  clock.turn(1000);
  await until("the end", () => (clock.turn(500), open() === 0 && !isEscalating()));
  expect(journal("attention")).toMatchObject([{ channel: "phone", verdict: "drop", by: "answered" }]);
  expect(journal("event").at(-1)).toMatchObject({ event: { name: "Answered", isAnswer: true }, ignored: /transcript/ });
});

it("ends by a denial, although the agent then says that it waits for a prompt", async () => {
  const { run, until, clock, dispatcher, transcript, isTold, journal } = await prepared();
  const write = (part: object, at: number): void =>
    appendFileSync(
      transcript,
      `${JSON.stringify({ timestamp: new Date(at).toISOString(), message: { parts: [part] } })}\n`,
    );
  const call = { id: "c1", name: "run_shell_command" };
  write({ functionCall: { ...call, args: { command: "npm test" } } }, clock.now() - 1000);
  const payload = {
    session_id: "s1",
    cwd: "/home/u/shop-web",
    transcript_path: transcript,
    timestamp: new Date(clock.now()).toISOString(),
    permission_mode: "default",
  };
  const accept = (more: object): void => {
    writeIncoming(dispatcher.layout, JSON.stringify({ ...payload, ...more }), {
      agentId: "qwen-code",
      nowMs: clock.now(),
    });
  };
  const tool = { tool_name: "run_shell_command", tool_input: { command: "npm test" } };
  accept({ hook_event_name: "PermissionRequest", ...tool });
  void run();
  await until("the message", isTold);
  write({ functionResponse: { ...call, response: { error: "User did not allow tool call" } } }, clock.now() + 1000);
  clock.turn(3000);
  accept({ hook_event_name: "Notification", notification_type: "idle_prompt", message: "Qwen Code is waiting" });
  const isAsking = (): boolean => listSessions(dispatcher.layout).some((session) => questionsOf(session).length > 0);
  const answered = (): unknown => journal("event").find(({ ignored }) => String(ignored).includes("transcript"));
  await until("the end", () => (clock.turn(1000), !isAsking() && answered() !== undefined));
  expect(answered()).toMatchObject({ event: { agent: "qwen-code", name: "Answered", isAnswer: true } });
});

it("ends by an interruption", async () => {
  const { run, until, clock, write, call, ask, open, isTold, journal } = await prepared();
  write("assistant", call("t1", "npm test"));
  ask("npm test");
  void run();
  await until("the message", isTold);
  clock.turn(3000);
  write("user", { type: "text", text: "[Request interrupted by user for tool use]" });
  clock.turn(1000);
  await until("the end", () => (clock.turn(500), open() === 0));
  expect(journal("event").map(({ event }) => (event as { name: string }).name)).toEqual([
    "PermissionRequest",
    "Interrupted",
  ]);
});

it("ends a subagent's question by the subagent's own transcript", async () => {
  const { run, until, clock, dispatcher, transcript, call, result, open, isTold } = await prepared();
  const ofSubagent = join(transcript.replace(/\.jsonl$/, ""), "subagents", "agent-a1.jsonl");
  mkdirSync(dirname(ofSubagent), { recursive: true });
  const write = (role: "assistant" | "user", at: number, ...content: object[]): void => {
    const line = { type: role, isSidechain: true, timestamp: new Date(at).toISOString(), message: { role, content } };
    appendFileSync(ofSubagent, `${JSON.stringify(line)}\n`);
  };
  appendFileSync(transcript, "{}\n");
  write("assistant", clock.now() - 1000, call("t1", "npm test"));
  const payload = {
    hook_event_name: "PermissionRequest",
    session_id: "s1",
    agent_id: "a1",
    agent_type: "general-purpose",
    cwd: "/home/u/shop-web",
    transcript_path: transcript,
    tool_name: "Bash",
    tool_input: { command: "npm test" },
  };
  writeIncoming(dispatcher.layout, JSON.stringify(payload), { agentId: "claude-code", nowMs: clock.now() });
  void run();
  await until("the message", isTold);
  expect(open()).toBe(1);
  clock.turn(3000);
  write("user", clock.now(), result("t1"));
  clock.turn(1000);
  await until("the end", () => open() === 0);
});

it("waits for a call that the agent writes into its transcript later", async () => {
  const { run, until, clock, write, call, result, ask, open, isTold, journal } = await prepared();
  ask("npm test");
  void run();
  await until("the message", isTold);
  clock.turn(3000);
  write("assistant", call("t1", "npm test"), { type: "thinking" });
  clock.turn(1000);
  write("user", result("t1"));
  await until("the end", () => (clock.turn(1000), open() === 0));
  expect(journal("event").at(-1)).toMatchObject({ event: { name: "Answered" } });
});

it("keeps a dispatcher only while the transcript has a call that waits", async () => {
  const { run, until, clock, write, call, result, ask, isTold, transcript, dispatcher, writeRules } = await prepared();
  writeRules({
    channels: { desk: { type: "webhook", url: "http://127.0.0.1:9/" } },
    rules: [{ name: "none", notify: [] }],
  });
  write("assistant", call("t1", "npm test"));
  ask("npm test");
  let hasEnded = false;
  const ran = run({ idleMs: 2000 }).finally(() => (hasEnded = true));
  await until("its taking in", () => listSessions(dispatcher.layout).length === 1);
  for (let seconds = 0; seconds < 30; seconds += 1) {
    clock.turn(1000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect([hasEnded, isTold(), existsSync(transcript)]).toEqual([false, false, true]);
  write("user", result("t1"));
  await until("its end", () => (clock.turn(1000), hasEnded));
  expect(await ran).toBe("ended");
});

it("ends by the agent's own status while the command that was allowed still runs", async () => {
  const { run, until, clock, write, writeStatus, call, ask, open, isTold, journal } = await prepared();
  writeStatus("busy");
  write("assistant", call("t1", "npm test"));
  ask("npm test");
  void run();
  await until("the message", isTold);
  clock.turn(3000);
  // A turn that ends while a subagent asks, before the question is on the screen.
  writeStatus("idle");
  clock.turn(1000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(open()).toBe(1);
  writeStatus("waiting");
  for (let looks = 0; looks < 5; looks += 1) {
    clock.turn(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(open()).toBe(1);
  writeStatus("busy");
  clock.turn(400);
  await new Promise((resolve) => setTimeout(resolve, 20));
  // It may ask the next question at once.
  expect(open()).toBe(1);
  clock.turn(600);
  await until("the end", () => (clock.turn(500), open() === 0));
  expect(journal("event").at(-1)).toMatchObject({ event: { name: "Answered" }, ignored: /no longer waits/ });
});

it("stays while the agent's own status says so, whatever its transcript tells of other calls", async () => {
  const { run, until, clock, write, writeStatus, call, result, ask, open, isTold } = await prepared();
  write("assistant", call("t1", "npm test"));
  ask("npm test");
  void run();
  await until("the message", isTold);
  clock.turn(3000);
  // A process that was killed has left its file behind.
  writeStatus("idle", "1000.json");
  clock.turn(1000);
  writeStatus("waiting");
  write("user", result("t1"));
  for (let looks = 0; looks < 5; looks += 1) {
    clock.turn(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(open()).toBe(1);
});

it("finds the file of an agent whose hooks do not name it", async () => {
  const { run, until, clock, dispatcher, open, isTold } = await prepared();
  const file = join(dispatcher.tools.home, ".copilot/session-state/s1/events.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  const write = (type: string, data: object, at: number): void =>
    appendFileSync(file, `${JSON.stringify({ type, data, timestamp: new Date(at).toISOString() })}\n`);
  const call = { toolCallId: "c1", toolName: "bash", arguments: { command: "npm test" } };
  write("tool.execution_start", call, clock.now() - 1000);
  const payload = {
    hook_event_name: "PermissionRequest",
    session_id: "s1",
    timestamp: new Date(clock.now()).toISOString(),
    cwd: "/home/u/shop-web",
    tool_name: "bash",
    tool_input: { command: "npm test" },
  };
  writeIncoming(dispatcher.layout, JSON.stringify(payload), { agentId: "copilot-cli", nowMs: clock.now() });
  void run();
  await until("the message", isTold);
  clock.turn(3000);
  expect(open()).toBe(1);
  write("permission.completed", { toolCallId: "c1", result: { kind: "approved" } }, clock.now());
  await until("the end", () => (clock.turn(1000), open() === 0));
});

it("begins and ends by the agent's own status, where no hook tells of questions", async () => {
  const { run, until, clock, dispatcher, open, isTold, journal } = await prepared();
  const folder = join(dispatcher.tools.home, ".cline/data/sessions/root_1");
  mkdirSync(folder, { recursive: true });
  const note = (status: string): void => {
    const file = join(folder, "root_1.json");
    writeFileSync(file, JSON.stringify({ session_id: "root_1", status }));
    utimesSync(file, clock.now() / 1000, clock.now() / 1000);
  };
  note("running");
  const payload = {
    clineVersion: "",
    hookName: "agent_start",
    taskId: "conv_1",
    sessionContext: { rootSessionId: "root_1" },
    workspaceRoots: ["/home/u/shop-web"],
  };
  writeIncoming(dispatcher.layout, JSON.stringify(payload), { agentId: "cline", nowMs: clock.now() });
  void run();
  const state = (): string | undefined => listSessions(dispatcher.layout)[0]?.state.kind;
  await until("the turn", () => state() === "working");
  clock.turn(3000);
  note("pending");
  await until("the message", () => (clock.turn(500), isTold()));
  expect([state(), open()]).toEqual(["needsYou", 1]);
  clock.turn(1000);
  note("running");
  await until("the end", () => (clock.turn(500), state() === "working"));
  expect(journal("event").at(-1)).toMatchObject({ event: { name: "Answered" }, ignored: /no longer waits/ });
});

it.runIf(process.platform === "linux")("ends by the command that runs, before any line says so", async () => {
  const { run, until, clock, dispatcher, transcript, open, isTold, journal } = await prepared();
  // The watch reads all processes of the machine, on which this test may run twice.
  const session = `s-${process.pid}`;
  const begun = { type: "function_call", name: "exec_command", arguments: '{"cmd":"sleep 60"}', call_id: "c1" };
  const timestamp = new Date(clock.now() - 1000).toISOString();
  writeFileSync(transcript, `${JSON.stringify({ timestamp, type: "response_item", payload: begun })}\n`);
  const payload = {
    hook_event_name: "PermissionRequest",
    session_id: session,
    turn_id: "t1",
    agent_id: "a1",
    agent_type: "default",
    cwd: "/home/u/shop-web",
    transcript_path: transcript,
    model: "pretended",
    permission_mode: "default",
    tool_name: "Bash",
    tool_input: { command: "sleep 60" },
  };
  writeIncoming(dispatcher.layout, JSON.stringify(payload), { agentId: "codex", nowMs: clock.now() });
  // An event of the main session names its own transcript.
  const start = { ...payload, hook_event_name: "SubagentStart", transcript_path: "/home/u/main.jsonl" };
  writeIncoming(dispatcher.layout, JSON.stringify(start), { agentId: "codex", nowMs: clock.now() });
  void run();
  await until("the message", isTold);
  clock.turn(3000);
  const startCommand = (ofSession: string, call: string): void => {
    const env = { PATH: process.env.PATH, CODEX_SESSION_ID: ofSession, CODEX_TOOL_CALL_ID: call };
    const child = spawn("sleep", ["60"], { env, stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
  };
  startCommand(`${session}-2`, "c1");
  startCommand(session, "c2");
  for (let looks = 0; looks < 5; looks += 1) {
    clock.turn(1000);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  expect(open()).toBe(1);
  startCommand(session, "c1");
  await until("the end", () => (clock.turn(1000), open() === 0));
  expect(journal("event").at(-1)).toMatchObject({ event: { name: "Answered" }, ignored: /runs what it asked for/ });
});
