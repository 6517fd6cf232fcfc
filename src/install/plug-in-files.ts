// Makes the files with which this repository is a plug-in of several agents: see hooks/README.md.
import type { Wiring } from "../agents/wiring.ts";
import { wirings } from "../agents/wirings.ts";
import { handlerOf } from "./command/hook-command.ts";

export interface PackageFacts {
  name: string;
  version: string;
  description: string;
  license: string;
  keywords: string[];
}

export const plugInScriptName = "hookbell-plugin.sh";

/** Gemini CLI reads only `hooks/hooks.json`, which is Claude Code's and Droid's here. */
const geminiFolder = "hooks/gemini-cli";

/** The keys are paths in the repository. `script` is the plug-in's program, copied into Gemini CLI's extension. */
export function plugInFiles(facts: PackageFacts, script: string): Record<string, string> {
  const { name, version, description, license, keywords } = facts;
  const owner = { name };
  const manifest = { name, version, description, author: owner, license, keywords };
  const entry = { name, source: "./", description };
  const marketplace = { name, description, owner, plugins: [entry] };
  const inRoot = (variable: string, agent?: string): string =>
    `"\${${variable}}"/hooks/${plugInScriptName}${agent === undefined ? "" : ` ${agent}`}`;
  const files: Record<string, unknown> = {
    ".claude-plugin/plugin.json": manifest,
    ".claude-plugin/marketplace.json": marketplace,
    ".factory-plugin/plugin.json": manifest,
    ".factory-plugin/marketplace.json": marketplace,
    "hooks/hooks.json": {
      description,
      modules: ["./claude-code-mod.mjs"],
      ...hooksOf(wirings["claude-code"], inRoot("CLAUDE_PLUGIN_ROOT")),
    },
    ".codex-plugin/plugin.json": { ...manifest, hooks: "./hooks/codex.json" },
    "hooks/codex.json": hooksOf(wirings.codex, inRoot("PLUGIN_ROOT", "codex")),
    ".cursor-plugin/plugin.json": { ...manifest, hooks: "./hooks/cursor.json" },
    // Cursor runs it in the folder of the plug-in.
    "hooks/cursor.json": { version: 1, ...hooksOf(wirings.cursor, `./hooks/${plugInScriptName} cursor`) },
    [`${geminiFolder}/gemini-extension.json`]: { name, version, description },
    [`${geminiFolder}/hooks/hooks.json`]: hooksOf(wirings["gemini-cli"], inRoot("extensionPath", "gemini-cli")),
  };
  return {
    ...Object.fromEntries(Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`])),
    [`${geminiFolder}/hooks/${plugInScriptName}`]: script,
  };
}

/** The events that rules usually wait for, since the user's are unknown here. */
function hooksOf(wiring: Wiring, command: string): { hooks: Record<string, unknown[]> } {
  const { entry, events } = wiring;
  const usual = Object.keys(events).filter((event) => events[event]?.isOnlyIfNamed !== true);
  return {
    hooks: Object.fromEntries(
      usual.map((event) => {
        const handler = handlerOf(wiring, event, { [entry.commandKey]: command });
        return [event, entry.layout === "flat" ? [handler] : [{ hooks: [handler] }]];
      }),
    ),
  };
}
