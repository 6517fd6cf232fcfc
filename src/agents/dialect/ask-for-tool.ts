import type { EventFacts, Payload } from "./agent.ts";
import { objectOf, textOf } from "./values.ts";

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
