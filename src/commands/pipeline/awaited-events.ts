import { createRulesReader } from "../../dispatch/current-rules.ts";
import { layoutOf } from "../../outbox/layout.ts";
import type { Rule } from "../../rules/rules.ts";
import { isEventAwaited } from "../../rules/apply/awaited-events.ts";
import type { CommandIo } from "../console/command-io.ts";

/** Whether a rule that applies now waits for an event of this name from this agent. */
export type IsAwaited = (agentId: string, name: string) => boolean;

/** The rules that apply now. */
export function applyingRules({ places }: Pick<CommandIo, "places">): Rule[] {
  return createRulesReader(places.rulesFile, layoutOf(places.stateDir))().rules.rules;
}

export function awaitedEvents(io: Pick<CommandIo, "places">): IsAwaited {
  const rules = applyingRules(io);
  return (agentId, name) => isEventAwaited(rules, agentId, name);
}
