import { describe, expect, it } from "vitest";
import { agents } from "../../src/agents/index.ts";
import { findWiring } from "../../src/agents/wirings.ts";

const wired = agents.flatMap((agent) => {
  const wiring = findWiring(agent.id);
  return wiring === undefined ? [] : [{ ...agent, wiring }];
});
const events = wired.flatMap((agent) =>
  Object.entries(agent.wiring.events).map(([event, meant]) => ({ agent, event, meant })),
);

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

describe("how agents are wired", () => {
  it("is known of every agent, but for one that runs another's hooks and those that are wired by hand", () => {
    expect(agents.map(({ id }) => id).filter((id) => findWiring(id) === undefined)).toEqual(["vscode", "generic"]);
  });

  it.each(events)("says of $agent.id's $event what its dialect says", ({ agent, event, meant }) => {
    if (meant.isOnlyIfNamed !== true && meant.alsoFor === undefined)
      for (const name of meant.mapsTo) expect(ourNames).toContain(name);
    const payload = event === "session.status" ? { properties: { status: { type: "busy" } } } : {};
    const read = agent.eventName?.(event, payload) ?? event;
    if (meant.mapsTo.length > 0) expect(meant.mapsTo).toContain(read);
    // What means nothing to rules is there for what other events are about.
    else expect(meant.isSupporting).toBe(true);
  });

  it.each(wired)("gives $id a turn's end, and something to do afterwards", ({ wiring }) => {
    expect(Object.values(wiring.events).flatMap(({ mapsTo }) => mapsTo)).toContain("Stop");
    expect(wiring.nextStep).not.toBe("");
    expect(wiring.files.length + (wiring.ownFiles ?? []).length).toBeGreaterThan(0);
  });

  it.each(wired)("keeps $id's own files apart", ({ wiring }) => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      const names = [
        ...wiring.files.map(({ name }) => name),
        ...(wiring.ownFiles ?? []).map((file) => file.name(platform)),
      ];
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
