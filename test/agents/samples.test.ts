// The made-up events with which `init --verify` tries hooks are sound payloads of their agents.
import { expect, it } from "vitest";
import { readPayload } from "../../src/agents/read-payload.ts";
import type { SampleCall } from "../../src/agents/sample.ts";
import { findHookSetup, hookSetups } from "../../src/agents/hook-setups.ts";
import { everyRow } from "../support/rows.ts";

const call = (event: string): SampleCall => ({
  event,
  session: "hookbell-verify-000000000000000000000001",
  cwd: "/tmp/hookbell-x",
  at: "2026-11-21T10:00:00.000Z",
});

/** As the agent's plug-in makes a payload of it, where there is one. */
function asSent(id: string, event: string): string {
  const payload = findHookSetup(id)?.sample.payload(call(event));
  const isOfPlugIn = id === "opencode" || id === "kilo";
  return JSON.stringify(isOfPlugIn ? { agent: id, directory: "/tmp/hookbell-x", ...payload } : payload);
}

const events = Object.entries(hookSetups).flatMap(([id, { events: installed }]) =>
  Object.entries(installed).map(([event, { mapsTo }]) => ({ id, event, mapsTo })),
);

it("the sample of every event of an agent's is its own, sound, and of what the hook setup says", () =>
  everyRow(
    events,
    ({ id, event, mapsTo }) => {
      const reading = readPayload(asSent(id, event), { agentId: id, eventName: event, env: {} });
      expect(reading).toMatchObject({ status: "valid", agentId: id, drift: [] });
      if (reading.status !== "valid") return;
      // What the person does tells of the session, and notifies no one.
      const isOwnDoing = reading.eventName === "Interrupt";
      expect(reading.ignored).toBe(isOwnDoing ? "the user interrupted the turn" : undefined);
      expect(mapsTo.length === 0 || mapsTo.includes(reading.eventName)).toBe(true);
      expect(reading.facts).toMatchObject({ session: call(event).session, cwd: "/tmp/hookbell-x" });
    },
    ({ id, event }) => `${id}'s ${event}`,
  ));

it("is known by the payload alone where agents run each other's hooks", () => {
  for (const [id, event] of [
    ["cursor", "stop"],
    ["copilot-cli", "Stop"],
    ["droid", "Stop"],
  ] as const) {
    const reading = readPayload(asSent(id, event), { agentId: "claude-code", env: {} });
    expect(reading).toMatchObject({ status: "valid", agentId: id, calledAs: "claude-code" });
  }
});
