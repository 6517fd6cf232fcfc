// Shows what init wrote, and what the person should know about it.
import { probe } from "../../dispatch/send/probe.ts";
import { nextStepOf, type AgentTarget } from "../../install/target/agent-target.ts";
import { coverageOf } from "../../install/target/event-coverage.ts";
import { findOwnNotifications } from "../../install/target/own-notifications.ts";
import type { CommandIo } from "../console/command-io.ts";
import { paint } from "../console/text.ts";
import { viewDispatcher } from "../pipeline/open-dispatcher.ts";
import type { IsAwaited } from "../pipeline/rule-coverage.ts";
import { type AgentReport, isWritten, type Output, showWritten } from "./report.ts";
import { refusalLines } from "./show-plans.ts";

export function showInstalled(
  io: Output,
  reports: readonly AgentReport[],
  { isDryRun, isAwaited, newRules }: { isDryRun: boolean; isAwaited: IsAwaited; newRules: string | undefined },
): void {
  const written = reports.filter(isWritten);
  for (const report of reports) {
    showWritten(io, report);
    const { prepared } = report;
    const isPlanned = isDryRun && prepared.plan.changes.length > 0;
    if (isPlanned) io.stdout(`${prepared.target.name}:\n`);
    if (!isPlanned && !written.includes(report)) continue;
    const { target } = prepared;
    const lines = [nextStepOf(target), ...findOwnNotifications(target), ...importLines(target, reports)];
    io.stdout([...eventLines(prepared, isAwaited), ...lines].map((line) => `  ${line}\n`).join(""));
  }
  if (isDryRun) io.stdout("dry run: nothing was written\n");
  else if (written.length > 0) for (const line of refusalLines(reports)) io.stderr(`hookbell: not changed: ${line}\n`);
  if (newRules !== undefined) io.stdout(`${paint(io, "green", "wrote")} ${newRules}\n`);
  const names = written.map(({ prepared }) => prepared.target.id).join(",");
  if (names !== "") io.stdout(`try it: hookbell test; hookbell init --verify ${names}\n`);
}

/** Which events have hooks, which have not, and why. */
function eventLines({ target, plan }: AgentReport["prepared"], isAwaited: IsAwaited): string[] {
  const { wired, leftOut, neverSent } = coverageOf(target, plan.events, (name) => isAwaited(target.id, name));
  const { events, ownFiles = [] } = target.wiring;
  // The names that hookbell's own plug-in listens to mean nothing to the person.
  const named = (names: readonly string[]): string =>
    ownFiles.some(({ eventsIn }) => eventsIn !== undefined)
      ? [...new Set(names.flatMap((name) => events[name]?.mapsTo ?? []))].join(", ")
      : names.join(", ");
  const rest = leftOut.length === 0 ? "" : `; no rule uses ${named(leftOut)} (--all-events adds all)`;
  const never = neverSent.length === 0 ? [] : [`${target.name} never reports ${neverSent.join(", ")}`];
  const silent = wired.filter(
    (name) =>
      (events[name]?.isSupporting === true || events[name]?.alsoFor !== undefined) &&
      events[name].mapsTo.every((means) => !isAwaited(target.id, means)),
  );
  const why = Object.entries(uses).flatMap(([means, use]) => {
    const names = named(silent.filter((name) => events[name]?.mapsTo.includes(means) === true));
    return names === "" ? [] : [`${names}: only to know ${use}`];
  });
  return [`events: ${named(wired)}${rest}`, ...why, ...never];
}

/** What supporting events are used for. */
const uses = {
  UserPromptSubmit: "when a turn starts",
  SessionStart: "which sessions are helpers",
  SessionEnd: "when a session ends",
  PermissionRequest: "what a question is about",
  PreToolUse: "what a question is about",
};

function importLines({ name, wiring }: AgentTarget, reports: readonly AgentReport[]): string[] {
  const others = reports.filter(({ prepared: { target } }) => wiring.imports?.includes(target.id) === true);
  return others.map(
    ({ prepared }) => `${name} also runs the hooks of ${prepared.target.name}; each event notifies you once`,
  );
}

type Io = Pick<CommandIo, "places" | "env" | "clock" | "random" | "platform">;

export async function warnIfUnreachable(io: Io & Pick<CommandIo, "stdout">): Promise<void> {
  if (await canBuiltInRulesReachYou(io)) return;
  io.stdout("This machine has no notification daemon and no sound player. Add a channel: hookbell channels add\n");
}

async function canBuiltInRulesReachYou(io: Io): Promise<boolean> {
  const dispatcher = await viewDispatcher(io);
  const { rules, origin } = dispatcher.rules();
  if (origin !== "builtIn") return true;
  const results = await Promise.all(Object.values(rules.channels).map((channel) => probe(dispatcher, channel)));
  return results.some(({ status }) => status === "ok");
}
