// ComputerInstall: an install session was accepted or refused, or a step ended.
import type { Computer } from "../contract/computers.ts";
import { platformEvent, type PlatformEvent } from "./event.ts";

type Step = NonNullable<Computer["provisioningSteps"]>[number];

type Described = Pick<Computer, "id" | "name" | "status" | "provisioningSteps">;

/** What the answer to an accepted request says, in its order: steps that had ended before, the new session, what ended since. */
export function acceptedInstall(computer: Described, nowMs: number): PlatformEvent[] {
  const running = (computer.provisioningSteps ?? []).filter(({ status }) => isGoingOn(status));
  const session = running.find(({ installSessionId }) => installSessionId !== undefined)?.installSessionId;
  const accepted = startedSession(computer, session, nowMs);
  const ended = endedInstall(computer, nowMs);
  // Where no step goes on any more, the new session may be what has ended.
  return running.length === 0 ? [accepted, ...ended] : [...ended, accepted];
}

/**
 * What a computer of one's own server says of its last session: that it began, and how it ended. The beginning comes first, also
 * where the command that asked for it has not told of it yet.
 */
export function sessionEvents(computer: Described, nowMs: number): PlatformEvent[] {
  const session = computer.provisioningSteps?.find(({ installSessionId }) => installSessionId !== undefined);
  return [startedSession(computer, session?.installSessionId, nowMs), ...endedInstall(computer, nowMs)];
}

function startedSession({ id, name }: Described, session: string | undefined, nowMs: number): PlatformEvent {
  return platformEvent({
    key: `computer-install-${id}-accepted-${session ?? nowMs}`,
    name: "ComputerInstall",
    subject: name,
    title: "installing dependencies",
    message: `A new install session has started${session === undefined ? "" : `: ${session}`}.`,
    reason: "accepted",
    details: { computerId: id, installSessionId: session },
  });
}

export function refusedInstall(computerId: string, why: string, nowMs: number): PlatformEvent {
  return platformEvent({
    key: `computer-install-${computerId}-refused-${nowMs}`,
    name: "ComputerInstall",
    subject: computerId,
    title: "the install request was refused",
    message: why,
    reason: "refused",
    details: { computerId },
  });
}

function endedInstall(computer: Described, nowMs: number): PlatformEvent[] {
  const { status, provisioningSteps: steps = [] } = computer;
  const results = steps.map(resultOf);
  // The computer is in error though no step says so: then it is the last one that failed.
  const isUnexplained =
    status === "error" && !results.includes("failed") && steps.every((step) => !isGoingOn(step.status));
  const culprit = isUnexplained ? results.lastIndexOf("finished") : -1;
  return steps.flatMap((step, index) => {
    const result = index === culprit ? "failed" : results[index];
    return result === undefined ? [] : [endedStep(computer, step, result, nowMs)];
  });
}

/** The document names no status but `Running`. These are in lower case, letters only. */
const goingOn = new Set(
  (
    "running pending queued waiting scheduled starting started notstarted retrying inprogress provisioning installing " +
    "created idle"
  ).split(" "),
);
const successes = new Set(
  "done completed complete finished succeeded success successful passed ok ready active installed skipped".split(" "),
);

function lettersOf(status: string): string {
  return status.toLowerCase().replace(/[^a-z]/g, "");
}

function isGoingOn(status: string): boolean {
  return goingOn.has(lettersOf(status));
}

/** Undefined for a step that has neither failed nor finished. What is not known to be a success is a failure: it must not be missed. */
function resultOf({ status, error }: Step): "failed" | "finished" | undefined {
  // The step that runs again may still have the error of the session before.
  if (lettersOf(status) === "running") return undefined;
  if (error !== undefined) return "failed";
  if (isGoingOn(status)) return undefined;
  return successes.has(lettersOf(status)) ? "finished" : "failed";
}

function endedStep(
  { id, name }: Pick<Computer, "id" | "name">,
  step: Step,
  reason: "failed" | "finished",
  nowMs: number,
): PlatformEvent {
  // Without a session and a time, a failure cannot be told from an earlier one, which must not hide it.
  const which =
    step.completedAt ?? step.startedAt ?? (step.installSessionId === undefined && reason === "failed" ? nowMs : "");
  return platformEvent({
    key: `computer-install-${[id, step.id, step.installSessionId ?? "", which, reason].join("-")}`,
    name: "ComputerInstall",
    subject: name,
    title: `${step.name} ${reason}`,
    message: reason === "failed" ? whyFailed(step) : `The step "${step.name}" of ${name} has finished.`,
    reason,
    type: step.id,
    details: { computerId: id, stepId: step.id, installSessionId: step.installSessionId },
  });
}

function whyFailed({ error, status }: Step): string {
  if (error !== undefined && error !== "") return error;
  return successes.has(lettersOf(status))
    ? "The computer is in the state error; the service gives no reason."
    : `Its status is ${status}; the service gives no reason.`;
}
