import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agents, findAgent } from "../../src/agents/index.ts";
import { readPayload } from "../../src/agents/read-payload.ts";

const payloads = new URL("../fixtures/payloads/", import.meta.url);
const captured = readdirSync(payloads).flatMap((agentId) =>
  readdirSync(new URL(`${agentId}/`, payloads)).map((file) => [agentId, file] as const),
);

describe("every agent", () => {
  it("has captured payloads, but for generic", () => {
    const withPayloads = new Set(captured.map(([agentId]) => agentId));
    expect(agents.map(({ id }) => id).filter((id) => id !== "generic" && !withPayloads.has(id))).toEqual([]);
    expect([...withPayloads].filter((id) => findAgent(id) === undefined)).toEqual([]);
  });

  it("has a name and a vendor's page of its own", () => {
    for (const agent of agents) {
      expect(agent.docs).toMatch(/^https:\/\//);
      expect(agent.name).not.toBe("");
    }
    expect(new Set(agents.map(({ id }) => id)).size).toBe(agents.length);
  });
});

describe("every captured payload", () => {
  it.each(captured)("%s/%s is valid, and its facts are read", (agentId, file) => {
    const text = readFileSync(new URL(`${agentId}/${file}`, payloads), "utf8");
    const reading = readPayload(text, { agentId, env: {} });
    expect(reading).toMatchObject({ status: "valid", eventName: file.replace(/[-.].*/, "") });
    if (reading.status !== "valid") return;
    const facts = reading.agent.facts(reading.payload);
    expect(facts.session).toMatch(/^[0-9a-f-]{36}$/);
    expect(facts.cwd).toBe("/home/u/proj");
    if (/^(Notification|PermissionRequest|StopFailure|SubagentStop)/.test(file)) expect(facts.message).toMatch(/\w/);
    if (/^(SessionEnd|StopFailure)/.test(file)) expect(facts.reason).toMatch(/^[a-z_]+$/);
    if (file.startsWith("Notification")) expect(facts.notificationType).toMatch(/^[a-z_]+$/);
  });
});
