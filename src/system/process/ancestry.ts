// A process and its ancestors.
import { type LookAtProcess, type ProcessFacts, processLook } from "./facts.ts";
import { ownPid } from "./identity.ts";

export interface ProcessInChain extends ProcessFacts {
  pid: number;
}

const maxAncestors = 64;

/** The process first. Ends where the system shows no more; empty on Windows. */
function ancestryOf(pid: number, look: LookAtProcess = processLook()): ProcessInChain[] {
  const chain: ProcessInChain[] = [];
  for (let next = pid; next > 0 && chain.length < maxAncestors;) {
    const facts = look(next);
    if (facts === undefined) break;
    chain.push({ pid: next, ...facts });
    next = facts.parentPid;
  }
  return chain;
}

export function ownAncestry(): ProcessInChain[] {
  return ancestryOf(ownPid);
}
