import type { Agent, Environment, Payload } from "./dialect/agent.ts";
import { generic } from "./dialect/generic.ts";
import { agents, findAgent } from "./index.ts";

/**
 * Whose payload it is. An agent that runs hooks out of another agent's settings passes that one's `--agent`, so what
 * the payload says beyond doubt counts for more. A name that is none of ours is the person's own: that agent speaks
 * the generic dialect, under its own name.
 */
export function recognise(
  payload: Payload,
  { agentId, env }: { agentId?: string | undefined; env: Environment },
): { agent: Agent; agentId: string } {
  const named = agentId === undefined ? undefined : (findAgent(agentId) ?? generic);
  if (agentId !== undefined && named === generic) return { agent: generic, agentId };
  const agent =
    agents.find((candidate) => candidate.hasWritten(payload, agentId)) ??
    named ??
    agents.find((candidate) => candidate.isCalling(env)) ??
    generic;
  return { agent, agentId: agent.id };
}
