// What no payload reports stands in the journal as an event, changes its session, and is told where rules say so.
import { expect, it } from "vitest";
import { ingestObservation } from "../../../src/pipeline/observe/observation.ts";
import type { SessionObservation } from "../../../src/pipeline/event/track.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { listDeliveries, readDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { readSession, writeSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";

const agent = "claude-code";
const minute = 60_000;

async function prepare(more: Partial<SessionRecord> = {}) {
  const running = prepareDispatcher();
  running.writeRules({
    channels: { desk: { type: "webhook", url: "http://127.0.0.1:9/x" } },
    rules: [{ name: "all", notify: ["desk"] }],
  });
  const { dispatcher, clock } = running;
  const { layout } = dispatcher;
  await dispatcher.rereadRules();
  const now = clock.now();
  const turn = { startedAt: now - 5 * minute, helpers: 0 };
  const state = { kind: "working", since: now - 5 * minute, reason: "", source: "hook", turn } as const;
  writeSession(
    layout,
    recordOf({ agent, session: "s1", lastSeenAt: now - minute, state, folder: "/srv/shop", ...more }),
  );
  return {
    ...running,
    now,
    observe: (observed: SessionObservation, how?: string) =>
      ingestObservation(dispatcher, { agent, session: "s1" }, observed, how),
    session: () => readSession(layout, agent, "s1"),
    told: () =>
      listDeliveries(layout, "outbox").map((file) => {
        const reading = readDelivery(layout, "outbox", file);
        return reading.status === "read" ? reading.delivery.event : undefined;
      }),
    events: () => running.journal("event").map((entry) => ({ ...(entry.event as AgentEvent), why: entry.ignored })),
  };
}

it.each([
  ["interrupted", "Interrupted", "the transcript says that you stopped the turn", "interrupted"],
  ["idle", "Idle", "the agent records that it waits for a prompt", "idle"],
  ["processGone", "ProcessGone", "its process has ended", "gone"],
] as const)("%s: it changes the session and is told to no one, with the reason", async (kind, name, why, state) => {
  const { observe, session, told, events, now } = await prepare();
  const enqueued = observe({ kind, at: now, source: "transcript" });
  expect(enqueued).toMatchObject({ sessions: ["s1"], deliveries: [] });
  expect(session().state.kind).toBe(state);
  expect(told()).toEqual([]);
  expect(events()).toMatchObject([{ name, why, project: "shop", session: "s1", level: "info" }]);
});

it("who tells of it in another way than usual is named", async () => {
  const { observe, events, now } = await prepare();
  observe({ kind: "idle", at: now, source: "transcript" }, "its status file says so");
  expect(events()).toMatchObject([{ name: "Idle", why: "its status file says so" }]);
});

it("a turn that failed without a hook is told as an error, with what it said and how long it took", async () => {
  const { observe, session, told, now } = await prepare();
  observe({ kind: "failed", what: "server_error", message: "overloaded", at: now - minute, source: "transcript" });
  expect(session().state.kind).toBe("failed");
  expect(told()).toMatchObject([
    {
      name: "StopFailure",
      level: "error",
      reason: "server_error",
      message: "overloaded",
      durationMs: 4 * minute,
      cwd: "/srv/shop",
      project: "shop",
      at: new Date(now).toISOString(),
    },
  ]);
});

it("a failure of no known turn has no length, and a session without a folder no project", async () => {
  const unknown = { kind: "working", since: 0, reason: "", source: "hook", turn: { helpers: 0 } } as const;
  const { observe, told, now } = await prepare({ state: unknown, folder: undefined });
  observe({ kind: "failed", what: "server_error", at: now, source: "transcript" });
  expect(told()).toMatchObject([{ cwd: "", project: "" }]);
  expect(told()[0]).not.toHaveProperty("durationMs");
});

it("a question of which no hook has told opens at its own time, and is told", async () => {
  const { observe, session, told, now } = await prepare();
  observe({ kind: "asks", at: now - minute, source: "transcript" });
  expect(session().open).toMatchObject([{ name: "Notification", at: now - minute, channels: ["desk"] }]);
  expect(session().state.kind).toBe("needsYou");
  const at = new Date(now - minute).toISOString();
  expect(told()).toMatchObject([
    { name: "Notification", level: "attention", message: "It asks you at its terminal.", at },
  ]);
});

it("an answer at the terminal ends the question and takes its messages back", async () => {
  const now = Date.now();
  const question = { id: "evt_q", at: now - minute, name: "PermissionRequest", channels: ["desk"] };
  const state = { kind: "needsYou", since: now - minute, reason: "", source: "hook", question: "evt_q" } as const;
  const { observe, session, told, clock } = await prepare({ open: [question], state });
  const { outdated } = observe({ kind: "answered", at: clock.now(), source: "transcript" });
  expect(session()).toMatchObject({ open: [], state: { kind: "working" } });
  expect(outdated).toMatchObject([{ retraction: { isAnswer: true } }]);
  expect(told()).toEqual([]);
});

it("what another machine says every few seconds is a line of the journal only where it ends a question", async () => {
  const now = Date.now();
  const question = { id: "evt_q", at: now - minute, name: "PermissionRequest", channels: ["desk"] };
  const asks = { kind: "needsYou", since: now - minute, reason: "", source: "hook", question: "evt_q" } as const;
  const works = { kind: "working", since: now, reason: "", source: "hook", turn: { helpers: 0 } } as const;
  const { observe, events, clock } = await prepare({ open: [question], state: asks });
  const tell = () =>
    observe({ kind: "told", at: clock.now(), source: "hook", session: { lastSeenAt: clock.now(), state: works } });
  tell();
  expect(events()).toMatchObject([{ name: "Answered", why: "its machine says so" }]);
  clock.turn(1000);
  tell();
  expect(events()).toHaveLength(1);
});
