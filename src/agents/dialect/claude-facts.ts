import type { EventFacts, Payload } from "./agent.ts";
import { genericFacts } from "./generic.ts";
import { objectOf, textOf } from "./values.ts";

/** The facts of agents that write as Claude Code does; `name` is how people write the agent's name. */
export function claudeFacts(name: string, payload: Payload, eventName: string): EventFacts {
  const facts: EventFacts = { ...genericFacts(payload), turn: textOf(payload.prompt_id) ?? textOf(payload.turn_id) };
  if (eventName === "PermissionRequest") return { ...facts, ...askForTool(name, payload) };
  if (eventName === "Notification") {
    return { ...facts, notificationType: facts.notificationType ?? typeOfMessage(facts.message) };
  }
  const runningHelpers = countRunningHelpers(payload);
  return runningHelpers === undefined ? facts : { ...facts, runningHelpers };
}

/** Older releases say what a notification is about in its words alone, and always in the same ones. */
function typeOfMessage(message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  if (/^[\w ]{1,20} needs (?:your )?permission\b/.test(message)) return "permission_prompt";
  return /^[\w ]{1,20} is waiting for your input\b/.test(message) ? "idle_prompt" : undefined;
}

/** Helpers that go on after the turn. A shell may run for ever, like a server; a helper that stops is still listed itself. */
function countRunningHelpers({ background_tasks: tasks, agent_id: self }: Payload): number | undefined {
  if (!Array.isArray(tasks)) return undefined;
  return tasks
    .map(objectOf)
    .filter(({ id, type, status }) => type === "subagent" && status === "running" && (id === undefined || id !== self))
    .length;
}

/**
 * The question of a `PermissionRequest`, which carries no words of its own: `Codex wants to use Bash: npm test`. `agent` is
 * how people write the agent's name.
 */
export function askForTool(agent: string, payload: Payload): Pick<EventFacts, "message" | "title"> {
  const tool = textOf(payload.tool_name);
  if (tool === undefined) return {};
  const what = whatFor(objectOf(payload.tool_input));
  return { message: `${agent} wants to use ${tool}${what === undefined ? "" : `: ${what}`}`, title: tool };
}

/** What a yes would let happen goes before the model's words about it. Of many lines, such as a patch's, the first. */
function whatFor(input: Payload): string | undefined {
  const what = textOf(input.command) ?? textOf(input.file_path) ?? textOf(input.url) ?? textOf(input.description);
  const [first, ...more] = what?.trim().split(/\r?\n/) ?? [];
  return first === undefined || first === "" ? undefined : `${first}${more.length === 0 ? "" : " …"}`;
}
