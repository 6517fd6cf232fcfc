import { coverageOf } from "../../install/target/event-coverage.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import type { IsAwaited } from "../pipeline/awaited-events.ts";
import type { AgentReport } from "./report.ts";

/** Which events of an agent are wired, which are not, and why. */
export function eventLines({ target, plan }: AgentReport["prepared"], isAwaited: IsAwaited): string[] {
  const { wired, leftOut, neverSent } = coverageOf(target, plan.events, (name) => isAwaited(target.id, name));
  const { events, ownFiles = [] } = target.wiring;
  // What a plug-in of ours listens to are names that nobody else reads.
  const named = (names: readonly string[]): string =>
    ownFiles.some(({ eventsIn }) => eventsIn !== undefined)
      ? [...new Set(names.flatMap((name) => events[name]?.means ?? []))].join(", ")
      : names.join(", ");
  const rest = leftOut.length === 0 ? "" : `; no rule asks for ${named(leftOut)} (--all-events wires all)`;
  const never = neverSent.length === 0 ? [] : [`${target.name} never tells of ${neverSent.join(", ")}`];
  const silent = wired.filter(
    (name) => events[name]?.isSupporting === true && events[name].means.every((means) => !isAwaited(target.id, means)),
  );
  const why = Object.entries(uses).flatMap(([means, use]) => {
    const names = named(silent.filter((name) => events[name]?.means.includes(means) === true));
    return names === "" ? [] : [`${names}: only to know when ${use}`];
  });
  return [`events: ${named(wired)}${rest}`, ...why, ...never];
}

/** What supporting events are good for where no rule asks for them, by our names. */
const uses = { UserPromptSubmit: "a turn begins", SessionEnd: "a session has ended" };

/** Some agents run other agents' hooks as well. */
export function importLines({ name, wiring }: AgentTarget, reports: readonly AgentReport[]): string[] {
  const others = reports.filter(({ prepared: { target } }) => wiring.imports?.includes(target.id) === true);
  return others.map(
    ({ prepared }) => `${name} runs the hooks of ${prepared.target.name} as well; you hear of each event once`,
  );
}
