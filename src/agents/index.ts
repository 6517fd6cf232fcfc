import { claudeCode } from "./claude-code.ts";
import type { Agent } from "./define-agent.ts";
import { droid } from "./droid.ts";
import { generic } from "./generic.ts";

/** Every agent there is, in the order in which they are recognised; `generic` takes what is left. */
export const agents: readonly Agent[] = [droid, claudeCode, generic];

export function findAgent(id: string): Agent | undefined {
  return agents.find((agent) => agent.id === id);
}
