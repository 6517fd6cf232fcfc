// ComputerInstall: an install session was accepted or refused, or a step ended.
import type { Computer } from "../contract/computers.ts";
import { platformEvent, type PlatformEvent } from "./event.ts";

/** The new session, and steps that have ended before. */
export function acceptedInstall(computer: Computer, nowMs: number): PlatformEvent[] {
  const { id, name, provisioningSteps: steps = [] } = computer;
  const running = steps.find(({ status, installSessionId }) => status === "Running" && installSessionId !== undefined);
  const session = running?.installSessionId;
  const accepted = platformEvent({
    key: `computer-install-${id}-accepted-${session ?? nowMs}`,
    name: "ComputerInstall",
    subject: name,
    title: "installing dependencies",
    message: `A new install session has started${session === undefined ? "" : `: ${session}`}.`,
    reason: "accepted",
    details: { computerId: id, installSessionId: session },
  });
  return [...endedInstall(computer), accepted];
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

/** What a computer says of steps that have ended. */
export function endedInstall(computer: Computer): PlatformEvent[] {
  return (computer.provisioningSteps ?? []).flatMap((step) => endedStep(computer, step) ?? []);
}

/** A step that has failed or finished; undefined for one that has done neither. */
export function endedStep(
  { id, name }: Pick<Computer, "id" | "name">,
  step: NonNullable<Computer["provisioningSteps"]>[number],
): PlatformEvent | undefined {
  const hasFailed = step.error !== undefined && step.status !== "Running";
  if (!hasFailed && (step.completedAt === undefined || step.status === "Running")) return undefined;
  const reason = hasFailed ? "failed" : "finished";
  return platformEvent({
    key: `computer-install-${[id, step.id, step.installSessionId ?? "", step.completedAt ?? step.startedAt ?? "", reason].join("-")}`,
    name: "ComputerInstall",
    subject: name,
    title: `${step.name} ${reason}`,
    message: hasFailed ? (step.error ?? "") : `The step "${step.name}" of ${name} has finished.`,
    reason,
    type: step.id,
    details: { computerId: id, stepId: step.id, installSessionId: step.installSessionId },
  });
}
