// The files that make a folder with hookbell in it a plug-in of an agent, and the marketplaces that list these folders.
import { docsUrl } from "../model/errors.ts";
import type { HookSetup } from "../agents/hook-setup.ts";
import { hookSetups } from "../agents/hook-setups.ts";
import { handlerOf } from "./command/hook-command.ts";

export interface PackageFacts {
  name: string;
  version: string;
  description: string;
  license: string;
  keywords: string[];
  homepage: string;
}

/** What a plug-in's program does when a person asks for it in the agent. */
const commands = [
  { verb: "mute", hint: "1h", description: "Stop hookbell's notifications for a while" },
  { verb: "status", hint: "", description: "Show what hookbell has to deliver, and which sessions need you" },
  { verb: "why", hint: "[ID]", description: "Show why hookbell notified you of the last event, or did not" },
] as const;
type Command = (typeof commands)[number];

/** The paths are relative to the folder of the plug-in, which has hookbell's program as `bin/hookbell`. */
interface PlugInForm {
  hookSetup: HookSetup;
  /** The program as the agent's shell finds it. */
  program: string;
  hooksFile: string;
  /** Members of the hooks file beside the events. */
  hooksMembers?: Record<string, unknown>;
  manifest(manifest: Record<string, unknown>): [path: string, content: unknown];
  command(command: Command, program: string): [path: string, text: string];
  /** The vendor's list of plug-ins, in the folder around them. Gemini CLI has none. */
  marketplace?: { path: string; source: unknown; more?: Record<string, unknown> };
}

const forms: Record<string, PlugInForm> = {
  // https://code.claude.com/docs/en/plugins-reference
  "claude-code": {
    hookSetup: hookSetups["claude-code"],
    program: '"${CLAUDE_PLUGIN_ROOT}"/bin/hookbell',
    hooksFile: "hooks/hooks.json",
    hooksMembers: { modules: ["./claude-code-mod.mjs"] },
    manifest: (manifest) => [".claude-plugin/plugin.json", manifest],
    command: printedByTheAgent,
    marketplace: { path: ".claude-plugin/marketplace.json", source: "./claude-code" },
  },
  // https://docs.factory.ai/harness/plugins
  droid: {
    hookSetup: hookSetups.droid,
    program: '"${DROID_PLUGIN_ROOT}"/bin/hookbell',
    hooksFile: "hooks/hooks.json",
    manifest: (manifest) => [".factory-plugin/plugin.json", manifest],
    // Droid puts no plug-in's name before its commands, and has a /status of its own.
    command: ({ verb }) => [`commands/hookbell-${verb}`, `#!/bin/sh\nexec "\${0%/*}"/../bin/hookbell ${verb} "$@"\n`],
    marketplace: { path: ".factory-plugin/marketplace.json", source: "./droid" },
  },
  // https://developers.openai.com/codex/plugins/build
  codex: {
    hookSetup: hookSetups.codex,
    program: '"${PLUGIN_ROOT}"/bin/hookbell',
    hooksFile: "hooks/hooks.json",
    manifest: (manifest) => [
      ".codex-plugin/plugin.json",
      { ...manifest, hooks: "./hooks/hooks.json", skills: "./skills/" },
    ],
    command: (command) => skillOf(command, command.verb),
    marketplace: {
      path: ".agents/plugins/marketplace.json",
      source: { source: "local", path: "./codex" },
      more: { policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" }, category: "Productivity" },
    },
  },
  // https://geminicli.com/docs/extensions/reference
  "gemini-cli": {
    hookSetup: hookSetups["gemini-cli"],
    program: '"${extensionPath}"/bin/hookbell',
    hooksFile: "hooks/hooks.json",
    manifest: ({ name, version, description }) => ["gemini-extension.json", { name, version, description }],
    command: inToml,
  },
  // https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference
  "copilot-cli": {
    hookSetup: hookSetups["copilot-cli"],
    program: '"${CLAUDE_PLUGIN_ROOT}"/bin/hookbell',
    hooksFile: "hooks.json",
    hooksMembers: { version: 1 },
    manifest: (manifest) => ["plugin.json", { ...manifest, hooks: "hooks.json", skills: "skills/" }],
    command: (command) => skillOf(command, `hookbell-${command.verb}`),
    marketplace: { path: ".github/plugin/marketplace.json", source: "./copilot-cli" },
  },
  // https://cursor.com/docs/plugins
  cursor: {
    hookSetup: hookSetups.cursor,
    // Cursor runs hooks in the folder of the plug-in.
    program: "./bin/hookbell",
    hooksFile: "hooks/hooks.json",
    hooksMembers: { version: 1 },
    manifest: (manifest) => [".cursor-plugin/plugin.json", { ...manifest, hooks: "./hooks/hooks.json" }],
    command: (command) => skillOf(command, `hookbell-${command.verb}`),
    marketplace: { path: ".cursor-plugin/marketplace.json", source: "./cursor" },
  },
};

export const plugInAgents: readonly string[] = Object.keys(forms);

/** All files but hookbell itself; the keys are paths below the folder in which each agent's plug-in has a folder. */
export function plugInFiles(facts: PackageFacts): Record<string, string> {
  const { name, version, description, license, keywords, homepage } = facts;
  const owner = { name };
  const manifest = { name, version, description, author: owner, homepage, license, keywords };
  return Object.assign(
    {},
    ...Object.entries(forms).map(([agent, form]) => {
      const [manifestPath, content] = form.manifest(manifest);
      const hooks = {
        ...form.hooksMembers,
        ...hooksOf(form.hookSetup, `${form.program} hook --agent ${agent} --by plugin`),
      };
      const { marketplace } = form;
      const entry = { name, source: marketplace?.source, description, ...marketplace?.more };
      return {
        "README.md": readMe(description),
        [`${agent}/README.md`]: readMe(description),
        [`${agent}/${manifestPath}`]: jsonText(content),
        [`${agent}/${form.hooksFile}`]: jsonText(hooks),
        ...Object.fromEntries(
          commands.map((command) => {
            const [path, text] = form.command(command, form.program);
            return [`${agent}/${path}`, text];
          }),
        ),
        ...(marketplace === undefined
          ? {}
          : { [marketplace.path]: jsonText({ name, description, owner, plugins: [entry] }) }),
      };
    }),
  ) as Record<string, string>;
}

/** Claude Code's directory refuses a plug-in without one. */
function readMe(description: string): string {
  return `# hookbell

${description}

This plug-in has all of hookbell in it, and needs only Node.js 20.19 or newer. It notifies you when the agent is done, has failed or waits for your
answer: on the desktop with a sound, or wherever your own rules say. It can mute notifications, show what waits, and say why you were notified.

It is for macOS and Linux. On Windows its hooks run in Claude Code with Git Bash only; elsewhere, \`npm install --global hookbell\` and \`hookbell init\` set up the same.

In Claude Code 2.1.275 or later, this installs it:

    /plugin install hookbell --marketplace hookbell/plug-ins

How to install it elsewhere, configure it and remove it: ${docsUrl("reference/PLUGINS.md")}
`;
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The events that rules usually wait for, since the user's are unknown here. */
function hooksOf(hookSetup: HookSetup, command: string): { hooks: Record<string, unknown[]> } {
  const { entry, events } = hookSetup;
  const usual = Object.keys(events).filter((event) => events[event]?.isOnlyIfNamed !== true);
  return {
    hooks: Object.fromEntries(
      usual.map((event) => {
        const handler = handlerOf(hookSetup, event, { [entry.commandKey]: command });
        return [event, entry.layout === "flat" ? [handler] : [{ hooks: [handler] }]];
      }),
    ),
  };
}

/** Claude Code runs the line with the exclamation mark itself; the model only sees what was printed. */
function printedByTheAgent({ verb, hint, description }: Command, program: string): [string, string] {
  const call = `${program} ${verb}`;
  const text = `---
description: ${description}
argument-hint: ${JSON.stringify(hint)}
disable-model-invocation: true
allowed-tools: Bash(${call}:*)
---

!\`${call} $ARGUMENTS\`

Show the person the lines above as they are, and do nothing else.
`;
  return [`commands/${verb}.md`, text];
}

/** Gemini CLI runs what is in the braces itself, with the arguments quoted. It fills in no path of the extension there. */
function inToml({ verb, description }: Command): [string, string] {
  const call = `"$HOME"/.gemini/extensions/hookbell/bin/hookbell ${verb}`;
  const text = `description = ${JSON.stringify(description)}
prompt = '''
!{${call} {{args}}}

Show the person the lines above as they are, and do nothing else.
'''
`;
  return [`commands/hookbell/${verb}.toml`, text];
}

/** For agents whose commands are skills: the model runs the program. */
function skillOf({ verb, hint, description }: Command, name: string): [string, string] {
  const text = `---
name: ${name}
description: ${description}. Use it only when the person asks for it.
---

Run this program once, where \`../..\` is relative to the folder of this file${hint === "" ? "" : ", with the person's words as its arguments"}:

    ../../bin/hookbell ${verb}${hint === "" ? "" : ` ${hint}`}

Show the person what it prints as it is, and do nothing else.
`;
  return [`skills/${name}/SKILL.md`, text];
}
