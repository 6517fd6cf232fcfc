import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { check } from "../../../src/commands/explain/check.ts";
import type { CommandIo } from "../../../src/console/command-io.ts";
import { findUncoveredRules } from "../../../src/commands/pipeline/rule-coverage.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { commandIo } from "../../support/project/command-io.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-unheard-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const entry = { type: "command", command: "/s/hookbell-hook.sh --agent x", timeout: 10 };

/** Sets up these events of Droid, which knows no PermissionRequest. */
function installDroid(...events: string[]): void {
  put(".factory/hooks.json", Object.fromEntries(events.map((event) => [event, [{ hooks: [entry] }]])));
}

function put(path: string, value: unknown): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), JSON.stringify(value));
}

function io(stdout: (text: string) => void = () => {}): CommandIo {
  return commandIo(home, { stdout });
}

const fileOf = (when: unknown): string =>
  JSON.stringify({ channels: { screen: { type: "desktop" } }, rules: [{ name: "one", when, notify: ["screen"] }] });

async function hintsFor(when: unknown): Promise<string[]> {
  const loaded = await loadRules(fileOf(when));
  if (loaded.status !== "good") throw new Error("the rules are broken");
  return findUncoveredRules(loaded.rules.rules, io()).map(({ hint }) => hint);
}

it.each([
  [
    "what Droid never sends",
    { event: "PermissionRequest" },
    ["waits for PermissionRequest, which none of your agents sends (Droid)"],
  ],
  [
    "what is not set up yet",
    { event: "SubagentStop" },
    ["waits for SubagentStop, but no hook sends it yet. Run: hookbell init"],
  ],
  ["what is set up", { event: "Stop" }, []],
  ["one of two", { event: ["PermissionRequest", "Stop"] }, []],
  ["anything", { project: "shop" }, []],
  ["what another agent says", { event: "PermissionRequest", agent: "my-bot" }, []],
  ["what no agent is known to say", { event: "Deployed" }, []],
  ["everything but what is set up", { event: { not: ["Stop", "StopFailure", "Notification"] } }, ["waits for"]],
])("a rule that waits for %s", async (_name, when, hints) => {
  installDroid("Stop", "Notification");
  expect(await hintsFor(when)).toEqual(hints.map((hint) => expect.stringContaining(hint) as unknown));
});

it("says nothing while no agent is set up", async () => {
  put(".factory/hooks.json", { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] });
  expect(await hintsFor({ event: "PermissionRequest" })).toEqual([]);
});

it("is heard when one of several agents sends it", async () => {
  installDroid("Stop");
  expect(await hintsFor({ event: "PermissionRequest" })).toHaveLength(1);
  put(".claude/settings.json", { hooks: { PermissionRequest: [{ hooks: [entry] }] } });
  expect(await hintsFor({ event: "PermissionRequest" })).toEqual([]);
});

it("is a hint of check's, not a fault", async () => {
  installDroid("Stop");
  put(".config/hookbell/rules.jsonc", JSON.parse(fileOf({ event: "PermissionRequest" })));
  let stdout = "";
  expect(
    await check(
      [],
      io((text) => (stdout += text)),
    ),
  ).toBe(0);
  expect(stdout).toContain('hint: rule "one" waits for PermissionRequest, which none of your agents sends (Droid)\n');
  stdout = "";
  expect(
    await check(
      ["--json"],
      io((text) => (stdout += text)),
    ),
  ).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "good",
    unheard: [{ rule: "one", events: ["PermissionRequest"] }],
  });
});
