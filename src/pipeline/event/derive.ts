// Derive: what hookbell itself adds: the agent's usage limit, and a watch for a turn that gets stuck.
import { stuckEventName, stuckIdOf } from "../../policies/stuck.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { levelOfEvent } from "../../model/level.ts";
import { selectDeliveries } from "../../rules/apply/select.ts";
import { turnOf } from "../../sessions/state.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { createDecideChannel } from "../decide/decide.ts";
import { planLimit } from "../decide/limit.ts";
import type { Deduped, Derived, DerivedEvent } from "./context.ts";
import { withFinding } from "../stages.ts";

export function derive(context: Deduped, dispatcher: Dispatcher): Derived {
  const limit = planLimit(dispatcher, { ...context, presence: context.facts.presence });
  const watch = watchOf(context, dispatcher);
  const found = [limit && "a usage limit", watch && "a watch for a stuck turn"].filter((each) => each !== undefined);
  if (found.length === 0) return { ...context, limit, watch };
  return { ...context, limit, watch, trace: withFinding(context.trace, "derive", ...found) };
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
  const decideChannel = createDecideChannel(dispatcher, stuck, { ...circumstances, presence: undefined });
  const selection = selectDeliveries(rules, stuck, decideChannel, circumstances.project);
  return { original: stuck, selection, kind: "stuck" };
}
