// Reads payloads of Claude Code, and of agents that took over its form.
import type { PayloadFacts, Payload } from "./agent.ts";
import { genericFacts } from "./generic.ts";
import { toolFacts, type ToolReaders } from "./tool-line.ts";
import { millisecondsOf } from "./values.ts";
import { objectOf, textOf } from "../../model/json.ts";

export function claudeFacts(tools: ToolReaders, payload: Payload, eventName: string): PayloadFacts {
  const effort = textOf(objectOf(payload.effort).level);
  const facts: PayloadFacts = {
    ...genericFacts(payload),
    turn: textOf(payload.prompt_id) ?? textOf(payload.turn_id),
    ...(effort === undefined ? {} : { effort }),
  };
  if (/^(?:PermissionRequest|PermissionDenied|PreToolUse)$/.test(eventName)) {
    return { ...facts, ...toolFacts(tools, payload) };
  }
  if (eventName === "Notification") {
    return { ...facts, notificationType: facts.notificationType ?? typeOfMessage(facts.message) };
  }
  if (/^PostToolUse(?:Failure)?$/.test(eventName)) {
    const durationMs = millisecondsOf(payload.duration_ms);
    const { request } = toolFacts(tools, payload);
    return { ...facts, ...(request && { request }), ...(durationMs !== undefined && { durationMs }) };
  }
  if (eventName === "SessionStart" && payload.source === "compact") return { ...facts, means: "compacted" };
  const runningHelpers = countRunningSubagents(payload);
  return runningHelpers === undefined ? facts : { ...facts, runningHelpers };
}

/** Older releases have no type, and only these words tell. */
function typeOfMessage(message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  if (/^[\w ]{1,20} needs (?:your )?permission\b/.test(message)) return "permission_prompt";
  return /^[\w ]{1,20} is waiting for your input\b/.test(message) ? "idle_prompt" : undefined;
}

/** The agent continues by itself after these. Others, like a shell or a monitor, may run for ever. */
const subagentTypes: ReadonlySet<unknown> = new Set(["subagent", "workflow", "teammate", "cloud session"]);

/** The number of subagents that run on after the turn. A subagent that stops is still listed itself. */
function countRunningSubagents({ background_tasks: tasks, agent_id: self }: Payload): number | undefined {
  if (!Array.isArray(tasks)) return undefined;
  return tasks
    .map(objectOf)
    .filter(
      ({ id, type, status }) =>
        subagentTypes.has(type) && /^(?:running|pending)$/.test(String(status)) && (id === undefined || id !== self),
    ).length;
}
