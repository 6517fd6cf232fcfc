// An agent's usage limit in the running dispatcher: one message when it is reached, one when its sessions can go on.
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ingestObservation } from "../../../src/pipeline/observe/observation.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";

const minute = 60_000;
const hour = 60 * minute;

interface Push {
  topic: string;
  title: string;
  message: string;
}

const builtIn = [
  { name: "at the limit", when: { event: "LimitReached" }, notify: ["desk"] },
  { name: "limit has reset", when: { event: "LimitReset" }, notify: ["desk"] },
  { name: "broke off", when: { event: "StopFailure" }, notify: ["desk"], level: "error" },
];

async function start(rules: unknown[] = builtIn, more: Record<string, unknown> = {}) {
  const receiver = await startHttpReceiver({ behaviour: { answer: 200, body: '{"id":"x"}' } });
  const running = prepareDispatcher();
  const { clock, dispatcher } = running;
  const channel = (topic: string) => ({ type: "ntfy", server: receiver.origin, topic });
  const channels = { desk: channel("desk"), phone: channel("phone") };
  running.writeRules({ channels, rules, ...more });
  const run = running.run();
  const heard = (): number =>
    running.journal("event").filter(({ event }) => !(event as AgentEvent).name.startsWith("Limit")).length;
  const pushes = (): Push[] =>
    receiver.requests
      .map(({ body }) => JSON.parse(body) as Push)
      .map((push) => ({ ...push, message: push.message.replace(/\nHost: .*$/s, "") }));
  const hear = async (name: string, session: string, facts: Record<string, unknown> = {}, agentId = "claude-code") => {
    const before = heard();
    const payload = { hook_event_name: name, session_id: session, cwd: `/srv/${session}`, ...facts };
    const file = writeIncoming(dispatcher.layout, JSON.stringify(payload), { agentId, nowMs: clock.now() });
    utimesSync(join(dispatcher.layout.incoming, file), clock.now() / 1000, clock.now() / 1000);
    const isTaken = (): boolean => listIncoming(dispatcher.layout).length === 0;
    await running.until(`${name} of ${session}`, () => heard() > before && isTaken());
  };
  return {
    ...running,
    pushes,
    hear,
    /** The session's turn ends at a limit that resets so long from now. */
    async reach(session: string, resetInMs: number | undefined, facts: Record<string, unknown> = {}, agentId?: string) {
      await hear("UserPromptSubmit", session, facts, agentId);
      const at = Math.floor((clock.now() + (resetInMs ?? 0)) / 1000);
      const last_assistant_message = resetInMs === undefined ? "API Error: 429" : `Claude AI usage limit reached|${at}`;
      await hear("StopFailure", session, { error: "rate_limit", last_assistant_message, ...facts }, agentId);
    },
    async pushed(count: number): Promise<void> {
      await running.until(`${count} pushes`, () => pushes().length >= count && running.requestsUnderWay() === 0);
    },
    /** The last one of what waits has been sent or dropped. */
    async settled(waiting: number): Promise<void> {
      const left = (): number => listDeliveries(dispatcher.layout, "outbox").length;
      await running.until(`${waiting} deliveries that wait`, () => left() === waiting);
    },
    async verdict(why: RegExp): Promise<void> {
      const told = (): string[] => running.journal("attention").map((entry) => String(entry.why));
      await running.until(`a verdict ${String(why)}`, () => told().some((each) => why.test(each)));
    },
    async restart(): Promise<void> {
      running.stop();
      await run;
      const again = new AbortController();
      void running.run({ stop: again.signal });
      onTestFinished(() => again.abort());
    },
    endQuietHours: () => running.writeRules({ channels, rules }),
  };
}

describe("a usage limit", () => {
  it("is told once for all sessions, and once when it has reset", async () => {
    const running = await start();
    await running.reach("cart", 2 * hour);
    await running.pushed(1);
    await running.reach("search", 2 * hour);
    await running.reach("cart", 2 * hour);
    running.clock.turn(2 * hour + 3 * minute);
    await running.pushed(2);
    expect(running.pushes().map(({ title }) => title)).toEqual([
      expect.stringMatching(/^Claude Code is at its limit until \d\d:\d\d$/),
      "Claude Code can go on",
    ]);
    expect(running.pushes()[0]?.message).toContain("cart: Claude AI usage limit reached");
    expect(running.pushes()[1]?.message).toBe("2 sessions can go on:\ncart\nsearch");
    await running.settled(0);
  });

  it("is told with the failure where no rule names LimitReached", async () => {
    const running = await start(builtIn.slice(2));
    await running.reach("cart", 2 * hour);
    await running.reach("search", 2 * hour);
    await running.pushed(2);
    expect(running.pushes().map(({ title }) => title)).toEqual([
      "cart: failed: rate limit",
      "search: failed: rate limit",
    ]);
    await running.settled(0);
  });

  it("keeps the failure for a channel that is not told of the limit", async () => {
    const phone = { name: "errors", when: { level: "error" }, notify: ["phone"] };
    const running = await start([...builtIn, phone]);
    await running.reach("cart", 2 * hour);
    await running.pushed(2);
    expect(
      running
        .pushes()
        .map(({ topic }) => topic)
        .toSorted(),
    ).toEqual(["desk", "phone"]);
  });

  it("is another agent's own", async () => {
    const running = await start();
    await running.reach("cart", 2 * hour);
    await running.reach("search", 2 * hour, {}, "qwen-code");
    await running.pushed(2);
    expect(running.pushes()[1]?.title).toMatch(/^Qwen Code is at its limit until/);
  });

  it("has no reset where the agent does not say when", async () => {
    const running = await start();
    await running.reach("cart", undefined);
    await running.reach("search", undefined);
    await running.pushed(1);
    await running.settled(0);
    running.clock.turn(6 * minute);
    await running.reach("search", undefined);
    await running.pushed(2);
    expect(running.pushes().map(({ title }) => title)).toEqual([
      "Claude Code is at its limit",
      "Claude Code is at its limit",
    ]);
  });

  it("escalates nowhere", async () => {
    const escalate = [{ after: "2m", notify: ["phone"] }];
    const running = await start(builtIn.map((rule) => ({ ...rule, escalate })));
    await running.reach("cart", 2 * hour);
    await running.pushed(1);
    await running.settled(1);
    expect(running.pushes()).toHaveLength(1);
  });
});

describe("the reset of a limit", () => {
  it("is not told where every session went on by itself", async () => {
    const running = await start();
    const transcript = join(temporaryFolder(), "search.jsonl");
    writeFileSync(transcript, "");
    utimesSync(transcript, running.clock.now() / 1000, running.clock.now() / 1000);
    await running.reach("cart", 2 * hour);
    await running.reach("search", 2 * hour, { transcript_path: transcript });
    await running.pushed(1);
    running.clock.turn(2 * hour + minute);
    await running.hear("Notification", "cart", { notification_type: "quota_auto_resume_fired", message: "on" });
    utimesSync(transcript, running.clock.now() / 1000, running.clock.now() / 1000);
    running.clock.turn(2 * minute);
    await running.verdict(/no session waits for it any more/);
    await running.settled(0);
    expect(running.pushes().map(({ title }) => title)).toEqual([expect.stringContaining("is at its limit")]);
  });

  it("names only those that still wait", async () => {
    const running = await start();
    await running.reach("cart", 2 * hour);
    await running.reach("search", 2 * hour);
    await running.reach("docs", 2 * hour);
    await running.hear("SessionEnd", "docs", { reason: "other" });
    await running.hear("UserPromptSubmit", "cart");
    await running.pushed(1);
    running.clock.turn(2 * hour + 3 * minute);
    await running.pushed(2);
    expect(running.pushes()[1]?.message).toBe("search can go on.");
  });

  it("is not told while a session has reached a later limit, whose reset is told for all", async () => {
    const running = await start();
    await running.reach("cart", hour);
    await running.pushed(1);
    running.clock.turn(50 * minute);
    await running.reach("search", 4 * hour);
    await running.pushed(2);
    running.clock.turn(20 * minute);
    await running.verdict(/has reached a limit again/);
    await running.settled(1);
    running.clock.turn(4 * hour);
    await running.pushed(3);
    expect(running.pushes()[2]?.message).toBe("2 sessions can go on:\ncart\nsearch");
  });

  it("survives a restart, and is told once", async () => {
    const running = await start();
    await running.reach("cart", 2 * hour);
    await running.pushed(1);
    await running.restart();
    await running.reach("search", 2 * hour);
    await running.settled(1);
    running.clock.turn(2 * hour + 3 * minute);
    await running.pushed(2);
    await running.settled(0);
    expect(running.pushes()).toHaveLength(2);
  });

  it("waits for the end of quiet hours, and is not told if no one waits by then", async () => {
    const quietHours = { ranges: [{ from: "00:00", to: "24:00" }], timeZone: "UTC" };
    const running = await start(undefined, { quietHours });
    await running.reach("cart", 2 * hour);
    await running.settled(2);
    running.clock.turn(2 * hour + 3 * minute);
    await running.verdict(/quiet hours/);
    await running.hear("UserPromptSubmit", "cart");
    running.endQuietHours();
    running.clock.turn(minute);
    await running.verdict(/no session waits for it any more/);
    await running.verdict(/the limit has been reset/);
    await running.settled(0);
    expect(running.pushes()).toEqual([]);
  });

  it("follows the time of day after the clock was set back", async () => {
    const running = await start();
    await running.reach("cart", 2 * hour);
    await running.pushed(1);
    running.clock.turn(minute);
    running.clock.step(-hour);
    // An hour later than a clock that counts by itself would have it.
    running.clock.turn(2 * hour);
    await running.hear("UserPromptSubmit", "search");
    expect(running.pushes()).toHaveLength(1);
    running.clock.turn(hour + 3 * minute);
    await running.pushed(2);
    expect(running.pushes()[1]?.message).toBe("cart can go on.");
  });

  it("is known from Codex's rollout", async () => {
    const running = await start();
    await running.hear("UserPromptSubmit", "cart", {}, "codex");
    const at = new Date(running.clock.now() + 2 * hour);
    const words = at.toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" });
    const observation = {
      kind: "failed",
      source: "transcript",
      at: running.clock.now(),
      what: "usage_limit_exceeded",
      message: `You've hit your usage limit. Try again at ${words}.`,
    } as const;
    const { deliveries } = ingestObservation(running.dispatcher, { agent: "codex", session: "cart" }, observation);
    expect(deliveries.map(({ delivery }) => [delivery.event.name, delivery.message.title.slice(0, 24)])).toEqual([
      ["LimitReached", "Codex is at its limit un"],
      ["LimitReset", "Codex can go on"],
    ]);
  });
});
