// Finds the calls of hookbell that an agent would make, from its settings.
import { win32 } from "node:path";
import { getNodeValue } from "jsonc-parser";
import { type EntryForm, hookTimeoutSeconds, type HookSetup } from "../../agents/hook-setup.ts";
import { memberOf } from "../../jsonc/nodes.ts";
import type { Environment } from "../../system/environment.ts";
import { windowsVariable } from "../../system/process/find-program.ts";
import { systemProgram } from "../../system/process/start/program-start.ts";
import { plugInRunner } from "../../system/process/run-as-agent.ts";
import { isMarkedOwn, splitCommand } from "../command/owner.ts";
import { inspectSource, type OwnFileSource, textOfBytes } from "../settings/file-change.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import { ownTables } from "../settings/hook-tables.ts";
import { isSwitchedOff, seenContainer } from "../settings/inspect.ts";
import type { AgentTarget } from "../target/agent-target.ts";
import { readSettings } from "../target/read-settings.ts";

export interface InstalledCall {
  /** The agent's name of the event. */
  event: string;
  path: string;
  shown: string;
  argv: readonly [string, ...string[]];
  /** A plug-in gets the event itself. */
  takes: "stdin" | "plugIn";
  timeoutMs: number;
}

/** Finds the calls, and the settings files that switch all hooks off. */
export function findInstalledCalls(
  target: AgentTarget,
  platform: NodeJS.Platform,
  ownerOf: OwnerOfHook,
  env: Environment,
): { calls: InstalledCall[]; offFiles: string[] } {
  const { hookSetup } = target;
  const { files } = readSettings(target, platform);
  const sources = files.map(({ source }) => source).filter(({ bytes }) => bytes !== undefined);
  const names = new Set(sources.flatMap((source) => (source.kind === "hooks" ? [source.file.name] : [])));
  const inspected = sources.flatMap((source) => {
    if (source.kind !== "hooks") return [];
    if (source.file.onlyWithout !== undefined && names.has(source.file.onlyWithout)) return [];
    const reading = inspectSource(source, ownerOf);
    return "inspected" in reading ? reading.inspected : [];
  });
  const inFiles = inspected.flatMap((file) =>
    file.hooks.flatMap(({ event, owner, isSeen, handler }) => {
      if (owner !== "own" || !isSeen) return [];
      const home = inspected.find((other) => memberOf(seenContainer(other), event) !== undefined);
      // An earlier file hides the event in this one.
      if (hookSetup.isEveryFileUsed !== true && home !== file) return [];
      return [{ event, path: file.document.path, handler: getNodeValue(handler) as Record<string, unknown> }];
    }),
  );
  const inTables = sources.flatMap((source) => {
    const tables = source.kind === "tables" ? ownTables(source, ownerOf) : [];
    return tables.map(({ event, values }) => ({ event, path: source.path, handler: values }));
  });
  const calls = [...inFiles, ...inTables].flatMap(({ event, path, handler }): InstalledCall[] => {
    const { events, entry } = hookSetup;
    const call = Object.hasOwn(events, event) ? callArgv(handler, entry, platform, env) : undefined;
    if (call === undefined) return [];
    const timeout = entry.timeout === undefined ? undefined : handler[entry.timeout.key];
    const unitMs = entry.timeout?.unit === "seconds" ? 1000 : 1;
    const timeoutMs = typeof timeout === "number" && timeout > 0 ? timeout * unitMs : hookTimeoutSeconds * 1000;
    return [{ event, path, ...call, takes: "stdin", timeoutMs }];
  });
  calls.push(...sources.flatMap((source) => (source.kind === "own" ? callsOfOwnFile(source, hookSetup, env) : [])));
  const order = Object.keys(hookSetup.events);
  calls.sort((a, b) => order.indexOf(a.event) - order.indexOf(b.event));
  return { calls, offFiles: inspected.filter(isSwitchedOff).map(({ document }) => document.path) };
}

/**
 * The file that a call of hookbell's hook names, such as its script; undefined where it is called by its name, from a file of its own, or
 * on Windows, whose shells each read a command in another way. `home` is what "$HOME" stands for.
 */
export function calledFile({ argv, path }: InstalledCall, home: string): string | undefined {
  const [program, flag, line] = argv;
  const words = /^-l?c$/.test(flag ?? "") && line !== undefined ? splitCommand(line) : argv;
  const called = words?.slice(0, 2).find((word) => /\/(?:hookbell-hook\.sh|hook\.cjs)$/.test(word));
  return program === path ? undefined : called?.replace(/^\$HOME(?=\/)/, () => home);
}

function callsOfOwnFile(
  { file, path, bytes }: OwnFileSource,
  { events }: HookSetup,
  env: Environment,
): InstalledCall[] {
  const text = bytes === undefined ? "" : textOfBytes(bytes);
  if (file.comment === undefined || !isMarkedOwn(text)) return [];
  const timeoutMs = hookTimeoutSeconds * 1000;
  if (file.event !== undefined) {
    const argv: [string, ...string[]] = path.endsWith(".ps1")
      ? [systemProgram(powerShell, env), "-NoProfile", "-File", path]
      : [path];
    return [{ event: file.event, path, shown: path, argv, takes: "stdin", timeoutMs }];
  }
  const named = file.eventsIn?.(text).filter((event) => Object.hasOwn(events, event)) ?? [];
  return named.map((event) => ({ event, path, shown: path, argv: plugInRunner(path), takes: "plugIn", timeoutMs }));
}

const powerShell = "WindowsPowerShell\\v1.0\\powershell.exe";

type Argv = readonly [string, ...string[]];

/** Undefined when the hook runs no command. */
function callArgv(
  handler: Readonly<Record<string, unknown>>,
  { commandKey, commandKeyOnWindows, shell, shellOnWindows }: EntryForm,
  platform: NodeJS.Platform,
  env: Environment,
): { argv: Argv; shown: string } | undefined {
  const textOf = (key: string): string | undefined => {
    const value = handler[key];
    return typeof value === "string" ? value : undefined;
  };
  const isWindows = platform === "win32";
  const command = textOf(isWindows ? (commandKeyOnWindows ?? commandKey) : commandKey) ?? textOf("command");
  if (command === undefined) return undefined;
  const { args } = handler;
  // A program and its arguments, without a shell.
  if (Array.isArray(args)) return { argv: [command, ...args.map(String)], shown: [command, ...args].join(" ") };
  if (!isWindows) {
    const inShell: Argv =
      shell === "login" ? [env.SHELL || "/bin/sh", "-lc", command] : [shell === "bash" ? "bash" : "sh", "-c", command];
    return { argv: inShell, shown: command };
  }
  const inShell: Argv =
    shellOnWindows === "powershell"
      ? [systemProgram(powerShell, env), "-NoProfile", "-Command", command]
      : shellOnWindows === "bash"
        ? [
            win32.join(windowsVariable(env, "PROGRAMFILES") ?? "C:\\Program Files", "Git", "bin", "bash.exe"),
            "-c",
            command,
          ]
        : [systemProgram("cmd.exe", env), "/d", "/s", "/c", `"${command}"`];
  return { argv: inShell, shown: command };
}
