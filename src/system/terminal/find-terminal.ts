// Finds the terminal that an agent runs in.
import { terminalVariables, type AgentTerminal } from "../../model/places/agent-terminal.ts";
import { environmentOf } from "../environment.ts";
import { ownPid } from "../process/identity.ts";
import { processLook, processSeenFor, type LookAtProcess } from "../process/facts.ts";

const maxAncestors = 64;

/** The process's own terminal or its nearest ancestor's. A process younger than `seenMs` has reused the id. */
export function findTerminal(
  pid: number,
  seenMs: number,
  look: LookAtProcess = processLook(),
): AgentTerminal | undefined {
  let facts = processSeenFor(pid, seenMs, look);
  for (let count = 0; facts !== undefined && pid > 1 && count < maxAncestors; count += 1) {
    const { device, start } = facts;
    if (device !== undefined) return { device, pid, start, env: environmentOf(pid, terminalVariables) };
    pid = facts.parentPid;
    facts = look(pid);
  }
  return undefined;
}

export function findOwnTerminal(): AgentTerminal | undefined {
  return findTerminal(ownPid, 0);
}

export function isStillThere({ pid, start, device }: AgentTerminal, look: LookAtProcess = processLook()): boolean {
  const facts = look(pid);
  return facts?.start === start && facts.device === device;
}
