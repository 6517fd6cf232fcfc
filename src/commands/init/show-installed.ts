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

/** What init wrote, or would write, and what the person has to know or to do before an agent calls. */
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
  else if (written.length > 0) for (const line of refusalLines(reports)) io.stderr(`hookbell: not wired: ${line}\n`);
  if (newRules !== undefined) io.stdout(`${paint(io, "green", "wrote")} ${newRules}\n`);
  const names = written.map(({ prepared }) => prepared.target.id).join(",");
  if (names !== "") io.stdout(`try it: hookbell test; hookbell init --verify ${names}\n`);
}

/** Which events of an agent are wired, which are not, and why. */
function eventLines({ target, plan }: AgentReport["prepared"], isAwaited: IsAwaited): string[] {
  const { wired, leftOut, neverSent } = coverageOf(target, plan.events, (name) => isAwaited(target.id, name));
  const { events, ownFiles = [] } = target.wiring;
  // What a plug-in of ours listens to are names that nobody else reads.
  const named = (names: readonly string[]): string =>
    ownFiles.some(({ eventsIn }) => eventsIn !== undefined)
      ? [...new Set(names.flatMap((name) => events[name]?.mapsTo ?? []))].join(", ")
      : names.join(", ");
  const rest = leftOut.length === 0 ? "" : `; no rule asks for ${named(leftOut)} (--all-events wires all)`;
  const never = neverSent.length === 0 ? [] : [`${target.name} never tells of ${neverSent.join(", ")}`];
  const silent = wired.filter(
    (name) => events[name]?.isSupporting === true && events[name].mapsTo.every((means) => !isAwaited(target.id, means)),
  );
  const why = Object.entries(uses).flatMap(([means, use]) => {
    const names = named(silent.filter((name) => events[name]?.mapsTo.includes(means) === true));
    return names === "" ? [] : [`${names}: only to know when ${use}`];
  });
  return [`events: ${named(wired)}${rest}`, ...why, ...never];
}

/** What supporting events are good for where no rule asks for them, by our names. */
const uses = { UserPromptSubmit: "a turn begins", SessionEnd: "a session has ended" };

/** Some agents run other agents' hooks as well. */
function importLines({ name, wiring }: AgentTarget, reports: readonly AgentReport[]): string[] {
  const others = reports.filter(({ prepared: { target } }) => wiring.imports?.includes(target.id) === true);
  return others.map(
    ({ prepared }) => `${name} runs the hooks of ${prepared.target.name} as well; you hear of each event once`,
  );
}

type Io = Pick<CommandIo, "places" | "env" | "clock" | "random" | "platform">;

/** Says so where the built-in rules apply and this machine has nothing that they could use. */
export async function sayIfNothingShows(io: Io & Pick<CommandIo, "stdout">): Promise<void> {
  if (await canBuiltInRulesReachYou(io)) return;
  io.stdout("nothing here can show or sound: add a channel: hookbell channels add\n");
}

/** What the built-in rules can do here: false where this machine has neither a screen nor speakers to reach. */
async function canBuiltInRulesReachYou(io: Io): Promise<boolean> {
  const dispatcher = await viewDispatcher(io);
  const { rules, origin } = dispatcher.rules();
  if (origin !== "builtIn") return true;
  const results = await Promise.all(Object.values(rules.channels).map((channel) => probe(dispatcher, channel)));
  return results.some(({ status }) => status === "ok");
}
