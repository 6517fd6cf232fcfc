// The command that agents run: its program, its arguments, and the entry in the settings around it.
import { type EntryForm, hookTimeoutSeconds, type HookSetup } from "../../agents/hook-setup.ts";
import { shellWord } from "../../model/text.ts";
import { type InstalledFiles, lineInsteadOfNode, nodeArgv, windowsArgv, windowsLine } from "./windows.ts";

/** A hook as it is written into the settings. */
export type HookEntry = Readonly<Record<string, unknown>>;

export interface Installation extends InstalledFiles {
  /** The path of Node as the script for cmd.exe has it; empty where it can have none. */
  nodeForCmd?: string | undefined;
  /** The script as a word of every shell, where it is in the usual place: `"$HOME"/...` holds on each machine that shares the settings. */
  scriptInHome?: string | undefined;
}

export interface HookedAgent {
  id: string;
  hookSetup: Pick<HookSetup, "entry" | "events">;
}

/** The program that runs without a shell, and its arguments. */
export function hookArgv(
  installation: Installation,
  agent: HookedAgent,
  event: string | undefined,
  platform: NodeJS.Platform,
): string[] {
  const { nodePath, hookPath, scriptPath } = installation;
  const args = hookArgs(agent, event);
  if (platform === "win32") return windowsArgv(installation, args);
  // `sh SCRIPT` would end with 2 if the script is missing, which agents read as "block".
  return [...(scriptPath === undefined ? [nodePath, hookPath] : [scriptPath]), ...args];
}

function hookArgs({ id, hookSetup }: HookedAgent, event: string | undefined): string[] {
  const name = event !== undefined && hookSetup.events[event]?.needsName === true ? ["--event", event] : [];
  const answers = event !== undefined && hookSetup.events[event]?.isAnswering === true ? ["--answer"] : [];
  return ["--agent", id, ...name, ...answers];
}

/**
 * Agents ask for trust by the hash of this text, so it must not change without need: `found`, the command that is there, keeps
 * an absolute path.
 */
export function hookEntry(
  installation: Installation,
  agent: HookedAgent,
  event: string,
  platform: NodeJS.Platform,
  found?: unknown,
): HookEntry {
  const { entry } = agent.hookSetup;
  const { scriptPath, scriptInHome } = installation;
  if (platform === "win32") {
    return handlerOf(agent.hookSetup, event, windowsCommand(installation, entry, hookArgs(agent, event)));
  }
  const argv = hookArgv(installation, agent, event, platform);
  const [program, ...args] = argv;
  if (entry.hasArgs === true) return handlerOf(agent.hookSetup, event, { [entry.commandKey]: program, args });
  const isKept = scriptPath !== undefined && String(found).startsWith(`${shellWord(scriptPath)} `);
  const words = argv.map(shellWord);
  const isShared = scriptInHome !== undefined && entry.expandsHome === true && !isKept;
  const command = (isShared ? [scriptInHome, ...words.slice(1)] : words).join(" ");
  return handlerOf(agent.hookSetup, event, { [entry.commandKey]: command });
}

function windowsCommand(
  installation: Installation,
  { hasArgs, commandKey, commandKeyOnWindows, shellOnWindows = "any", extraOnWindows }: EntryForm,
  hookArguments: readonly string[],
): HookEntry {
  if (hasArgs === true || shellOnWindows === "none") {
    const line = hasArgs === true ? undefined : lineInsteadOfNode(installation, hookArguments);
    const [program, ...args] = nodeArgv(installation, hookArguments);
    return line === undefined ? { [commandKey]: program, args } : { [commandKey]: line };
  }
  return {
    [commandKeyOnWindows ?? commandKey]: windowsLine(installation, hookArguments, shellOnWindows),
    ...extraOnWindows,
  };
}

/** The variable in which the agent's environment has the secret of `remote add --by http`. */
export const secretVariable = "HOOKBELL_SECRET";

/** Settings for a person to copy, by which an agent posts these events; the secret is not in them. */
export function httpSettings(hookSetup: CopiedHookSetup, events: readonly string[], url: string): HookEntry {
  const request = { url, headers: { Authorization: `Bearer $${secretVariable}` }, allowedEnvVars: [secretVariable] };
  return copiedSettings(hookSetup, events, (event) => ({ ...handlerOf(hookSetup, event, request), type: "http" }));
}

/** Settings for a person to copy, by which an agent runs a script for these events. */
export function commandSettings(
  agent: { id: string; hookSetup: CopiedHookSetup },
  events: readonly string[],
  scriptPath: string,
): HookEntry {
  const installation = { nodePath: "", hookPath: "", scriptPath };
  return copiedSettings(agent.hookSetup, events, (event) => hookEntry(installation, agent, event, "linux"));
}

type CopiedHookSetup = HookedAgent["hookSetup"] & Pick<HookSetup, "files" | "defaultFile">;

function copiedSettings(
  hookSetup: CopiedHookSetup,
  events: readonly string[],
  entryOf: (event: string) => HookEntry,
): HookEntry {
  const file = hookSetup.files.find(({ name }) => name === hookSetup.defaultFile) ?? hookSetup.files[0];
  const hooks = events.map((event) => {
    const { matcher } = hookSetup.events[event] ?? {};
    const matched = matcher === undefined ? {} : { matcher };
    const isGrouped = hookSetup.entry.layout === "grouped";
    return [event, [isGrouped ? { ...matched, hooks: [entryOf(event)] } : { ...matched, ...entryOf(event) }]];
  });
  const byEvent = Object.fromEntries(hooks) as HookEntry;
  return { ...file?.required, ...(file?.shape === "bare" ? byEvent : { [file?.hooksKey ?? "hooks"]: byEvent }) };
}

export function handlerOf(
  { entry, events }: HookedAgent["hookSetup"],
  event: string,
  command: Readonly<Record<string, unknown>>,
): HookEntry {
  const seconds = events[event]?.timeoutSeconds ?? hookTimeoutSeconds;
  return {
    ...(entry.hasType ? { type: "command" } : {}),
    ...command,
    ...entry.extra,
    ...(entry.timeout === undefined
      ? {}
      : { [entry.timeout.key]: entry.timeout.unit === "seconds" ? seconds : seconds * 1000 }),
  };
}
