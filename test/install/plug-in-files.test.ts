import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Wiring } from "../../src/agents/wiring.ts";
import { findWiring } from "../../src/agents/wirings.ts";
import { plugInFiles, type PackageFacts } from "../../src/install/plug-in-files.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");
const facts = JSON.parse(read("package.json")) as PackageFacts;
const files = plugInFiles(facts, read("hooks/hookbell-plugin.sh"));

it.each(Object.keys(files))("%s is as `npm run generate` writes it", (path) => {
  expect(read(path)).toBe(files[path]);
});

it.each([
  ["claude-code", "hooks/hooks.json"],
  ["codex", "hooks/codex.json"],
  ["cursor", "hooks/cursor.json"],
  ["gemini-cli", "hooks/gemini-cli/hooks/hooks.json"],
])("has every event of %s, and the script for it, which can be run", (id, path) => {
  const { hooks } = JSON.parse(files[path] ?? "") as { hooks: Record<string, unknown> };
  const wiring = findWiring(id);
  expect(Object.keys(hooks)).toEqual(expect.arrayContaining(usualEventsOf(wiring)));
  expect(Object.keys(hooks).length).toBeLessThan(10);
  for (const hook of Object.values(hooks)) {
    const command = /"command":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(hook))?.[1] ?? "";
    const [, script = "", agent] = /(hooks\/[\w-]+\.sh)(?: ([\w-]+))?$/.exec(command) ?? [];
    expect(agent).toBe(id === "claude-code" ? undefined : id);
    const folder = path.startsWith("hooks/gemini-cli/") ? "hooks/gemini-cli/" : "";
    expect(statSync(`${root}${folder}${script}`).mode & 0o111).toBe(0o111);
  }
});

it("has every event of Droid's in the file that it shares with Claude Code", () => {
  const { hooks } = JSON.parse(files["hooks/hooks.json"] ?? "") as { hooks: Record<string, unknown> };
  const wiring = findWiring("droid");
  expect(Object.keys(hooks)).toEqual(expect.arrayContaining(usualEventsOf(wiring)));
});

/** Without those that are wired only where a rule names them, or for some tools: tools have other names in Claude Code. */
function usualEventsOf(wiring: Wiring | undefined): string[] {
  return Object.entries(wiring?.events ?? {}).flatMap(([event, { isOnlyIfNamed, matcher }]) =>
    isOnlyIfNamed === true || matcher !== undefined ? [] : [event],
  );
}
