// What is known of how hooks are set up for each agent fits what the agent tells.
import { describe, expect, it } from "vitest";
import { agents } from "../../src/agents/index.ts";
import { readPayload } from "../../src/agents/read-payload.ts";
import { findHookSetup } from "../../src/agents/hook-setups.ts";
import { capturedPayloads } from "../support/agents/agent-payloads.ts";
import { everyRow } from "../support/rows.ts";

const installed = agents.flatMap((agent) => {
  const hookSetup = findHookSetup(agent.id);
  return hookSetup === undefined ? [] : [{ ...agent, hookSetup }];
});
const events = installed.flatMap((agent) =>
  Object.entries(agent.hookSetup.events).map(([event, meant]) => ({ agent, event, meant })),
);

const idOf = ({ id }: { id: string }): string => id;

/** Our names; rules are written about them. */
const ourNames = [
  "Notification",
  "PermissionRequest",
  "Stop",
  "StopFailure",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
];

describe("how agents are set up", () => {
  it("is known of every agent, but for one that runs another's hooks and those that are set up by hand", () => {
    expect(agents.map(({ id }) => id).filter((id) => findHookSetup(id) === undefined)).toEqual(["vscode", "generic"]);
  });

  it("says of every event what the agent's dialect says", () =>
    everyRow(
      events,
      ({ agent, event, meant }) => {
        if (meant.isOnlyIfNamed !== true && meant.alsoFor === undefined)
          // A rule can name the agent's own event of a tool, too.
          for (const name of meant.mapsTo.filter((each) => each !== event || meant.isWholeIfNamed !== true))
            expect(ourNames).toContain(name);
        const payload = { properties: { status: { type: "busy" } }, tool_name: "AskUserQuestion" };
        const read = agent.eventName?.(event, payload) ?? agent.eventNames?.[event] ?? event;
        if (meant.mapsTo.length > 0) expect(meant.mapsTo).toContain(read);
        // What means nothing to rules is there for what other events are about.
        else expect(meant.isSupporting).toBe(true);
      },
      ({ agent, event }) => `${agent.id}'s ${event}`,
    ));

  it("gives every agent a turn's end, and something to do afterwards", () =>
    everyRow(
      installed,
      ({ hookSetup }) => {
        expect(Object.values(hookSetup.events).flatMap(({ mapsTo }) => mapsTo)).toContain("Stop");
        expect(hookSetup.nextStep).not.toBe("");
        expect(hookSetup.files.length + (hookSetup.ownFiles ?? []).length).toBeGreaterThan(0);
      },
      idOf,
    ));

  it("can set up every event that a captured payload tells of", () =>
    everyRow(
      installed,
      ({ id, hookSetup }) => {
        // Copilot CLI's names begin with a small letter or a capital one.
        const wirable = Object.entries(hookSetup.events).flatMap(([event, { mapsTo }]) =>
          [event, ...mapsTo].map(lowerCase),
        );
        const missing = capturedPayloads.flatMap(({ agentId, file, text }) => {
          const reading = agentId === id ? readPayload(text, { agentId, env: {} }) : undefined;
          if (reading?.status !== "valid") return [];
          const names = [reading.agentEvent ?? reading.eventName, reading.eventName].map(lowerCase);
          return names.some((name) => wirable.includes(name)) ? [] : [file];
        });
        expect(missing).toEqual([]);
      },
      idOf,
    ));

  it("keeps an agent's own files apart", () =>
    everyRow(
      installed,
      ({ hookSetup }) => {
        for (const platform of ["linux", "darwin", "win32"] as const) {
          const names = [
            ...hookSetup.files.map(({ name }) => name),
            ...(hookSetup.ownFiles ?? []).map((file) => file.name(platform)),
          ];
          expect(new Set(names).size).toBe(names.length);
        }
      },
      idOf,
    ));
});

function lowerCase(name: string): string {
  return name.toLowerCase();
}
