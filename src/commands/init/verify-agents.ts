import { findAgent } from "../../agents/index.ts";
import { prepareInstall, hookOwners, type WiringContext } from "../../install/install-agent.ts";
import { describeInstallProblem } from "../../install/problem.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import { switchWarnings } from "../../install/target/managed-settings.ts";
import { withReleases } from "../../install/target/release.ts";
import { isNotFound, type VerifiedCall, verifyCall } from "../../install/verify/verify-call.ts";
import { findWiredCalls } from "../../install/verify/wired-calls.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { isDisabled } from "../../system/environment.ts";
import { inTemporaryFolder } from "../../system/files/temporary-folder.ts";
import type { CommandIo } from "../console/command-io.ts";
import { awaitedEvents } from "../pipeline/rule-coverage.ts";

export type VerifyIo = Pick<CommandIo, "env" | "clock" | "places" | "platform">;

/** Whether an agent's hooks reach the dispatcher. */
export interface VerifiedAgent {
  target: AgentTarget;
  events: VerifiedEvent[];
  /** What keeps the agent from calling us, whatever becomes of the calls. */
  faults: Fault[];
}

/** Calls every wired hook of these agents as the agent would, one after the other; writes no settings. */
export async function verifyAgents(
  io: VerifyIo,
  targets: readonly AgentTarget[],
  { installation, isDelivering }: { installation: WiringContext["installation"]; isDelivering: boolean },
  store: WiringContext["store"],
): Promise<VerifiedAgent[]> {
  const isAwaited = await awaitedEvents(io);
  const context: WiringContext = {
    installation,
    platform: io.platform,
    nowMs: io.clock.now(),
    store,
    isWanted: (id, means) => means.some((name) => isAwaited(id, name)),
  };
  const verified: VerifiedAgent[] = [];
  for (const target of await withReleases(targets, io.env)) {
    verified.push(await verifyAgent(io, target, context, isDelivering));
  }
  return verified;
}

async function verifyAgent(
  io: VerifyIo,
  target: AgentTarget,
  context: WiringContext,
  isDelivering: boolean,
): Promise<VerifiedAgent> {
  const { env, clock, places, platform } = io;
  if (isDisabled(env)) {
    const text = `HOOKBELL_DISABLE=${env.HOOKBELL_DISABLE} is set: every event is dropped`;
    return { target, events: [], faults: [{ text, fix: "unset HOOKBELL_DISABLE" }] };
  }
  const { calls, offFiles } = findWiredCalls(target, platform, hookOwners(context), env);
  const faults = faultsOfSettings(
    target,
    context,
    offFiles,
    calls.map(({ event }) => event),
  );
  const layout = layoutOf(places.stateDir);
  const events: VerifiedEvent[] = [];
  for (const call of calls) {
    const verified = await inTemporaryFolder((cwd) =>
      verifyCall(target, call, { layout, clock, env, cwd, isDelivering }),
    );
    events.push({ ...verified, faults: findFaults(target, verified, layout) });
  }
  return { target, events, faults };
}

/** What stands in the settings that keeps the agent from making the calls. */
function faultsOfSettings(
  target: AgentTarget,
  context: WiringContext,
  offFiles: readonly string[],
  wired: readonly string[],
): Fault[] {
  const { plan } = prepareInstall(context, target);
  const fix = `hookbell init --agent ${target.id}`;
  const missing = plan.missing.filter((event) => !wired.includes(event));
  const isBare = wired.length === 0 && plan.problems.length === 0;
  return [
    ...plan.problems.map((problem) => ({ text: describeInstallProblem(problem), fix: problem.hint })),
    ...(isBare ? [{ text: "its settings call hookbell for no event (a plug-in is not looked at)", fix }] : []),
    ...(missing.length > 0 && !isBare
      ? [{ text: `rules wait for events that are not wired: ${missing.join(", ")}`, fix }]
      : []),
    ...offFiles.map((path) => ({ text: `all hooks are switched off in ${path}`, fix: "take that switch out" })),
    ...switchWarnings(target).map((text) => ({ text })),
  ];
}

/** What is wrong, and what to do about it where anything can be done. */
export interface Fault {
  text: string;
  fix?: string;
}

export interface VerifiedEvent extends VerifiedCall {
  faults: Fault[];
}

/** What is wrong with a call as the agent sees it, and with what came of it. */
function findFaults(target: AgentTarget, verified: VerifiedCall, layout: Layout): Fault[] {
  const anew = `hookbell init --agent ${target.id} --yes`;
  return [...faultsOfRun(target, verified, anew), ...faultsOfArrival(target, verified, layout, anew)];
}

function faultsOfRun({ id, name, wiring }: AgentTarget, { call, result }: VerifiedCall, anew: string): Fault[] {
  const { code, notStarted, endedBy, stdout, stderr, isHeldOpen, waitedMs } = result;
  if (notStarted !== undefined || isNotFound(result)) {
    const isForbidden = notStarted === "EACCES" || code === 126;
    const what = isForbidden ? "may not be run" : "is not there, or what it needs is not";
    return [{ text: `${call.shown} ${what}`, fix: anew }];
  }
  if (endedBy === "timeout") {
    return [{ text: `it did not end: ${name} would have stopped it after ${waitedMs} ms`, fix: "hookbell doctor" }];
  }
  const faults: Fault[] = [];
  const said = firstLine(stderr);
  if (endedBy !== undefined) faults.push({ text: `${endedBy} ended it`, fix: anew });
  else if (code !== 0) {
    const blocks = code === undefined || code < 2 ? "" : `, which ${name} may read as "block"`;
    faults.push({ text: `it ends with ${code}${blocks}${said === "" ? "" : `: ${said}`}`, fix: anew });
  } else if (said !== "") {
    faults.push({ text: `it writes to standard error, which ${name} may show: ${said}`, fix: anew });
  }
  const isAnswer = wiring.ownFiles?.some((file) => file.isExecutable) || findAgent(id)?.showsInTerminal !== undefined;
  if (stdout !== "" && !(isAnswer && isJsonObject(stdout))) {
    faults.push({ text: `it prints what ${name} would take for an answer: ${firstLine(stdout)}`, fix: anew });
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
    return [{ text: `nothing arrived; it may still lie in ${incoming}`, fix: `hookbell doctor, then ${anew}` }];
  }
  const means = target.wiring.events[call.event]?.mapsTo ?? [];
  const { agent, name } = arrival;
  if (agent !== target.id) return [{ text: `it arrived as an event of ${agent}`, fix: anew }];
  if (means.length > 0 && !means.includes(name)) {
    return [{ text: `it arrived as ${name}, and not as ${means.join(" or ")}`, fix: anew }];
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
