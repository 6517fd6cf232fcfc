import type { Wiring } from "../agents/define-agent.ts";

/** A hook as it is written into an agent's settings. */
export interface HookEntry {
  type: "command";
  command: string;
  args?: string[];
  /** Seconds. */
  timeout: number;
}

/** Where this installation lies; both paths are absolute and stay the same over updates where that is possible. */
export interface Installation {
  nodePath: string;
  hookPath: string;
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
  const { nodePath, hookPath } = installation;
  if (platform !== "win32") {
    const command = [nodePath, hookPath, "--agent", agentId].map(quotePosix).join(" ");
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
