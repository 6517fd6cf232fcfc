import type { Wiring } from "../agents/wiring.ts";
import { wirings } from "../agents/wirings.ts";
import { handlerOf } from "./command/hook-command.ts";

/** Who we are, from package.json. */
export interface PackageFacts {
  name: string;
  version: string;
  description: string;
  license: string;
  keywords: string[];
}

export const plugInScriptName = "hookbell-plugin.sh";

/** Gemini CLI reads `hooks/hooks.json` and nothing else, as Claude Code and Droid do: its extension is a folder of its own. */
const geminiFolder = "hooks/gemini-cli";

/**
 * The files that make this repository a plug-in, by their paths in it: see hooks/README.md. Claude Code and Droid share one
 * `hooks/hooks.json`; those that let the manifest name another file get their own. `script` is the plug-in's program,
 * of which Gemini CLI copies no more than lies in its extension's folder.
 */
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
    "hooks/hooks.json": { description, ...hooksOf(wirings["claude-code"], inRoot("CLAUDE_PLUGIN_ROOT")) },
    ".codex-plugin/plugin.json": { ...manifest, hooks: "./hooks/codex.json" },
    "hooks/codex.json": hooksOf(wirings.codex, inRoot("PLUGIN_ROOT", "codex")),
    ".cursor-plugin/plugin.json": { ...manifest, hooks: "./hooks/cursor.json" },
    // Relative to the plug-in, which is where Cursor runs it.
    "hooks/cursor.json": { version: 1, ...hooksOf(wirings.cursor, `./hooks/${plugInScriptName} cursor`) },
    [`${geminiFolder}/gemini-extension.json`]: { name, version, description },
    [`${geminiFolder}/hooks/hooks.json`]: hooksOf(wirings["gemini-cli"], inRoot("extensionPath", "gemini-cli")),
  };
  return {
    ...Object.fromEntries(Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`])),
    [`${geminiFolder}/hooks/${plugInScriptName}`]: script,
  };
}

/** Every event there is: nobody can know which ones the rules of the person who installs it will ask for. */
function hooksOf(wiring: Wiring, command: string): { hooks: Record<string, unknown[]> } {
  const { entry, events } = wiring;
  return {
    hooks: Object.fromEntries(
      Object.keys(events).map((event) => {
        const handler = handlerOf(wiring, event, { [entry.commandKey]: command });
        return [event, entry.layout === "flat" ? [handler] : [{ hooks: [handler] }]];
      }),
    ),
  };
}
