// Hints at a misspelt `--agent`.
import { agents, findAgent } from "../../agents/index.ts";
import { nearest } from "../../rules/nearest.ts";

/** An unknown agent is not an error: its payloads are read in the generic dialect. */
export function agentNameHint(agentId: string | undefined): string | undefined {
  if (agentId === undefined || findAgent(agentId) !== undefined) return undefined;
  const ids = agents.map(({ id }) => id);
  const word = nearest(agentId, ids.map(firstWord));
  const meant = nearest(agentId, ids) ?? ids.find((id) => firstWord(id) === word);
  if (meant === undefined) return undefined;
  return `unknown agent ${JSON.stringify(agentId)}, so the payload is read in the generic dialect; did you mean "${meant}"? (agents: ${ids.join(", ")})`;
}

/** People say `claude` for `claude-code`. */
function firstWord(id: string): string {
  return id.split("-")[0] ?? id;
}
