// Compares the events that an agent can send with those that the rules wait for.
import { agentEventNames } from "../../agents/event-names.ts";
import { knownEventNames } from "../../model/event.ts";
import type { AgentTarget } from "./agent-target.ts";

export interface EventCoverage {
  /** The agent's names of events. */
  wired: string[];
  leftOut: string[];
  /** hookbell's names. */
  neverSent: string[];
}

/** A question is one or the other, depending on the agent. */
const questions = ["Notification", "PermissionRequest"];
const told = ["Stop", "StopFailure", "SubagentStop", "SessionEnd"];
/** Events that a rule must name. */
const named = agentEventNames.filter((name) => !knownEventNames.some((known) => known === name));

export function coverageOf(
  { wiring }: Pick<AgentTarget, "wiring">,
  wired: readonly string[],
  isAwaited: (name: string) => boolean,
): EventCoverage {
  const possible = Object.values(wiring.events).flatMap(({ mapsTo }) => mapsTo);
  const lacks = (names: readonly string[]): boolean =>
    names.some(isAwaited) && !names.some((name) => possible.includes(name));
  return {
    wired: [...wired],
    leftOut: Object.entries(wiring.events).flatMap(([event, { isOnlyIfNamed }]) =>
      isOnlyIfNamed === true || wired.includes(event) ? [] : [event],
    ),
    neverSent: [...(lacks(questions) ? ["Notification"] : []), ...[...told, ...named].filter((name) => lacks([name]))],
  };
}
