// Every agent is known by its payloads, and stands in what is written by hand.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agents, findAgent } from "../../src/agents/index.ts";
import { notificationTypeNames } from "../../src/agents/dialect/notification-types.ts";
import { readPayload } from "../../src/agents/read-payload.ts";
import { findHookSetup } from "../../src/agents/hook-setups.ts";
import { capturedPayloads, documentedPayloads } from "../support/agents/agent-payloads.ts";
import { everyRow } from "../support/rows.ts";

const document = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const payloads = [...capturedPayloads, ...documentedPayloads];

describe("every agent", () => {
  it("has captured payloads, or documented ones, but for generic", () => {
    const withPayloads = new Set(payloads.map(({ agentId }) => agentId));
    expect(agents.map(({ id }) => id).filter((id) => id !== "generic" && !withPayloads.has(id))).toEqual([]);
    expect([...withPayloads].filter((id) => findAgent(id) === undefined)).toEqual([]);
  });

  it("has a name and a vendor's page of its own", () => {
    for (const agent of agents) {
      expect(agent.docs).toMatch(/^https:\/\//);
      expect(agent.name).not.toBe("");
    }
    for (const key of ["id", "name"] as const)
      expect(new Set(agents.map((agent) => agent[key])).size).toBe(agents.length);
  });

  it("has a name that can stand in the name of a file", () => {
    for (const { id } of agents) expect(id).toMatch(/^[a-z][a-z-]*$/);
  });

  it("stands in what is written by hand", () => {
    const [, tested = ""] = document("docs/reference/AGENTS.md").split("## What was tested with real agents");
    const headings = document("hooks/README.md").match(/^## .+$/gm) ?? [];
    const known = agents.filter(({ id }) => id !== "generic");
    const untested = known.filter(({ name }) => !tested.includes(`\n| ${name} `));
    expect(
      untested.map(({ name }) => name),
      "not in the table of real agents in docs/reference/AGENTS.md",
    ).toEqual([]);
    const hookMissing = known.filter(
      ({ id, name }) => findHookSetup(id) !== undefined && !headings.join().includes(name),
    );
    expect(
      hookMissing.map(({ name }) => name),
      "in no heading of hooks/README.md",
    ).toEqual([]);
  });

  it("tells of the end of a turn", () =>
    everyRow(
      agents.filter(({ id }) => id !== "generic").map(({ id }) => id),
      (agentId) => {
        const names = payloads.flatMap((payload) => {
          const reading = payload.agentId === agentId ? readPayload(payload.text, { agentId, env: {} }) : undefined;
          return reading?.status === "valid" && reading.ignored === undefined ? [reading.eventName] : [];
        });
        expect(names).toContain("Stop");
      },
    ));
});

describe("every kind of Notification", () => {
  it("has one of the names that have a level, but for what notifies no one", () => {
    const unknown = payloads.flatMap(({ agentId, file, text }) => {
      const reading = readPayload(text, { agentId, env: {} });
      if (reading.status !== "valid" || reading.ignored !== undefined) return [];
      const kind = reading.facts.notificationType;
      return kind === undefined || notificationTypeNames.includes(kind) ? [] : [`${agentId}/${file}: ${kind}`];
    });
    expect(unknown, "rename it in payload.ts, or add it to src/agents/dialect/notification-types.ts").toEqual([]);
  });
});

describe("every captured payload", () => {
  it("is valid, and its facts are read", () =>
    everyRow(
      capturedPayloads,
      ({ agentId, text }) => {
        const reading = readPayload(text, { agentId, env: {} });
        expect(reading.status).toBe("valid");
        if (reading.status !== "valid") return;
        const { facts, eventName } = reading;
        expect(facts.session).toMatch(/^(?:(?:session_)?[0-9a-f-]{36}|ses_\w+|\d{13}_\w+)$/);
        expect(facts.cwd).toBe("/home/u/proj");
        if (/^(?:Notification|PermissionRequest|StopFailure|SubagentStop)$/.test(eventName)) {
          expect(facts.message).toMatch(/\w/);
        }
        if (/^(?:SessionEnd|StopFailure)$/.test(eventName)) expect(facts.reason).toMatch(/^[a-z_]+$/);
        if (eventName === "Notification") expect(facts.notificationType).toMatch(/^[a-z_]+$/);
      },
      ({ agentId, file }) => `${agentId}/${file}`,
    ));
});
