import { findAgent } from "../../agents/index.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import { isNotFound, type VerifiedCall } from "../../install/verify/verify-call.ts";
import type { Layout } from "../../outbox/layout.ts";

/** What is wrong, and what to do about it where anything can be done. */
export interface Fault {
  text: string;
  mend?: string;
}

export interface VerifiedEvent extends VerifiedCall {
  faults: Fault[];
}

/** What is wrong with a call as the agent sees it, and with what came of it. */
export function findFaults(target: AgentTarget, verified: VerifiedCall, layout: Layout): Fault[] {
  const anew = `hookbell init --agent ${target.id} --yes`;
  return [...faultsOfRun(target, verified, anew), ...faultsOfArrival(target, verified, layout, anew)];
}

function faultsOfRun({ id, name, wiring }: AgentTarget, { call, result }: VerifiedCall, anew: string): Fault[] {
  const { code, notStarted, endedBy, stdout, stderr, isHeldOpen, waitedMs } = result;
  if (notStarted !== undefined || isNotFound(result)) {
    const isForbidden = notStarted === "EACCES" || code === 126;
    const what = isForbidden ? "may not be run" : "is not there, or what it needs is not";
    return [{ text: `${call.shown} ${what}`, mend: anew }];
  }
  if (endedBy === "timeout") {
    return [{ text: `it did not end: ${name} would have stopped it after ${waitedMs} ms`, mend: "hookbell doctor" }];
  }
  const faults: Fault[] = [];
  const said = firstLine(stderr);
  if (endedBy !== undefined) faults.push({ text: `${endedBy} ended it`, mend: anew });
  else if (code !== 0) {
    const blocks = code === undefined || code < 2 ? "" : `, which ${name} may read as "block"`;
    faults.push({ text: `it ends with ${code}${blocks}${said === "" ? "" : `: ${said}`}`, mend: anew });
  } else if (said !== "") {
    faults.push({ text: `it writes to standard error, which ${name} may show: ${said}`, mend: anew });
  }
  const isAnswer = wiring.ownFiles?.some((file) => file.isExecutable) || findAgent(id)?.showsInTerminal !== undefined;
  if (stdout !== "" && !(isAnswer && isJsonObject(stdout))) {
    faults.push({ text: `it prints what ${name} would take for an answer: ${firstLine(stdout)}`, mend: anew });
  }
  if (isHeldOpen) faults.push({ text: `it has ended, and its output is still open: ${name} would go on waiting` });
  return faults;
}

function faultsOfArrival(
  target: AgentTarget,
  { call, result, arrival, rejected }: VerifiedCall,
  { incoming }: Layout,
  anew: string,
): Fault[] {
  if (rejected !== undefined) return [{ text: `its payload was refused: ${rejected.join("; ")}` }];
  if (arrival === undefined) {
    // What did not run has sent nothing.
    if (result.code !== 0) return [];
    return [{ text: `nothing arrived; it may still lie in ${incoming}`, mend: `hookbell doctor, then ${anew}` }];
  }
  const means = target.wiring.events[call.event]?.means ?? [];
  const { agent, name } = arrival;
  if (agent !== target.id) return [{ text: `it arrived as an event of ${agent}`, mend: anew }];
  if (means.length > 0 && !means.includes(name)) {
    return [{ text: `it arrived as ${name}, and not as ${means.join(" or ")}`, mend: anew }];
  }
  return [];
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.trim() ?? "";
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
