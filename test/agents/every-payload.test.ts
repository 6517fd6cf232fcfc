import { describe, expect, it } from "vitest";
import { readPayload } from "../../src/agents/read-payload.ts";
import { eventOf } from "../../src/dispatch/plan/to-event.ts";
import { capturedPayloads, documentedPayloads, type AgentPayload } from "../support/agents/agent-payloads.ts";
import { capturedReadings, documentedReadings, type ExpectedReading } from "./expected-readings.ts";

const surroundings = { id: "evt_1", receivedAt: Date.parse("2026-11-21T10:00:00Z"), host: "here", home: "/home/u" };

/** Agents whose payloads do not always name a folder, and who then have no project. */
const folderless = new Set(["windsurf/", "codex/notify-first-releases"]);

describe.each<[string, AgentPayload[], Record<string, ExpectedReading>]>([
  ["captured", capturedPayloads, capturedReadings],
  ["documented", documentedPayloads, documentedReadings],
])("every %s payload", (_kind, payloads, readings) => {
  it("is in the table, and nothing else is", () => {
    const names = payloads.map(({ agentId, file }) => `${agentId}/${file}`);
    expect(Object.keys(readings).toSorted()).toEqual(names.toSorted());
  });

  it.each(payloads.map((payload) => [`${payload.agentId}/${payload.file}`, payload] as const))(
    "%s",
    (name, payload) => {
      const reading = readPayload(payload.text, { agentId: payload.agentId, env: {} });
      expect(reading).toMatchObject({ status: "valid", agentId: payload.agentId, drift: [] });
      if (reading.status !== "valid") return;
      const { session, cwd, turn, id, agent, project, host, at, level, ...rest } = eventOf(reading, surroundings);
      const told = { ...rest, ...(reading.ignored === undefined ? {} : { ignored: reading.ignored }) };
      expect(JSON.parse(JSON.stringify(told))).toEqual(readings[name]);
      expect(session).toMatch(/\w/);
      const hasFolder = ![...folderless].some((start) => name.startsWith(start));
      expect([cwd, project]).toEqual(
        hasFolder || name === "windsurf/pre_run_command" ? ["/home/u/proj", "proj"] : ["", ""],
      );
      expect(agent).toBe(payload.agentId);
      expect(turn ?? "a turn").not.toBe("");
      expect({ id, host, at, level }).toMatchObject({ id: "evt_1", host: "here", at: "2026-11-21T10:00:00.000Z" });
    },
  );
});

describe("what is passed on of a payload", () => {
  const everything = [...capturedPayloads, ...documentedPayloads].map((payload) => {
    const reading = readPayload(payload.text, { agentId: payload.agentId, env: {} });
    return [
      `${payload.agentId}/${payload.file}`,
      reading.status === "valid" ? JSON.stringify(reading.payload) : "",
    ] as const;
  });

  it("is never an address of the person, a whole file, or an answer's headers", () => {
    for (const [name, text] of everything) {
      expect(text, name).not.toBe("");
      expect(text, name).not.toMatch(/u@example\.com|user_email|userId|newContent|originalContent|responseHeaders/);
    }
    expect(documentedPayloads.some(({ text }) => text.includes("u@example.com") || text.includes("newContent"))).toBe(
      true,
    );
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
    ["codex", "notify-codex-exec", "01a1fd91-2189-7b83-85f7-3b9586da5066"],
    ["claude-code", "Stop", "76ca0157-f96a-4559-be5b-b2613fce7d79"],
    ["qwen-code", "Stop", "a2b1e397-a47e-4a4c-ac05-d0312fe6c0cc########0"],
    ["cursor", "stop-completed", "g1"],
    ["windsurf", "post_cascade_response", "e1"],
  ])("of %s/%s is %s", (agentId, file, turn) => {
    const payload = [...capturedPayloads, ...documentedPayloads].find(
      (each) => each.agentId === agentId && each.file === file,
    );
    expect(readPayload(payload?.text ?? "", { agentId, env: {} })).toMatchObject({ facts: { turn } });
  });
});
