import { createRulesReader } from "../dispatch/current-rules.ts";
import { layoutOf } from "../outbox/layout.ts";
import { isEventAwaited } from "../rules/wanted-events.ts";
import type { CommandIo } from "./command-io.ts";

/** Whether a rule that applies now waits for an event of this name from this agent. */
export type IsAwaited = (agentId: string, name: string) => boolean;

export function awaitedEvents({ places }: Pick<CommandIo, "places">): IsAwaited {
  const { rules } = createRulesReader(places.rulesFile, layoutOf(places.stateDir))().rules;
  return (agentId, name) => isEventAwaited(rules, agentId, name);
}
