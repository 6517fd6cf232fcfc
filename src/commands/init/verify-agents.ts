import { awaitedEvents } from "../pipeline/awaited-events.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import { describeInstallProblem } from "../../install/problem.ts";
import { withReleases } from "../../install/target/release.ts";
import { switchWarnings } from "../../install/target/managed-settings.ts";
import { verifyCall } from "../../install/verify/verify-call.ts";
import { findWiredCalls } from "../../install/verify/wired-calls.ts";
import { prepareInstall, recognise, type WiringContext } from "../../install/install-agent.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { isDisabled } from "../../system/environment.ts";
import { inTemporaryFolder } from "../../system/files/temporary-folder.ts";
import type { CommandIo } from "../console/command-io.ts";
import { findFaults, type Fault, type VerifiedEvent } from "./verify-faults.ts";

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
  const isAwaited = awaitedEvents(io);
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
    return { target, events: [], faults: [{ text, mend: "unset HOOKBELL_DISABLE" }] };
  }
  const { calls, offFiles } = findWiredCalls(target, platform, recognise(context), env);
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
      verifyCall(target.id, call, { layout, clock, env, cwd, isDelivering }),
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
  const mend = `hookbell init --agent ${target.id}`;
  const missing = plan.missing.filter((event) => !wired.includes(event));
  const isBare = wired.length === 0 && plan.problems.length === 0;
  return [
    ...plan.problems.map((problem) => ({ text: describeInstallProblem(problem), mend: problem.hint })),
    ...(isBare ? [{ text: "its settings call hookbell for no event (a plug-in is not looked at)", mend }] : []),
    ...(missing.length > 0 && !isBare
      ? [{ text: `rules wait for events that are not wired: ${missing.join(", ")}`, mend }]
      : []),
    ...offFiles.map((path) => ({ text: `all hooks are switched off in ${path}`, mend: "take that switch out" })),
    ...switchWarnings(target).map((text) => ({ text })),
  ];
}
