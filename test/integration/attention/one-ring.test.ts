// What rings once: a question and its agent's reminder, on every channel and board; and turns that end together.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBoardReader } from "../../../src/overview/read-board.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { questionsOf } from "../../../src/sessions/state.ts";
import { readSession } from "../../../src/outbox/sessions.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { botToken, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";

const second = 1000;
const allDay = [
  { from: "00:00", to: "12:00" },
  { from: "12:00", to: "00:00" },
];
const sessions = ["a", "b", "c", "d", "e"];
const people = ["telegram", "pushover", "bell"];
const ends = [{ name: "ends", when: { event: "Stop" }, notify: [...people, "log"] }];

/** Claude Code, with Telegram, which edits messages, Pushover, which does not, a sound, and a program. `more`: of the rules file. */
async function start({ rules, ...more }: { rules?: unknown[]; [setting: string]: unknown } = {}) {
  const telegram = await startPretendTelegram();
  onTestFinished(() => telegram.close());
  const pushover = await startHttpReceiver({ behaviour: { answer: 200, body: '{"status":1}' } });
  const webhook = await startHttpReceiver({ behaviour: { answer: 200, body: "ok" } });
  const programs = temporaryFolder();
  const played = join(programs, "played");
  writeFileSync(played, "");
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, "paplay"), `#!/bin/sh\necho . >> '${played}'\n`, { mode: 0o755 });
  const running = prepareDispatcher({ PATH: programs });
  const { layout } = running.dispatcher;
  running.writeRules({
    channels: {
      telegram: { type: "telegram", token: botToken, chat: 42, apiUrl: telegram.origin, allowHttp: true },
      pushover: { type: "pushover", token: "t", user: "u", server: pushover.origin, content: "full" },
      bell: { type: "sound" },
      log: { type: "webhook", url: `${webhook.origin}/`, allowHttp: true },
    },
    rules: rules ?? [{ name: "all", notify: [...people, "log"] }],
    ...more,
  });
  void running.run();
  const isQuiet = (): boolean => listIncoming(layout).length === 0 && running.requestsUnderWay() === 0;
  let events = 0;
  const report = async (session: string, payload: Record<string, unknown>): Promise<void> => {
    const text = JSON.stringify({ session_id: session, cwd: `/srv/${session}`, ...payload });
    writeIncoming(layout, text, { agentId: "claude-code", nowMs: running.clock.now() });
    events += 1;
    await running.until(`${session} on record`, () => running.journal("event").length === events && isQuiet());
  };
  return {
    ...running,
    ask: (session: string) =>
      report(session, {
        hook_event_name: "PermissionRequest",
        tool_name: "Bash",
        tool_input: { command: `npm run ${session}` },
      }),
    notify: (session: string, type: string, message = "Claude needs your permission to use Bash") =>
      report(session, { hook_event_name: "Notification", notification_type: type, message }),
    stop: (session: string, words = "All done.") =>
      report(session, { hook_event_name: "Stop", last_assistant_message: words }),
    fail: (session: string) => report(session, { hook_event_name: "StopFailure", error: "server_error" }),
    prompt: (session: string) => report(session, { hook_event_name: "UserPromptSubmit", prompt: "go on" }),
    form: (session: string) =>
      report(session, { hook_event_name: "Elicitation", mcp_server_name: "jira", message: "Which project?" }),
    allowed: (session: string) =>
      report(session, {
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_input: { command: `npm run ${session}` },
        tool_response: {},
      }),
    pushes: () =>
      pushover.requests.map(({ body }) => JSON.parse(body) as { title: string; message: string; priority: number }),
    /** How often each channel was asked to show or play something. */
    counts: () => ({
      telegram: telegram.messages.length,
      edits: telegram.messages.reduce((sum, { earlier }) => sum + earlier.length, 0),
      pushover: pushover.requests.length,
      bell: readFileSync(played, "utf8").split("\n").length - 1,
      log: webhook.requests.length,
    }),
    /** Nothing waits, is sent or is played any more. */
    async settled(): Promise<void> {
      const isOver = (): boolean => listDeliveries(layout, "outbox").length === 0 && isQuiet();
      await running.until("the last attempt", isOver);
    },
    /** What a board lists of the session. */
    questions: (session: string) =>
      createBoardReader(layout)(running.clock.now()).find(({ record }) => record.session === session)?.questions.length,
  };
}

describe("five sessions that ask at once, and are reminded of six seconds later (posix)", () => {
  it("ring once, and the reminders change nothing on any channel", async () => {
    const running = await start();
    for (const session of sessions) await running.ask(session);
    running.clock.turn(6 * second);
    await running.settled();
    const before = running.counts();
    expect(before).toMatchObject({ telegram: 1, pushover: 2, bell: 1, log: 5 });
    for (const session of sessions) await running.notify(session, "permission_prompt");
    running.clock.turn(10 * second);
    await running.settled();
    expect(running.counts()).toEqual(before);
    for (const session of sessions) expect(running.questions(session)).toBe(1);
  });

  it("wait as one, where quiet hours hold them", async () => {
    const running = await start({ quietHours: { ranges: allDay, breakThrough: [] } });
    for (const session of sessions) await running.ask(session);
    running.clock.turn(6 * second);
    for (const session of sessions) await running.notify(session, "permission_prompt");
    const held = listDeliveries(running.dispatcher.layout, "outbox");
    expect(held).toHaveLength(sessions.length * people.length);
    expect(running.counts()).toMatchObject({ telegram: 0, pushover: 0, bell: 0 });
    for (const session of sessions) expect(running.questions(session)).toBe(1);
  });
});

describe("a reminder (posix)", () => {
  it("is told to a channel that was not told of the question, which then has it in its list", async () => {
    const running = await start({
      rules: [
        { name: "asks", when: { event: "PermissionRequest" }, notify: ["log"] },
        { name: "reminds", when: { event: "Notification" }, notify: ["telegram", "log"] },
      ],
    });
    for (const session of ["a", "b"]) {
      await running.ask(session);
      await running.settled();
      running.clock.turn(6 * second);
      await running.notify(session, "permission_prompt");
      await running.settled();
      expect(running.questions(session)).toBe(1);
    }
    expect(running.counts()).toMatchObject({ telegram: 2, log: 2 });
    const [open] = questionsOf(readSession(running.dispatcher.layout, "claude-code", "a"));
    expect(open?.channels).toEqual(["log", "telegram"]);
  });

  it("that comes late is still that of a question which is open", async () => {
    const running = await start();
    await running.ask("a");
    await running.settled();
    running.clock.turn(10 * 60 * second);
    await running.notify("a", "permission_prompt");
    await running.notify("a", "idle_prompt", "Claude is waiting for your input");
    await running.settled();
    expect(running.counts()).toMatchObject({ telegram: 1, pushover: 1, bell: 1, log: 1 });
    expect(running.questions("a")).toBe(1);
  });

  it('of an idle agent is told with "idle": "remind"', async () => {
    const running = await start({ idle: "remind" });
    await running.ask("a");
    await running.settled();
    running.clock.turn(60 * second);
    await running.notify("a", "idle_prompt", "Claude is waiting for your input");
    await running.settled();
    expect(running.counts()).toMatchObject({ pushover: 2, bell: 2, log: 2 });
    expect(running.questions("a")).toBe(1);
  });
});

describe("the form of an MCP server (posix)", () => {
  it("is a question of its own after the permission for its tool, five of five", async () => {
    for (const session of sessions) {
      const running = await start();
      await running.ask(session);
      await running.settled();
      running.clock.turn(2 * second);
      await running.allowed(session);
      running.clock.turn(6 * second);
      await running.settled();
      const before = running.counts();
      await running.notify(session, "elicitation_dialog", "jira asks: which project?");
      await running.settled();
      expect(running.counts()).toMatchObject({
        pushover: before.pushover + 1,
        bell: before.bell + 1,
        log: before.log + 1,
      });
      expect(running.questions(session)).toBe(1);
    }
  });

  it("is told in its own words, while the permission before it still counts as open", async () => {
    const running = await start();
    await running.ask("a");
    await running.settled();
    running.clock.turn(8 * second);
    await running.notify("a", "elicitation_dialog", "jira asks: which project?");
    await running.settled();
    const [, form] = running.pushes();
    expect(`${form?.title} ${form?.message}`).toContain("which project");
  });

  it("is told once, where the agent reports it and reminds of it", async () => {
    const running = await start();
    await running.form("a");
    await running.settled();
    running.clock.turn(6 * second);
    await running.notify("a", "elicitation_dialog", "jira asks: which project?");
    await running.settled();
    expect(running.counts()).toMatchObject({ telegram: 1, pushover: 1, bell: 1, log: 1 });
    expect(running.questions("a")).toBe(1);
  });
});

describe("five turns that end at once (posix)", () => {
  it("are one sound, and one message after the first; programs get each", async () => {
    const running = await start();
    for (const session of sessions) await running.stop(session);
    await running.until("the first", () => running.counts().bell === 1 && running.counts().log === 5);
    expect(running.counts()).toMatchObject({ telegram: 1, pushover: 1 });
    running.clock.turn(5 * second);
    await running.settled();
    expect(running.counts()).toMatchObject({ telegram: 2, pushover: 2, bell: 1, log: 5 });
    const [, rest] = running.pushes();
    expect(rest).toMatchObject({ title: expect.stringContaining("4 more turns ended"), priority: -1 });
    for (const session of sessions.slice(1)) expect(rest?.message).toContain(session);
  });

  it("are one sound and one message where hookbell knew that all were at work", async () => {
    const running = await start({ rules: ends });
    for (const session of sessions) await running.prompt(session);
    for (const session of sessions) await running.stop(session);
    expect(running.counts()).toMatchObject({ telegram: 0, pushover: 0, log: 5 });
    running.clock.turn(2 * second);
    await running.settled();
    running.clock.turn(5 * second);
    await running.settled();
    expect(running.counts()).toMatchObject({ telegram: 1, pushover: 1, bell: 1, log: 5 });
    const [all] = running.pushes();
    expect(all).toMatchObject({ title: expect.stringContaining("5 turns ended"), priority: 0 });
    for (const session of sessions) expect(all?.message).toContain(session);
  });

  it("ring once where one that asks is sent while another waits, which then joins it", async () => {
    const running = await start({
      rules: [{ name: "ends", when: { event: "Stop" }, notify: ["pushover", "telegram"] }],
    });
    for (const session of ["a", "b", "c"]) await running.prompt(session);
    await running.stop("a");
    expect(running.counts()).toMatchObject({ pushover: 0 });
    running.clock.turn(second);
    await running.stop("b", "Which of the two do you want?");
    await running.until("the one that asks", () => running.counts().pushover === 1);
    running.clock.turn(second);
    await running.until("the one that waited", () => running.counts().pushover === 2);
    await running.settled();
    const [asking, waited] = running.pushes();
    expect(asking?.priority).toBeGreaterThanOrEqual(0);
    expect(waited?.priority).toBe(-1);
  });

  it("of one session are told at once, and of two two seconds later, each by itself", async () => {
    const running = await start({ rules: ends });
    await running.prompt("a");
    await running.prompt("b");
    await running.stop("a");
    expect(running.counts()).toMatchObject({ pushover: 0 });
    running.clock.turn(2 * second);
    await running.until("the first", () => running.counts().pushover === 1);
    running.clock.turn(10 * second);
    await running.stop("b");
    await running.until("the second, alone at work", () => running.counts().pushover === 2);
    await running.until("its sound", () => running.counts().bell === 2);
  });

  it("wait for nothing that asks or fails", async () => {
    const running = await start();
    await running.stop("a");
    await running.ask("b");
    await running.fail("c");
    await running.settled();
    expect(running.counts()).toMatchObject({ telegram: 3, pushover: 3, bell: 3, log: 3 });
  });

  it("leave out what you have gone on with meanwhile", async () => {
    const running = await start({ rules: [{ name: "ends", when: { event: "Stop" }, notify: ["pushover"] }] });
    for (const session of ["a", "b", "c"]) await running.stop(session);
    await running.prompt("b");
    running.clock.turn(5 * second);
    await running.settled();
    const [, rest, ...others] = running.pushes();
    expect(others).toEqual([]);
    expect(`${rest?.title} ${rest?.message}`).toContain("c");
    expect(rest?.priority).toBe(-1);
  });
});
