// A variable that should move an agent's folder, and names none, is said and not passed over.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findInstallation } from "../../../src/install/installation.ts";
import { prepareInstall } from "../../../src/install/install-agent.ts";
import { recordStore } from "../../../src/install/record/record.ts";
import { listTargets } from "../../../src/install/target/agent-target.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

function warningsWith(more: Record<string, string>): string[] {
  const home = temporaryFolder();
  const env = { HOME: home, PATH: "/nonexistent", ...more };
  mkdirSync(join(home, ".claude"));
  const target = listTargets(env, home, "linux").find(({ id }) => id === "claude-code");
  if (target === undefined) throw new Error("no Claude Code");
  const context = {
    installation: findInstallation(env, home, "linux"),
    platform: "linux" as const,
    nowMs: 0,
    store: recordStore(join(home, "state")),
  };
  return prepareInstall(context, target).plan.warnings.map((each) => each.replaceAll(home, "~"));
}

it.each(["~/x", "claude", "./claude"])("CLAUDE_CONFIG_DIR=%s", (value) => {
  expect(warningsWith({ CLAUDE_CONFIG_DIR: value })).toEqual([
    `CLAUDE_CONFIG_DIR is "${value}", which is no absolute path, so its hooks are in ${join("~", ".claude")}; write the whole path`,
  ]);
});

it("a whole path, an empty one and none need no word", () => {
  const fine: Record<string, string>[] = [{}, { CLAUDE_CONFIG_DIR: "" }, { CLAUDE_CONFIG_DIR: "/srv/claude" }];
  for (const more of fine) {
    expect(warningsWith(more)).toEqual([]);
  }
});
