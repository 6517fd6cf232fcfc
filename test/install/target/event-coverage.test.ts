import { describe, expect, it } from "vitest";
import { coverageOf } from "../../../src/install/target/event-coverage.ts";
import { isUntouchedOwn, ownFileText } from "../../../src/install/command/owner.ts";
import { hookSetups, type AgentId } from "../round-trip/install.ts";

describe("coverageOf", () => {
  const all = (agent: AgentId): string[] => Object.keys(hookSetups[agent].events);
  const rows: [agent: AgentId, asked: string[], leftOut: string[], neverSent: string[]][] = [
    ["claude-code", ["Stop"], ["PermissionRequest", "Notification", "StopFailure", "SubagentStop", "SessionStart"], []],
    ["gemini-cli", ["Notification", "Stop", "SubagentStop"], ["SessionStart"], ["SubagentStop"]],
    ["codex", ["PermissionRequest", "Stop"], ["SubagentStop", "SessionStart"], []],
    ["cursor", ["Notification", "StopFailure"], ["subagentStop", "sessionStart"], ["Notification"]],
    ["windsurf", ["SessionEnd"], ["post_cascade_response"], ["SessionEnd"]],
  ];
  it.each(rows)("of %s for rules about %j", (agent, asked, leftOut, neverSent) => {
    const { events } = hookSetups[agent] as {
      events: Record<string, { mapsTo: readonly string[]; isSupporting?: true }>;
    };
    const installed = all(agent).filter(
      (event) => events[event]?.isSupporting === true || events[event]?.mapsTo.some((name) => asked.includes(name)),
    );
    const coverage = coverageOf({ hookSetup: hookSetups[agent] }, installed, (name) => asked.includes(name));
    expect(coverage).toEqual({ installed, leftOut, neverSent });
  });
});

describe("the mark in a file of our own", () => {
  const [program] = hookSetups.cline.ownFiles ?? [];
  const text = (platform: NodeJS.Platform): string =>
    program === undefined
      ? ""
      : ownFileText(program, { argv: ["/x y/node", "/x y/hook", "--agent", "cline"], platform, events: [] });

  it("leaves the first line to the system", () => {
    expect(text("linux")).toMatch(/^#!\/bin\/sh\n# hookbell [0-9a-f]{16}: /);
    expect(text("linux")).toContain("'/x y/node' '/x y/hook' --agent cline");
  });

  it("is a comment in PowerShell as well", () => {
    expect(text("win32")).toMatch(
      /^# hookbell [0-9a-f]{16}: .*\n& '\/x y\/node' '\/x y\/hook' --agent cline \*> \$null\n'\{\}'\n/,
    );
    expect(program?.name("win32")).toBe("TaskComplete.ps1");
  });

  it("tells whether anybody changed the rest", () => {
    expect(isUntouchedOwn(text("linux"))).toBe(true);
    expect(isUntouchedOwn(`${text("linux")}# mine\n`)).toBe(false);
    expect(isUntouchedOwn(text("linux").replace("/x y/", "/z/"))).toBe(false);
    expect(isUntouchedOwn("#!/bin/sh\n")).toBe(false);
  });
});
