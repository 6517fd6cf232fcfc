import type { Wiring } from "../../agents/wiring.ts";
import { shellWord, windowsLine } from "../../model/shell-word.ts";

/** A hook as it is written into an agent's settings. */
export type HookEntry = Readonly<Record<string, unknown>>;

/** Where this installation lies; the paths are absolute and stay the same over updates where that is possible. */
export interface Installation {
  nodePath: string;
  /** Our `hook.cjs`. */
  hookPath: string;
  /** Where the hook for POSIX shells lies, or is to lie; undefined where none can run. */
  scriptPath?: string | undefined;
}

/** An agent, as far as it matters to the command. */
export interface HookedAgent {
  id: string;
  wiring: Pick<Wiring, "entry" | "events" | "timeoutSeconds">;
}

/** The program that a hook starts, and its arguments. On Windows with forward slashes, which every shell there takes. */
export function hookArgv(
  { nodePath, hookPath, scriptPath }: Installation,
  { id, wiring }: HookedAgent,
  event: string | undefined,
  platform: NodeJS.Platform,
): string[] {
  const isWindows = platform === "win32";
  // Run by its own first line: `sh SCRIPT` ends with 2 where the script is gone, which agents read as "block".
  const program = !isWindows && scriptPath !== undefined ? [scriptPath] : [nodePath, hookPath];
  const paths = isWindows ? program.map((path) => path.replaceAll("\\", "/")) : program;
  const name = event !== undefined && wiring.events[event]?.needsName === true ? ["--event", event] : [];
  return [...paths, "--agent", id, ...name];
}

/**
 * What the agent runs for an event. The text must not change without need: agents ask for trust by its hash, and it is
 * how our entries are found again.
 */
export function hookEntry(
  installation: Installation,
  agent: HookedAgent,
  event: string,
  platform: NodeJS.Platform,
): HookEntry {
  const { entry } = agent.wiring;
  const argv = hookArgv(installation, agent, event, platform);
  // On Windows all agents get one form, whichever shell they use.
  const command =
    platform === "win32"
      ? { [entry.commandKeyOnWindows ?? entry.commandKey]: windowsLine(argv) }
      : { [entry.commandKey]: argv.map(shellWord).join(" ") };
  return handlerOf(agent.wiring, event, command);
}

/** The hook with its command, as the agent wants it around that. */
export function handlerOf(
  { entry, events, timeoutSeconds }: HookedAgent["wiring"],
  event: string,
  command: Readonly<Record<string, unknown>>,
): HookEntry {
  const seconds = events[event]?.timeoutSeconds ?? timeoutSeconds;
  return {
    ...(entry.hasType ? { type: "command" } : {}),
    ...command,
    ...entry.extra,
    ...(entry.timeout === undefined
      ? {}
      : { [entry.timeout.key]: entry.timeout.unit === "seconds" ? seconds : seconds * 1000 }),
  };
}
