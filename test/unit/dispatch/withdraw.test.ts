import { expect, it } from "vitest";
import { withdrawShown } from "../../../src/dispatch/withdraw.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { readSession, writeSession } from "../../../src/outbox/sessions.ts";
import { prepareDispatcher } from "../../support/running-dispatcher.ts";

const event: AgentEvent = {
  id: "evt_1",
  name: "UserPromptSubmit",
  agent: "generic",
  session: "s1",
  cwd: "/p",
  project: "p",
  host: "h",
  at: "2026-01-01T00:00:00.000Z",
  level: "info",
};

it.each([
  ["nothing newer came", undefined, {}],
  ["something newer was shown while it was taken back", { dedupKey: "newer" }, { oncall: { dedupKey: "newer" } }],
])("what a session shows is forgotten once it is taken back: %s", async (_what, newer, left) => {
  const { dispatcher, writeRules } = prepareDispatcher();
  const { layout, tools } = dispatcher;
  writeRules({ channels: { oncall: { type: "pagerduty", routingKey: "k".repeat(32) } }, rules: [] });
  const session = { agent: "generic", session: "s1", lastSeenAt: 1 };
  writeSession(layout, { ...session, remembered: { oncall: { dedupKey: "older" } } });
  const resolved: unknown[] = [];
  tools.http = async ({ body }) => {
    resolved.push(JSON.parse(body ?? ""));
    if (newer !== undefined) writeSession(layout, { ...session, remembered: { oncall: newer } });
    return { status: 202, headers: {}, body: "" };
  };
  await withdrawShown(dispatcher, event);
  expect(resolved).toMatchObject([{ dedup_key: "older", event_action: "resolve" }]);
  expect(readSession(layout, "generic", "s1").remembered).toEqual(left);
});
