import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { HookSetup } from "../../src/agents/hook-setup.ts";
import { findHookSetup } from "../../src/agents/hook-setups.ts";
import { plugInAgents, plugInFiles, type PackageFacts } from "../../src/install/plug-in-files.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const facts = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as PackageFacts;
const files = plugInFiles(facts);
const read = (path: string): Record<string, unknown> => JSON.parse(files[path] ?? "") as Record<string, unknown>;

it.each(plugInAgents)(
  "the plug-in of %s hooks every event that rules usually wait for, by its own program",
  (agent) => {
    const path = agent === "copilot-cli" ? "hooks.json" : "hooks/hooks.json";
    const { hooks } = read(`${agent}/${path}`) as { hooks: Record<string, unknown> };
    expect(Object.keys(hooks)).toEqual(expect.arrayContaining(usualEventsOf(findHookSetup(agent))));
    expect(Object.keys(hooks).length).toBeLessThan(12);
    for (const hook of Object.values(hooks)) {
      expect(JSON.stringify(hook)).toContain(`/bin/hookbell hook --agent ${agent} --by plugin"`);
    }
  },
);

it("every manifest has the package's version", () => {
  const manifests = Object.keys(files).filter((path) => /(?:plugin|gemini-extension)\.json$/.test(path));
  expect(manifests.length).toBe(plugInAgents.length);
  for (const path of manifests) expect(read(path)).toMatchObject({ name: "hookbell", version: facts.version });
});

it("each vendor's marketplace lists the folder of its agent", () => {
  const listed = Object.keys(files)
    .filter((path) => path.endsWith("marketplace.json"))
    .map((path) => JSON.stringify(read(path).plugins));
  // Gemini CLI installs from an address.
  expect(listed.length).toBe(plugInAgents.length - 1);
  for (const agent of plugInAgents.filter((id) => id !== "gemini-cli")) {
    expect(listed.filter((plugins) => plugins.includes(`"./${agent}"`)).length).toBe(1);
  }
});

it.each(plugInAgents)("the plug-in of %s has commands that mute, show the status and say why", (agent) => {
  for (const verb of ["mute", "status", "why"]) {
    const calls = Object.entries(files).filter(
      ([path, text]) => path.startsWith(`${agent}/`) && new RegExp(`bin/hookbell"? ${verb}\\b`).test(text),
    );
    expect(calls.length).toBe(1);
  }
});

/** Without those that are set up only where a rule names them, or for some tools. */
function usualEventsOf(hookSetup: HookSetup | undefined): string[] {
  return Object.entries(hookSetup?.events ?? {}).flatMap(([event, { isOnlyIfNamed, matcher }]) =>
    isOnlyIfNamed === true || matcher !== undefined ? [] : [event],
  );
}
