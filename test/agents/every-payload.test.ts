// Every payload that an agent wrote, or that its vendor documents, gives the event that the agent's table of readings says.
import { describe, expect, it } from "vitest";
import { isKnownEvent } from "../../src/agents/known-events.ts";
import { readPayload } from "../../src/agents/read-payload.ts";
import { eventOf } from "../../src/pipeline/understand/event-of.ts";
import { capturedPayloads, documentedPayloads } from "../support/agents/agent-payloads.ts";
import { readings } from "../support/agents/readings.ts";
import { everyRow } from "../support/rows.ts";

const surroundings = { id: "evt_1", receivedAt: Date.parse("2026-11-21T10:00:00Z"), host: "here", home: "/home/u" };
const allPayloads = [...capturedPayloads, ...documentedPayloads];

describe.each([
  ["captured", capturedPayloads],
  ["documented", documentedPayloads],
] as const)("every %s payload", (kind, payloads) => {
  it("is in the table, and nothing else is", () => {
    const named = Object.entries(readings).flatMap(([id, each]) =>
      Object.keys(each[kind]).map((file) => `${id}/${file}`),
    );
    expect(named.toSorted()).toEqual(payloads.map(({ agentId, file }) => `${agentId}/${file}`).toSorted());
  });

  it("gives the event that the table says", () =>
    everyRow(
      payloads,
      ({ agentId, file, text }) => {
        const reading = readPayload(text, { agentId, env: {} });
        expect(reading).toMatchObject({ status: "valid", agentId, drift: [] });
        if (reading.status !== "valid") return;
        const { session, cwd, turn, id, agent, project, host, at, level, ...rest } = eventOf(reading, surroundings);
        const { cwd: folder = "/home/u/proj", ...expected } = readings[agentId]?.[kind][file] ?? {
          name: "in no table",
        };
        const told = { ...rest, ...(reading.ignored === undefined ? {} : { ignored: reading.ignored }) };
        expect(JSON.parse(JSON.stringify(told))).toEqual(expected);
        expect(session).toMatch(/\w/);
        expect([cwd, project]).toEqual([folder, folder === "" ? "" : "proj"]);
        expect(agent).toBe(agentId);
        expect(turn ?? "a turn").not.toBe("");
        expect({ id, host, at, level }).toMatchObject({ id: "evt_1", host: "here", at: "2026-11-21T10:00:00.000Z" });
      },
      ({ agentId, file }) => `${agentId}/${file}`,
    ));
});

it("every event of a payload that was read is one that hookbell knows", () =>
  everyRow(
    allPayloads,
    ({ agentId, text }) => {
      const reading = readPayload(text, { agentId, env: {} });
      expect(reading.status === "valid" && isKnownEvent(reading.eventName)).toBe(true);
    },
    ({ agentId, file }) => `${agentId}/${file}`,
  ));

describe("what is passed on of a payload", () => {
  it("is never an address of the user, a whole file, or an answer's headers", () => {
    const withheld = /u@example\.com|user_email|userId|newContent|originalContent|responseHeaders/;
    for (const { agentId, file, text } of allPayloads) {
      const reading = readPayload(text, { agentId, env: {} });
      const passedOn = reading.status === "valid" ? JSON.stringify(reading.payload) : "";
      expect(passedOn, `${agentId}/${file}`).not.toBe("");
      expect(passedOn, `${agentId}/${file}`).not.toMatch(withheld);
    }
    expect(documentedPayloads.some(({ text }) => withheld.test(text))).toBe(true);
  });

  it("is otherwise what the agent wrote, under its own keys", () => {
    const text = JSON.stringify({ sessionId: "s", timestamp: 1, cwd: "/p", stopReason: "end_turn", extra: { aB: 1 } });
    const reading = readPayload(text, { agentId: "copilot-cli", eventName: "agentStop", env: {} });
    expect(reading).toMatchObject({ status: "valid", payload: JSON.parse(text) as object });
  });
});

describe("the agent's id of the turn", () => {
  it.each([
    ["codex", "Stop", "01a1fd91-2189-7b83-85f7-3b9586da5066"],
    ["claude-code", "Stop", "76ca0157-f96a-4559-be5b-b2613fce7d79"],
    ["qwen-code", "Stop", "a2b1e397-a47e-4a4c-ac05-d0312fe6c0cc########0"],
    ["cursor", "stop-completed", "g1"],
  ])("of %s/%s is %s", (agentId, file, turn) => {
    const payload = allPayloads.find((each) => each.agentId === agentId && each.file === file);
    expect(readPayload(payload?.text ?? "", { agentId, env: {} })).toMatchObject({ facts: { turn } });
  });
});
