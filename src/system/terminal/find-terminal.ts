// Finds the terminal that an agent runs in.
import { readFileSync } from "node:fs";
import { terminalVariables, type AgentTerminal } from "../../model/agent-terminal.ts";
import { ownPid } from "../process/identity.ts";
import { processLook, type LookAtProcess } from "../process/facts.ts";

/** Process start times have a resolution of a second. */
const toleranceMs = 2000;
const maxAncestors = 64;

/**
 * The terminal of the process or its nearest ancestor that has one, since agents run hooks without a terminal. `seenMs`: the
 * process existed this long ago; a younger one has reused its id.
 */
export function findTerminal(
  pid: number,
  seenMs: number,
  look: LookAtProcess = processLook(),
): AgentTerminal | undefined {
  let facts = look(pid);
  if (facts === undefined || facts.ageMs + toleranceMs < seenMs) return undefined;
  for (let count = 0; facts !== undefined && pid > 1 && count < maxAncestors; count += 1) {
    const { device, start } = facts;
    if (device !== undefined) return { device, pid, start, env: environmentOf(pid) };
    pid = facts.parentPid;
    facts = look(pid);
  }
  return undefined;
}

export function findOwnTerminal(): AgentTerminal | undefined {
  return findTerminal(ownPid, 0);
}

/** Whether its process still runs in it. */
export function isStillThere({ pid, start, device }: AgentTerminal, look: LookAtProcess = processLook()): boolean {
  const facts = look(pid);
  return facts?.start === start && facts.device === device;
}

function environmentOf(pid: number): Record<string, string> | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return undefined;
  }
  const wanted: ReadonlySet<string> = new Set(terminalVariables);
  const pairs = text.split("\0").map((line): [string, string] => {
    const end = line.indexOf("=");
    return [line.slice(0, end), line.slice(end + 1)];
  });
  return Object.fromEntries(pairs.filter(([name]) => wanted.has(name)));
}
