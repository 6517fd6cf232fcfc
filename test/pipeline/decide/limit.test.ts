// Which sessions can go on when a usage limit resets, and what is planned when one is reached.
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { usageLimitSession } from "../../../src/model/own-events.ts";
import { limitedSessions, planLimit } from "../../../src/pipeline/decide/limit.ts";
import { newDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { writeSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { writeLimit } from "../../../src/outbox/shared/limits.ts";
import { ownPid, startOf } from "../../../src/system/process/identity.ts";
import { deadPid } from "../../support/project/forged-lease.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { eventOf, hour, minute } from "../../policies/messages.ts";

const agent = "claude-code";
const desk = { type: "ntfy", topic: "t" };

async function prepare(rules: unknown[] = []) {
  const running = prepareDispatcher();
  running.writeRules({ channels: { desk, program: { type: "command", argv: ["true"] } }, rules });
  const { dispatcher, clock } = running;
  await dispatcher.rereadRules();
  const now = clock.now();
  const atLimit = (until?: number, since = now - hour) =>
    ({ kind: "waitsForLimit", since, reason: "", source: "hook", until }) as const;
  return { ...running, now, atLimit, layout: dispatcher.layout };
}

async function prepareReset() {
  const prepared = await prepare();
  const { layout, dispatcher, now, atLimit } = prepared;
  const event = eventOf("LimitReset", { agent, session: usageLimitSession }, now);
  const message = { title: "", body: "", level: event.level, fields: [] };
  const given = { kind: "limitReset" as const, channel: "desk", rule: "all", event, message, expiresAt: now + hour };
  const delivery = newDelivery(now - hour, given);
  return {
    ...prepared,
    keep: (session: string, more: Partial<SessionRecord> = {}) =>
      writeSession(
        layout,
        recordOf({ agent, session, project: session, lastSeenAt: now, state: atLimit(now), ...more }),
      ),
    limited: () => {
      const { waiting, nextReset } = limitedSessions(dispatcher, delivery);
      return { waiting: waiting.map(({ project }) => project).toSorted(), nextReset };
    },
  };
}

it("the sessions of the agent that ended their turn at the limit can go on, and no others", async () => {
  const { keep, limited, now, atLimit } = await prepareReset();
  keep("waits");
  keep("unknown-reset", { state: atLimit() });
  keep("works", { state: { kind: "working", since: now, reason: "", source: "hook", turn: { helpers: 0 } } });
  keep("helper", { helperOf: "waits", process: { pid: ownPid, start: startOf(ownPid) ?? "" } });
  keep("as-rc.1-kept-a-limit", { lastSeenAt: 0, state: atLimit() });
  keep("of-another-agent", { agent: "codex" });
  keep("resets-later", { state: atLimit(now + hour) });
  expect(limited()).toEqual({ waiting: ["unknown-reset", "waits"], nextReset: undefined });
});

it("a session that went on by itself, that is gone or silent for long waits for nothing", async () => {
  const { keep, limited, now } = await prepareReset();
  const folder = temporaryFolder();
  const transcript = (name: string, at: number) => {
    const path = join(folder, name);
    writeFileSync(path, "");
    utimesSync(path, at / 1000, at / 1000);
    return path;
  };
  keep("went-on", { transcript: transcript("on", now + minute) });
  keep("quiet", { transcript: transcript("quiet", now - minute) });
  keep("no-transcript", { transcript: join(folder, "none") });
  keep("ended", { process: { pid: deadPid, start: "1" } });
  keep("silent", { lastSeenAt: now - 24 * hour });
  expect(limited().waiting).toEqual(["no-transcript", "quiet"]);
});

it("a session that is silent for long waits while its process is there (posix)", async () => {
  const { keep, limited, now } = await prepareReset();
  keep("there", { lastSeenAt: now - 24 * hour, process: { pid: ownPid, start: startOf(ownPid) ?? "" } });
  expect(limited().waiting).toEqual(["there"]);
});

it("the last reset of those that were reached since has the say", async () => {
  const { keep, limited, now, atLimit } = await prepareReset();
  keep("again", { state: atLimit(now + hour, now - minute) });
  keep("once-more", { state: atLimit(now + 3 * hour, now - minute) });
  keep("third", { state: atLimit(now + 2 * hour, now - minute) });
  expect(limited()).toEqual({ waiting: [], nextReset: now + 3 * hour });
});

const rules = [
  { name: "limit", when: { event: "LimitReached" }, notify: ["desk", "program"] },
  { name: "reset", when: { event: "LimitReset" }, notify: ["desk"] },
];

it("a limit is told once by an event of its own, which the people's channels have heard then, and its reset by another", async () => {
  const { dispatcher, now, atLimit, layout } = await prepare(rules);
  const original = eventOf("StopFailure", { agent, id: "evt_1", reason: "rate_limit", message: "429" }, now);
  const after = recordOf({ agent, session: "s1", lastSeenAt: now, state: atLimit(now + hour, now) });
  const plan = planLimit(dispatcher, { original, after, presence: undefined });
  const why = "notified once for all sessions at this limit: evt_1_limit";
  expect(plan?.alreadyNotified).toEqual({ channels: ["desk"], why });
  expect(plan?.events).toMatchObject([
    {
      kind: "limitReached",
      event: { id: "evt_1_limit", name: "LimitReached", session: usageLimitSession, reason: "rate_limit" },
    },
    { kind: "limitReset", event: { id: "evt_1_reset", at: new Date(now + hour).toISOString() } },
  ]);
  expect(plan?.events.map(({ selection }) => selection.chosen.map(({ channel }) => channel.name))).toEqual([
    ["desk", "program"],
    ["desk"],
  ]);
  // The payload is taken in again after a crash, and another session ends its turn at the same limit.
  writeLimit(layout, agent, { told: plan?.events[0]?.told, references: {} });
  const planned = (id: string) => planLimit(dispatcher, { original: { ...original, id }, after, presence: undefined });
  expect(planned("evt_1")?.events).toHaveLength(2);
  expect(planned("evt_2")).toEqual({ alreadyNotified: { channels: ["desk"], why }, events: [] });
});

it("a limit that names no reset has no event for it, and a turn that ends otherwise reaches none", async () => {
  const { dispatcher, now, atLimit } = await prepare(rules);
  const original = eventOf("StopFailure", { agent, id: "evt_1" }, now);
  const plan = (name: string, state: SessionRecord["state"]) =>
    planLimit(dispatcher, {
      original: { ...original, name },
      after: recordOf({ agent, session: "s1", lastSeenAt: now, state }),
      presence: undefined,
    });
  expect(plan("StopFailure", atLimit())?.events.map(({ event }) => [event.name, event.headline])).toEqual([
    ["LimitReached", "is at its limit"],
  ]);
  expect(plan("Stop", atLimit())).toBeUndefined();
  expect(plan("StopFailure", { kind: "failed", since: now, reason: "", source: "hook" })).toBeUndefined();
});
