// Runs the agents' installed hooks, and finds what is wrong with them.
import { unsetCommand } from "../../model/places/user-shell.ts";
import { join } from "node:path";
import { findAgent } from "../../agents/index.ts";
import { prepareInstall, hookOwners, type InstallContext } from "../../install/install-agent.ts";
import { describeInstallProblem } from "../../install/problem.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import { switchWarnings } from "../../install/target/managed-settings.ts";
import { isNotFound, type VerifiedCall, verifyCall } from "../../install/verify/verify-call.ts";
import { findInstalledCalls } from "../../install/verify/installed-calls.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { isDisabled } from "../../system/environment.ts";
import { ensurePrivateDir, inTemporaryFolder } from "../../system/files/files.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { wishesOf } from "../pipeline/rule-coverage.ts";
import { asObject, parseJson } from "../../model/json.ts";

export type VerifyIo = Pick<CommandIo, "env" | "clock" | "places" | "platform">;

export interface VerifiedAgent {
  target: AgentTarget;
  events: VerifiedEvent[];
  /** Why the agent does not call its hooks at all. */
  faults: Fault[];
}

/** Runs one hook after the other; changes no settings. */
export async function verifyAgents(
  io: VerifyIo,
  targets: readonly AgentTarget[],
  { installation, isDelivering }: { installation: InstallContext["installation"]; isDelivering: boolean },
  store: InstallContext["store"],
): Promise<VerifiedAgent[]> {
  const { isWanted } = await wishesOf(io);
  const context: InstallContext = {
    installation,
    platform: io.platform,
    nowMs: io.clock.now(),
    store,
    isWanted,
  };
  const verified: VerifiedAgent[] = [];
  for (const target of targets) {
    verified.push(await verifyAgent(io, target, context, isDelivering));
  }
  return verified;
}

async function verifyAgent(
  io: VerifyIo,
  target: AgentTarget,
  context: InstallContext,
  isDelivering: boolean,
): Promise<VerifiedAgent> {
  const { env, clock, places, platform } = io;
  if (isDisabled(env)) {
    const text = `HOOKBELL_DISABLE=${env.HOOKBELL_DISABLE} is set: every event is dropped`;
    return { target, events: [], faults: [{ text, fix: unsetCommand("HOOKBELL_DISABLE", platform) }] };
  }
  const { calls, offFiles } = findInstalledCalls(target, platform, hookOwners(context), env);
  const faults = faultsOfSettings(
    target,
    context,
    offFiles,
    calls.map(({ event }) => event),
  );
  const layout = layoutOf(places.stateDir);
  const events: VerifiedEvent[] = [];
  // If one event does not arrive, the others of this agent hardly will.
  let isPatient = true;
  for (const call of calls) {
    const verified = await inTemporaryFolder((folder) => {
      // Its name stands for a project's in the log.
      const cwd = join(folder, "hookbell-verification");
      ensurePrivateDir(cwd);
      return verifyCall(target, call, { layout, clock, env, cwd, isDelivering, isPatient });
    });
    isPatient &&= verified.arrival !== undefined || verified.rejected !== undefined;
    const reinstall = `hookbell init --agent ${target.id} --yes`;
    const found = [
      ...faultsOfRun(target, verified, reinstall),
      ...faultsOfArrival(target, verified, layout, reinstall),
    ];
    events.push({ ...verified, faults: found });
  }
  return { target, events, faults };
}

/** What in the settings keeps the agent from calling the hooks. */
function faultsOfSettings(
  target: AgentTarget,
  context: InstallContext,
  offFiles: readonly string[],
  installed: readonly string[],
): Fault[] {
  const { plan } = prepareInstall(context, target);
  const fix = `hookbell init --agent ${target.id}`;
  const missing = plan.missing.filter((event) => !installed.includes(event));
  const isBare = installed.length === 0 && plan.problems.length === 0;
  return [
    ...plan.problems.map((problem) => ({ text: describeInstallProblem(problem), fix: problem.hint })),
    ...(isBare ? [{ text: "its settings contain no hook of hookbell (plug-ins are not checked)", fix }] : []),
    ...(missing.length > 0 && !isBare
      ? [{ text: `rules wait for events that no hook sends: ${missing.join(", ")}`, fix }]
      : []),
    ...offFiles.map((path) => ({ text: `all hooks are switched off in ${path}`, fix: "remove that switch" })),
    ...switchWarnings(target).map((text) => ({ text })),
  ];
}

export interface Fault {
  text: string;
  fix?: string;
}

export interface VerifiedEvent extends VerifiedCall {
  faults: Fault[];
}

function faultsOfRun({ id, name, hookSetup }: AgentTarget, { call, result }: VerifiedCall, reinstall: string): Fault[] {
  const { code, notStarted, endedBy, stdout, stderr, isHeldOpen, waitedMs } = result;
  if (notStarted !== undefined || isNotFound(result)) {
    const isForbidden = notStarted === "EACCES" || code === 126;
    const what = isForbidden ? "cannot be executed" : "or something it needs does not exist";
    return [{ text: `${call.shown} ${what}`, fix: reinstall }];
  }
  if (endedBy === "timeout") {
    return [{ text: `it did not end; ${name} would stop it after ${waitedMs} ms`, fix: "hookbell doctor" }];
  }
  const faults: Fault[] = [];
  const said = firstLine(stderr);
  if (endedBy !== undefined) faults.push({ text: `${endedBy} ended it`, fix: reinstall });
  else if (code !== 0) {
    const blocks = code === undefined || code < 2 ? "" : `, which ${name} may read as "block"`;
    faults.push({ text: `it ends with exit code ${code}${blocks}${said === "" ? "" : `: ${said}`}`, fix: reinstall });
  } else if (said !== "") {
    faults.push({ text: `it writes to standard error, which ${name} may show: ${said}`, fix: reinstall });
  }
  const isAnswer =
    hookSetup.ownFiles?.some((file) => file.isExecutable) || findAgent(id)?.showsInTerminal !== undefined;
  if (stdout !== "" && !(isAnswer && asObject(parseJson(stdout)) !== undefined)) {
    faults.push({
      text: `it prints something that ${name} would read as an answer: ${firstLine(stdout)}`,
      fix: reinstall,
    });
  }
  if (isHeldOpen) faults.push({ text: `it ended, but its output is still open, so ${name} would keep waiting` });
  return faults;
}

function faultsOfArrival(
  target: AgentTarget,
  { call, result, arrival, rejected }: VerifiedCall,
  { incoming }: Layout,
  reinstall: string,
): Fault[] {
  if (rejected !== undefined) return [{ text: `its payload was rejected: ${rejected.join("; ")}` }];
  if (arrival === undefined) {
    if (result.code !== 0) return [];
    return [{ text: `nothing arrived; it may still be in ${incoming}`, fix: reinstall }];
  }
  const means = target.hookSetup.events[call.event]?.mapsTo ?? [];
  const { agent, name } = arrival;
  if (agent !== target.id) return [{ text: `it arrived as an event of ${agent}`, fix: reinstall }];
  if (means.length > 0 && !means.includes(name)) {
    return [{ text: `it arrived as ${name}, not as ${means.join(" or ")}`, fix: reinstall }];
  }
  return [];
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.trim() ?? "";
}
