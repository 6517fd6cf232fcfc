// Compares the events that an agent can send with those that the rules wait for.
import { agentEventNames } from "../../agents/event-names.ts";
import { knownEventNames } from "../../model/event.ts";
import type { HookedEvent } from "../../agents/hook-setup.ts";
import type { AgentTarget } from "./agent-target.ts";

/** What the user's rules switch on, besides being told of events. */
export const features = ["questions", "answers", "escalation", "stuckAfter", "limits", "usage"] as const;
export type Feature = (typeof features)[number];

/** A tool that has run means that the person allowed it. */
const toolCalls = ["PostToolUse", "PostToolUseFailure"];
const turnEnds = ["Stop", "StopFailure"];
/** A question is one or the other, depending on the agent. */
const questions = ["Notification", "PermissionRequest"];

/** The events, by hookbell's names, without which a feature says what is not true. `init` and `doctor` go by this table. */
const needs: Readonly<Record<Feature, readonly string[]>> = {
  // These events end a question, so that it leaves the list of those that wait.
  questions: [...toolCalls, ...turnEnds],
  // These events tell of an answer at the terminal, so that the card loses its buttons.
  answers: [...toolCalls, ...turnEnds],
  // These events tell of an answer, so that an answered question does not escalate.
  escalation: [...toolCalls, ...turnEnds],
  // A turn that has ended, or waits for an answer, must not look stuck.
  stuckAfter: [...questions, ...toolCalls, ...turnEnds],
  // A turn that failed says that a limit is reached.
  limits: ["StopFailure"],
  usage: toolCalls,
};

export function isNeeded({ mapsTo }: Pick<HookedEvent, "mapsTo">, features: readonly Feature[]): boolean {
  return features.some((feature) => needs[feature].some((name) => mapsTo.includes(name)));
}

export interface EventCoverage {
  /** The agent's names of events. */
  installed: string[];
  leftOut: string[];
  /** hookbell's names. */
  neverSent: string[];
}

const told = ["Stop", "StopFailure", "SubagentStop", "SessionEnd"];
/** Events that a rule must name. */
const named = agentEventNames.filter((name) => !knownEventNames.some((known) => known === name));

export function coverageOf(
  { hookSetup }: Pick<AgentTarget, "hookSetup">,
  installed: readonly string[],
  isAwaited: (name: string) => boolean,
): EventCoverage {
  const possible = Object.values(hookSetup.events).flatMap(({ mapsTo }) => mapsTo);
  const lacks = (names: readonly string[]): boolean =>
    names.some(isAwaited) && !names.some((name) => possible.includes(name));
  return {
    installed: [...installed],
    leftOut: Object.entries(hookSetup.events).flatMap(([event, { isOnlyIfNamed }]) =>
      isOnlyIfNamed === true || installed.includes(event) ? [] : [event],
    ),
    neverSent: [...(lacks(questions) ? ["Notification"] : []), ...[...told, ...named].filter((name) => lacks([name]))],
  };
}
