import type { Wiring } from "../agents/define-wiring.ts";

/** A hook as it is written into an agent's settings. */
export interface HookEntry {
  type: "command";
  command: string;
  args?: string[];
  /** Seconds. */
  timeout: number;
}

/** Where this installation lies; the paths are absolute and stay the same over updates where that is possible. */
export interface Installation {
  nodePath: string;
  /** Our `hook.cjs`. */
  hookPath: string;
  /** Where the hook for POSIX shells lies, or is to lie; undefined where none can run. */
  scriptPath?: string | undefined;
}

/**
 * What the agent runs. The text must not change without need: agents ask for trust by its hash, and it is how our
 * entries are found again. The Windows forms follow the agents' documentation and are untried.
 */
export function hookEntry(
  installation: Installation,
  agentId: string,
  wiring: Pick<Wiring, "windowsForm">,
  timeoutSeconds: number,
  platform: NodeJS.Platform,
): HookEntry {
  const { nodePath, hookPath, scriptPath } = installation;
  if (platform !== "win32") {
    // Run by its own first line: `sh SCRIPT` ends with 2 where the script is gone, which agents read as "block".
    const words = scriptPath === undefined ? [nodePath, hookPath] : [scriptPath];
    const command = [...words, "--agent", agentId].map(quotePosix).join(" ");
    return { type: "command", command, timeout: timeoutSeconds };
  }
  const [node, hook] = [nodePath, hookPath].map((path) => path.replaceAll("\\", "/")) as [string, string];
  if (wiring.windowsForm === "arguments") {
    return { type: "command", command: node, args: [hook, "--agent", agentId], timeout: timeoutSeconds };
  }
  return { type: "command", command: `"${node}" "${hook}" --agent ${agentId}`, timeout: timeoutSeconds };
}

/** A word for a POSIX shell; quoted only when it must be, since agents show the command to the person. */
function quotePosix(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
