// Attention in the running dispatcher: real files, a real receiver, a clock that the test turns.
import { describe, expect, it, onTestFinished } from "vitest";
import type { Presence } from "../../../src/policies/presence.ts";
import { writeMutes } from "../../../src/outbox/attention.ts";
import { listIncoming, listPositions } from "../../../src/outbox/incoming.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { readSession } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { botToken, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { openQuestion } from "../../answers/sample.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const permission = { notification_type: "permission_prompt", message: "May I run npm test?" };

interface Push {
  topic: string;
  title: string;
  message: string;
  priority: number;
}

/** Two phones and a desk, which are topics of one ntfy server, and a run that stays until the test ends. */
async function start(rules: unknown[], more: Record<string, unknown> = {}) {
  const receiver = await startHttpReceiver({ behaviour: { answer: 200, body: '{"id":"x"}' } });
  const running = prepareDispatcher();
  const channel = (topic: string) => ({ type: "ntfy", server: receiver.origin, topic });
  const channels = { desk: channel("desk"), phone: channel("phone"), team: channel("team") };
  running.writeRules({ channels, rules, ...more });
  void running.run();
  const pushes = (): Push[] => receiver.requests.map(({ body }) => JSON.parse(body) as Push);
  return {
    ...running,
    pushes,
    topics: () => pushes().map(({ topic }) => topic),
    /** Resolves when the event is on record, and what it leads to is in the outbox. */
    async hear(event: string, facts: Record<string, unknown> = {}): Promise<void> {
      const before = running.journal("event").length;
      running.accept(event, facts);
      const isTaken = (): boolean => listIncoming(running.dispatcher.layout).length === 0;
      await running.until(`${event} on record`, () => running.journal("event").length > before && isTaken());
    },
    async pushed(count: number): Promise<void> {
      await running.until(`${count} pushes`, () => pushes().length >= count && running.requestsUnderWay() === 0);
    },
    weighed: () =>
      running
        .journal("attention")
        .map(({ channel, verdict, why }) => `${String(channel)} ${String(verdict)}: ${String(why)}`),
    waiting: () => listDeliveries(running.dispatcher.layout, "outbox").length,
  };
}

type Running = Awaited<ReturnType<typeof start>>;

/** Everything that is due by now has been looked at: an event that no rule tells has gone all the way. */
async function settle(running: Running, waiting: number): Promise<void> {
  await running.until(`${waiting} deliveries that wait`, () => running.waiting() === waiting);
}

const asks = { event: "Notification" };
const ends = { event: "Stop" };

describe("an escalation", () => {
  const rule = {
    name: "needs me",
    when: asks,
    notify: ["desk"],
    escalate: [
      { after: "2m", notify: ["phone"] },
      { after: "10m", notify: ["team"], level: "error" },
    ],
  };

  it("reaches further channels, louder, while no answer comes", async () => {
    const running = await start([rule]);
    await running.hear("Notification", permission);
    await running.pushed(1);
    expect(running.topics()).toEqual(["desk"]);
    running.clock.turn(2 * minute);
    await running.pushed(2);
    expect(running.topics()).toEqual(["desk", "phone"]);
    running.clock.turn(8 * minute);
    await running.pushed(3);
    expect(running.pushes().map(({ topic, priority }) => [topic, priority])).toEqual([
      ["desk", 4],
      ["phone", 4],
      ["team", 5],
    ]);
    const [first, ...later] = running.pushes().map(({ message }) => message);
    expect(first).not.toContain("open for");
    expect(later).toEqual([
      expect.stringMatching(/^May I run npm test\?\nopen for 2m, not answered\b/),
      expect.stringMatching(/^May I run npm test\?\nopen for 10m, not answered\b/),
    ]);
    await settle(running, 0);
  });

  it("says that no one has reacted to a failure", async () => {
    const running = await start([{ ...rule, when: { event: "StopFailure" } }]);
    await running.hear("StopFailure", { error: "rate_limit" });
    await running.pushed(1);
    running.clock.turn(2 * minute);
    await running.pushed(2);
    const [first, second] = running.pushes();
    expect(first?.message).toMatch(/^The rate limit is reached\.$/);
    expect(second?.message).toMatch(/^The rate limit is reached\.\nopen for 2m, no one has reacted$/);
  });

  it("says how long a question with buttons has been open, within what the channel measures", async () => {
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const running = prepareDispatcher();
    const { layout } = running.dispatcher;
    running.writeRules({
      answers: { allow: ["Bash"], hold: "always" },
      channels: {
        desk: { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true },
        phone: { type: "telegram", token: botToken, chat: 78, apiUrl: telegram.origin, answers: true },
      },
      rules: [{ ...rule, when: { event: "PermissionRequest" }, escalate: [{ after: "2m", notify: ["phone"] }] }],
    });
    running.accept("PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm test" } });
    const now = running.clock.now();
    const routes = await running.routes();
    for (const position of listPositions(layout)) {
      openQuestion(layout, { id: position, host: "testhost", askedAt: now, expiresAt: now + hour, routes });
    }
    void running.run();
    await running.until("the question", () => telegram.messages.length === 1 && running.requestsUnderWay() <= 1);
    running.clock.turn(2 * minute);
    await running.until("the escalation", () => telegram.messages.length === 2);
    expect(telegram.messages.map(({ text }) => text.includes("note: open for 2m, not answered"))).toEqual([
      false,
      true,
    ]);
    expect(telegram.messages.map(({ buttons }) => buttons.map(({ text }) => text))).toEqual([
      ["Allow", "Deny"],
      ["Allow", "Deny"],
    ]);
  });

  it.each([
    ["a prompt", "UserPromptSubmit", {}],
    ["a tool that ran", "PostToolUse", { tool_name: "Bash" }],
    ["the end of the session", "SessionEnd", { reason: "other" }],
  ])("ends with %s", async (_what, event, facts) => {
    const running = await start([rule]);
    await running.hear("Notification", permission);
    await running.pushed(1);
    running.clock.turn(41 * second);
    await running.hear(event, facts);
    await settle(running, 0);
    running.clock.turn(hour);
    expect(running.topics()).toEqual(["desk"]);
    expect(running.weighed()).toEqual([
      expect.stringMatching(/^phone drop: answered after /),
      expect.stringMatching(/^team drop: answered after /),
    ]);
  });

  it("goes on after a restart, and not after an answer that came meanwhile", async () => {
    for (const isAnswered of [false, true]) {
      const receiver = await startHttpReceiver({ behaviour: { answer: 200, body: '{"id":"x"}' } });
      const running = prepareDispatcher();
      const channel = (topic: string) => ({ type: "ntfy", server: receiver.origin, topic });
      running.writeRules({
        channels: { desk: channel("desk"), phone: channel("phone"), team: channel("team") },
        rules: [rule],
      });
      running.accept("Notification", permission);
      await running.run({ idleMs: 0, isLeavingRetries: true });
      expect(receiver.requests).toHaveLength(1);
      running.clock.step(5 * minute);
      if (isAnswered) running.accept("UserPromptSubmit");
      await running.run({ idleMs: 0, isLeavingRetries: true });
      expect(receiver.requests).toHaveLength(isAnswered ? 1 : 2);
      running.clock.step(5 * minute);
      await running.run({ idleMs: 0, isLeavingRetries: true });
      expect(receiver.requests).toHaveLength(isAnswered ? 1 : 3);
      expect(listDeliveries(running.dispatcher.layout, "outbox")).toEqual([]);
    }
  });
});

describe("quiet hours", () => {
  /** From two hours before now to two hours after it, in the time zone of this machine. */
  function aroundNow({ clock }: Pick<RunningDispatcher, "clock">): { from: string; to: string } {
    const at = (ms: number): string => new Date(ms).toTimeString().slice(0, 5);
    return { from: at(clock.now() - 2 * hour), to: at(clock.now() + 2 * hour) };
  }

  it("hold what comes, and end with one summary", async () => {
    const { clock } = prepareDispatcher();
    const quietHours = { ranges: [aroundNow({ clock })], breakThrough: ["error"] };
    const running = await start(
      [{ name: "all", when: { event: ["Stop", "Notification", "StopFailure"] }, notify: ["phone"] }],
      { quietHours },
    );
    await running.hear("Stop", { session_id: "s1", last_assistant_message: "All tests pass." });
    await running.hear("Notification", { session_id: "s2", ...permission });
    await running.hear("Notification", { session_id: "s3", ...permission });
    await running.hear("StopFailure", { session_id: "s4", error: "rate_limit" });
    await running.pushed(1);
    expect(running.pushes()[0]?.priority).toBe(5);
    expect(running.waiting()).toBe(3);
    // What was answered meanwhile is not in the summary.
    await running.hear("UserPromptSubmit", { session_id: "s3" });
    await settle(running, 2);
    running.clock.turn(2 * hour + minute);
    await running.pushed(2);
    expect(running.pushes()[1]).toMatchObject({ title: "2 notifications during quiet hours" });
    expect(running.pushes()[1]?.message).toContain("shop-web");
    await settle(running, 0);
  });
});

describe("news", () => {
  it("in a group is one message", async () => {
    const running = await start([{ name: "done", when: ends, notify: ["team"], group: { wait: "10s" } }]);
    for (const session_id of ["s1", "s2", "s3"]) await running.hear("Stop", { session_id });
    running.clock.turn(10 * second);
    await running.pushed(1);
    expect(running.pushes()).toMatchObject([{ title: "3 notifications" }]);
    await running.hear("Stop", { session_id: "s4" });
    running.clock.turn(10 * second);
    await running.pushed(2);
    expect(running.pushes()[1]?.title).toContain("done");
  });

  it("over a throttle comes later, as one", async () => {
    const running = await start([
      { name: "done", when: ends, notify: ["team"], throttle: { messages: 1, per: "10m" } },
    ]);
    for (const session_id of ["s1", "s2", "s3"]) await running.hear("Stop", { session_id });
    await running.pushed(1);
    await settle(running, 2);
    running.clock.turn(10 * minute);
    await running.pushed(2);
    expect(running.pushes()[1]).toMatchObject({ title: "2 notifications more" });
    await running.hear("Stop", { session_id: "s4" });
    await settle(running, 1);
  });

  it("of a short turn is dropped, and the record says why", async () => {
    const running = await start([{ name: "done", when: ends, notify: ["desk"], longerThan: "30s" }]);
    await running.hear("UserPromptSubmit");
    await running.hear("Stop");
    // Its beginning was not seen.
    await running.hear("Stop", { session_id: "s2" });
    await running.pushed(1);
    const first = running.journal("decision").find(({ silent }) => JSON.stringify(silent).includes("less than"));
    expect(first).toMatchObject({
      deliveries: [],
      silent: expect.arrayContaining([
        { channel: "desk", rule: "done", why: expect.stringContaining("less than 30s"), by: "longerThan" },
      ]),
    });
  });

  it("waits until the last subagent has ended, and is told once", async () => {
    const running = await start([{ name: "done", when: ends, notify: ["desk"] }]);
    const helper = { id: "a1", type: "subagent", status: "running" };
    const { layout } = running.dispatcher;
    const hear = (event: string, facts: object): void => {
      const payload = { hook_event_name: event, session_id: "s1", cwd: "/home/u/shop-web", ...facts };
      writeIncoming(layout, JSON.stringify(payload), { agentId: "claude-code", nowMs: running.clock.now() });
    };
    hear("Stop", { stop_hook_active: false, background_tasks: [helper] });
    await settle(running, 1);
    hear("SubagentStop", { agent_id: "a1", background_tasks: [helper] });
    const stateOf = () => readSession(layout, "claude-code", "s1").state;
    await running.until("the subagent's end", () => stateOf().kind === "waitsForHelpers" && "helpers" in stateOf());
    expect(running.pushes()).toEqual([]);
    hear("Stop", { stop_hook_active: false, background_tasks: [] });
    await running.pushed(1);
    await settle(running, 0);
    expect(running.weighed()).toEqual([expect.stringMatching(/^desk drop: the session went on after /)]);
  });
});

describe("a mute", () => {
  it("drops news, and keeps a question for its end", async () => {
    const running = await start([{ name: "all", when: { event: ["Stop", "Notification"] }, notify: ["phone"] }]);
    const until = running.clock.now() + hour;
    writeMutes(running.dispatcher.layout, [{ scope: "project", name: "shop-web", until }]);
    await running.hear("Stop", { session_id: "s1" });
    await running.hear("Notification", { session_id: "s2", ...permission });
    await settle(running, 1);
    await running.hear("Stop", { session_id: "s3", cwd: "/home/u/other" });
    await running.pushed(1);
    running.clock.turn(hour);
    await running.pushed(2);
    expect(running.pushes()[1]?.message).toContain("npm test");
  });
});

describe("where the person is", () => {
  it("decides which channel is told, and a question waits for them to leave", async () => {
    let presence: Presence = { idleMs: 5 * second };
    const running = await start([
      { name: "away", when: { event: ["Stop", "Notification"] }, notify: ["phone"], away: "60s" },
      { name: "here", when: { event: ["Stop", "Notification"] }, notify: ["desk"], focused: false },
    ]);
    running.dispatcher.observePresence = async () => presence;
    await running.hear("Notification", { session_id: "s1", ...permission });
    await running.pushed(1);
    expect(running.topics()).toEqual(["desk"]);
    expect(running.waiting()).toBe(1);
    presence = { idleMs: 70 * second };
    running.clock.turn(15 * second);
    await running.pushed(2);
    expect(running.topics()).toEqual(["desk", "phone"]);
    presence = { idleMs: 0, isFocused: true };
    await running.hear("Stop", { session_id: "s2" });
    await running.until("the phone's turn", () => running.waiting() <= 1);
    expect(running.topics()).toEqual(["desk", "phone"]);
  });
});

describe("a stuck turn", () => {
  const rules = [{ name: "stuck", when: { event: "Stuck" }, notify: ["desk"] }];

  it("is told once", async () => {
    const running = await start(rules, { stuckAfter: "10m" });
    await running.hear("UserPromptSubmit");
    await settle(running, 1);
    running.clock.turn(11 * minute);
    await running.pushed(1);
    expect(running.pushes()[0]?.message).toContain("No sign of work for 10m");
    await settle(running, 0);
  });

  it("is not told while it works, nor after its end", async () => {
    const running = await start(rules, { stuckAfter: "10m" });
    await running.hear("UserPromptSubmit");
    running.clock.turn(9 * minute);
    await running.hear("PostToolUse");
    running.clock.turn(9 * minute);
    await running.hear("Stop");
    await settle(running, 0);
    expect(running.pushes()).toEqual([]);
    expect(running.weighed()).toEqual([]);
  });
});
