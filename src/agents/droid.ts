import type { Agent } from "./define-agent.ts";
import { droidWiring } from "./droid-wiring.ts";
import { genericCommon, genericEvents, genericFacts, textOf } from "./generic.ts";
import { fields, optionalBoolean, optionalNumber, optionalString } from "./payload-fields.ts";

/** Factory's Droid: https://docs.factory.ai/reference/hooks-reference */
export const droid: Agent = {
  id: "droid",
  name: "Droid",
  docs: "https://docs.factory.ai/reference/hooks-reference",
  isCalling: (_payload, env) => env.FACTORY_PROJECT_DIR !== undefined || env.DROID_PROJECT_DIR !== undefined,
  acceptsCamelCase: true,
  common: genericCommon,
  events: {
    ...genericEvents,
    Stop: () =>
      fields({
        stop_hook_active: optionalBoolean(),
        last_assistant_message: optionalString(),
        tool_execution_count: optionalNumber(),
        elapsed_time: optionalNumber(),
      }),
    SubagentStop: () =>
      fields({ stop_hook_active: optionalBoolean(), task_name: optionalString(), task_result: optionalString() }),
  },
  facts(payload) {
    const facts = genericFacts(payload);
    // A Stop of droid tells how long the turn took, in milliseconds; 0 when it did not measure.
    const elapsedMs = payload.hook_event_name === "Stop" ? payload.elapsed_time : undefined;
    return {
      ...facts,
      message: facts.message ?? textOf(payload.task_error) ?? textOf(payload.task_result),
      subagent: facts.subagent ?? textOf(payload.task_name),
      ...(typeof elapsedMs === "number" && elapsedMs > 0 ? { durationMs: Math.round(elapsedMs) } : {}),
    };
  },
  wiring: droidWiring,
};
