// The record of what was told of agents' limits, and the one that 1.0.0-rc.1 left.
import { expect, it } from "vitest";
import { recordReaction } from "../../../src/pipeline/observe/record-reaction.ts";
import { usageLimitSession } from "../../../src/model/own-events.ts";
import { listJournal, readJournal } from "../../../src/outbox/journal.ts";
import { listSessions, readSession, writeSession } from "../../../src/outbox/sessions.ts";
import { readLimit, writeLimit } from "../../../src/outbox/shared/limits.ts";
import { forgetReference, noteReference, referencesOf } from "../../../src/outbox/shared/shown.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

const told = { since: 1000, until: 2000, event: "evt_1_limit", channels: ["phone"] };
const agent = "claude-code";

it("keeps each agent's limit, and where it is shown", () => {
  const layout = temporaryState();
  expect(readLimit(layout, agent)).toEqual({ references: {} });
  writeLimit(layout, agent, { told, references: {} });
  const owner = { limitOf: agent };
  noteReference(layout, owner, "phone", { id: "7" });
  noteReference(layout, { limitOf: "codex" }, "desk", { id: "8" });
  expect(readLimit(layout, agent)).toEqual({ told, references: { phone: { id: "7" } } });
  expect([...referencesOf(layout, { limitOf: "codex" })]).toEqual([["desk", { id: "8" }]]);
  forgetReference(layout, owner, "phone", { id: "newer" });
  expect(referencesOf(layout, owner).size).toBe(1);
  forgetReference(layout, owner, "phone", { id: "7" });
  expect(readLimit(layout, agent)).toEqual({ told, references: {} });
  expect(listSessions(layout)).toEqual([]);
});

it("keeps the last hundred agents, since one may have any name", () => {
  const layout = temporaryState();
  const names = Array.from({ length: 101 }, (_, index) => `agent-${index}`);
  for (const name of [...names, "agent-1"]) writeLimit(layout, name, { told, references: {} });
  expect(["agent-0", "agent-1", "agent-100"].map((name) => readLimit(layout, name).told?.event)).toEqual([
    undefined,
    told.event,
    told.event,
  ]);
});

it("takes over what 1.0.0-rc.1 kept of a limit, once", () => {
  const layout = temporaryState();
  const facts = { since: 1000, until: 2000, reason: "It is at its limit.", source: "hook" as const };
  const open = [{ id: "evt_1_limit", at: 1000, name: "LimitReached", channels: ["phone"] }];
  const remembered = { phone: { id: "7" } };
  const state = { kind: "waitsForLimit" as const, ...facts };
  writeSession(layout, recordOf({ agent, session: usageLimitSession, state, open, remembered }));
  expect(readLimit(layout, agent)).toEqual({ told, references: remembered });
  expect(readLimit(layout, "codex")).toEqual({ references: {} });
  noteReference(layout, { limitOf: agent }, "phone", { id: "8" });
  expect(readLimit(layout, agent)).toEqual({ told, references: { phone: { id: "8" } } });
  expect(readSession(layout, agent, usageLimitSession).state.kind).toBe("unknown");
});

it("takes over nothing where 1.0.0-rc.1 has told of no limit that holds", () => {
  const layout = temporaryState();
  const open = [{ id: "evt_1_limit", at: 1000, name: "LimitReached", channels: ["phone"] }];
  const facts = { since: 1000, until: 2000, reason: "", source: "hook" as const };
  writeSession(layout, recordOf({ agent, session: usageLimitSession, state: { kind: "unknown", ...facts }, open }));
  expect(readLimit(layout, agent)).toEqual({ references: {} });
  const state = { kind: "waitsForLimit" as const, ...facts };
  writeSession(layout, recordOf({ agent, session: usageLimitSession, state, open: [] }));
  expect(readLimit(layout, agent)).toEqual({ references: {} });
});

it("a click on what is told of a limit makes no session of it", () => {
  const layout = temporaryState();
  const tools = prepareDispatcher().dispatcher.tools;
  recordReaction({ layout, tools }, { agent, session: usageLimitSession, isLimit: true }, "clicked");
  expect(listSessions(layout)).toEqual([]);
  expect(listJournal(layout).flatMap((file) => readJournal(layout, file))).toMatchObject([
    { kind: "acted", agent, session: usageLimitSession, how: "clicked" },
  ]);
});

it("takes over a limit that 1.0.0-rc.1 had told of on no channel, and none that it had told of no one", () => {
  const layout = temporaryState();
  const state = { kind: "waitsForLimit" as const, since: 1000, until: 2000, reason: "", source: "hook" as const };
  const open = [{ id: "evt_1_limit", at: 1000, name: "LimitReached" }];
  writeSession(layout, recordOf({ agent, session: usageLimitSession, state, open }));
  expect(readLimit(layout, agent).told).toEqual({ since: 1000, until: 2000, event: "evt_1_limit", channels: [] });
  writeSession(layout, recordOf({ agent: "codex", session: usageLimitSession, state }));
  expect(readLimit(layout, "codex")).toEqual({ references: {} });
});
