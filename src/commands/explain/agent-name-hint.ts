import { agents, findAgent } from "../../agents/index.ts";
import { nearest } from "../../rules/nearest.ts";

/**
 * What to tell a person whose `--agent` is probably a slip of the pen. Any name is taken, and read in the generic
 * dialect: a hook that said anything would be heard by the agent.
 */
export function agentSlip(agentId: string | undefined): string | undefined {
  if (agentId === undefined || findAgent(agentId) !== undefined) return undefined;
  const ids = agents.map(({ id }) => id);
  const meant = nearest(agentId, ids) ?? beginningWith(nearest(agentId, ids.map(firstWord)), ids);
  if (meant === undefined) return undefined;
  return `there is no agent ${JSON.stringify(agentId)}, so it is read in the generic dialect; did you mean "${meant}"? (${ids.join(", ")})`;
}

/** `claude` of `claude-code`, which is what people call it. */
function firstWord(id: string): string {
  return id.split("-")[0] ?? id;
}

function beginningWith(word: string | undefined, ids: readonly string[]): string | undefined {
  return ids.find((id) => firstWord(id) === word);
}
