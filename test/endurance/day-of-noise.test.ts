import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { writeIncoming } from "../../src/outbox/write-incoming.ts";
import { createChance } from "../support/random/chance.ts";
import { startAnsweringReceiver, type Answer } from "../support/receivers/answering-receiver.ts";
import { prepareDispatcher } from "../support/project/running-dispatcher.ts";
import { payloadOf } from "../support/project/running-project.ts";

const sessions = 2000;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const seed = 7;

/** What the webhook `limited` allows, and how long it then wants to be left alone. */
const allowed = { requests: 10, perMs: minute, pauseMs: 45_000 };
/** Slack: one a second. */
const slackGapMs = 1000;

/** When each session ends, in milliseconds after the day's beginning: spread, and in bursts as after a lunch break. */
function arrivals(): number[] {
  const chance = createChance(seed);
  const bursts = [9, 13, 15, 21];
  return Array.from({ length: sessions }, (_, index) => {
    if (index % 4 > 0) return Math.floor(chance() * day);
    return (bursts[Math.floor(chance() * bursts.length)] ?? 0) * hour + Math.floor(chance() * 2 * minute);
  }).sort((a, b) => a - b);
}

const channels = ["steady", "limited", "down", "hanging", "dying"];

describe("a day of noise", () => {
  it(`${sessions} sessions, and receivers that refuse, fail, hang, die and come back: nothing is lost`, async () => {
    const running = prepareDispatcher();
    const { clock, dispatcher } = running;
    const { layout } = dispatcher;
    const startMs = clock.now();
    const hourOf = (): number => (clock.now() - startMs) / hour;
    const within = (from: number, to: number): boolean => hourOf() >= from && hourOf() < to;

    const times = new Map<string, number[]>();
    const accepted = new Map<string, number>();
    let pausedUntil = 0;
    let requestsTooEarly = 0;
    let refusals = 0;
    const answer = (path: string): Answer => {
      if (path === "/limited") {
        if (clock.now() < pausedUntil) requestsTooEarly += 1;
        const recent = (times.get(path) ?? []).filter((at) => at > clock.now() - allowed.perMs);
        if (recent.length > allowed.requests) {
          refusals += 1;
          pausedUntil = clock.now() + allowed.pauseMs;
          return { status: 429, headers: { "retry-after": String(allowed.pauseMs / 1000) } };
        }
      }
      if (path === "/down" && (within(2, 5) || within(13, 14))) return { status: 503 };
      if (path === "/hanging" && (within(8, 10) || within(15, 15.5))) return "hang";
      if (path === "/dying" && (within(4, 4.2) || within(12.9, 16) || within(21, 22))) return "reset";
      if (path === "/slack" && within(18, 19)) return { status: 503 };
      return { status: 200 };
    };
    const receiver = await startAnsweringReceiver(({ path, id }) => {
      const before = times.get(path);
      if (before === undefined) times.set(path, [clock.now()]);
      else before.push(clock.now());
      const what = answer(path);
      if (typeof what === "object" && what.status === 200) accepted.set(id + path, (accepted.get(id + path) ?? 0) + 1);
      return what;
    });
    onTestFinished(receiver.close);

    const webhook = (name: string, more: object = {}): object => ({
      type: "webhook",
      url: `${receiver.origin}/${name}`,
      ...more,
    });
    running.writeRules({
      channels: {
        steady: webhook("steady"),
        limited: webhook("limited", { expireAfter: "2h" }),
        down: webhook("down", { summary: 5 }),
        hanging: webhook("hanging", { expireAfter: "30m" }),
        dying: webhook("dying"),
        team: { type: "slack", url: `${receiver.origin}/slack` },
      },
      rules: [
        { name: "everybody", notify: ["team"] },
        ...channels.map((name) => ({ name, when: { session: `${name}-*` }, notify: [name] })),
      ],
    });

    // How many requests are on their way, beside those that the receiver leaves hanging.
    const { http } = dispatcher.tools;
    let open = 0;
    dispatcher.tools.http = async (...request) => {
      open += 1;
      try {
        return await http(...request);
      } finally {
        open -= 1;
      }
    };
    const turns = (count: number): Promise<void> =>
      count === 0 ? Promise.resolve() : new Promise(setImmediate).then(() => turns(count - 1));
    const quiet = async (): Promise<void> => {
      for (;;) {
        await turns(3);
        if (open === receiver.hanging() && listIncoming(layout).length === 0) return;
      }
    };
    const isEmpty = (): boolean => listIncoming(layout).length + listDeliveries(layout, "outbox").length === 0;

    const run = running.run();
    const waiting = arrivals();
    const longestMs = 3 * day;
    for (;;) {
      await quiet();
      const now = clock.now() - startMs;
      expect(now).toBeLessThan(longestMs);
      const [next = Infinity] = waiting;
      if (next <= now) {
        const index = sessions - waiting.length;
        waiting.shift();
        const text = payloadOf("Stop", { session_id: `${channels[index % channels.length]}-${index}` });
        const file = writeIncoming(layout, text, { agentId: "generic", nowMs: clock.now() });
        utimesSync(join(layout.incoming, file), clock.now() / 1000, clock.now() / 1000);
        continue;
      }
      const isIdle = isEmpty();
      if (isIdle && next === Infinity) break;
      // Nothing waits: straight to the next session.
      const until = isIdle ? next : Math.min(next, (clock.nextAt() ?? Infinity) - startMs);
      clock.turn(Math.max(0, until - now));
    }
    running.stop();
    await run;

    const decisions = running.journal("decision");
    const attempts = running.journal("attempt");
    const planned = decisions.flatMap(({ deliveries }) => deliveries as { id: string; channel: string }[]);
    const summarised = new Set(decisions.flatMap(({ summarises }) => (summarises as string[] | undefined) ?? []));
    const done = new Map(
      attempts
        .filter(({ next }) => next === "done")
        .map(({ delivery, channel }) => [delivery as string, channel as string]),
    );
    const dead = new Map(
      attempts
        .filter(({ next }) => next === "dead")
        .map(({ delivery, reason }) => [delivery as string, reason as string]),
    );
    const events = new Set(running.journal("event").map(({ event }) => (event as { session: string }).session));
    const lost = planned.filter(({ id }) => !done.has(id) && !dead.has(id) && !summarised.has(id));
    const gaps = (times.get("/slack") ?? []).slice(1).map((at, index) => at - (times.get("/slack")?.[index] ?? 0));
    const duplicates = [...accepted].filter(([key, count]) => count > 1 && !key.endsWith("/slack"));
    const slackDone = [...done.values()].filter((channel) => channel === "team").length;
    process.stdout.write(
      `a day: ${planned.length} deliveries, ${done.size} delivered, ${summarised.size} told in summaries, ` +
        `${dead.size} dead (${[...new Set(dead.values())].join(", ")}), ${attempts.length} attempts, ${refusals} refusals with 429\n`,
    );

    expect(events.size).toBe(sessions);
    expect(planned.length).toBeGreaterThanOrEqual(2 * sessions);
    expect(lost).toEqual([]);
    expect(listDeliveries(layout, "dead").length).toBe(dead.size);
    expect([...new Set(dead.values())]).toEqual(expect.arrayContaining(["expired"]));
    // What the journal calls delivered, the receiver has accepted: once.
    expect(duplicates).toEqual([]);
    for (const [id, channel] of done) if (channel !== "team") expect(accepted.get(`${id}/${channel}`)).toBe(1);
    expect(accepted.get("/slack")).toBe(slackDone);
    // No one is sent more than allowed.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(slackGapMs);
    expect(requestsTooEarly).toBe(0);
    expect(refusals).toBeGreaterThan(0);
    expect(summarised.size).toBeGreaterThan(0);
  });
});
