// Derive: what hookbell itself adds: the agent's usage limit, and a watch for a turn that gets stuck.
import { stuckEventName, stuckIdOf } from "../../attention/stuck.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { levelOfEvent } from "../../model/level.ts";
import { selectDeliveries } from "../../rules/apply/select.ts";
import { turnOf } from "../../sessions/state.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { createHoldBack } from "../plan/hold-back.ts";
import { planLimit } from "../plan/limit.ts";
import type { Deduped, Derived, DerivedEvent } from "./context.ts";

export function derive(context: Deduped, dispatcher: Dispatcher): Derived {
  return {
    ...context,
    limit: planLimit(dispatcher, { ...context, presence: context.facts.presence }),
    watch: watchOf(context, dispatcher),
  };
}

/** The message for a stuck turn waits from the turn's beginning on. */
function watchOf({ original: event, circumstances }: Deduped, dispatcher: Dispatcher): DerivedEvent | undefined {
  const { rules } = dispatcher.rules();
  const { stuckAfterMs } = rules;
  const isNewTurn =
    event.name === "UserPromptSubmit" && turnOf(circumstances.session)?.startedAt === Date.parse(event.at);
  if (stuckAfterMs === undefined || !isNewTurn) return undefined;
  const { id, name: _, agentEvent: __, message: ___, ...rest } = event;
  const message = `No sign of work for ${formatDuration(stuckAfterMs)}.`;
  const stuck = { ...rest, id: stuckIdOf(id), name: stuckEventName, level: levelOfEvent(stuckEventName), message };
  const holdBack = createHoldBack(dispatcher, stuck, { ...circumstances, presence: undefined });
  const selection = selectDeliveries(rules, stuck, holdBack, circumstances.project);
  return { original: stuck, selection, kind: "stuck" };
}
