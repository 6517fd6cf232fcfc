import { closest } from "fastest-levenshtein";
import type { AgentTarget } from "../install/agent-target.ts";
import { exitCodes, PersonError } from "../model/errors.ts";

/** The agents that `--agent a,b` names, in that order. Throws a usage error for a name we do not know. */
export function namedAgents(values: readonly string[], targets: readonly AgentTarget[]): AgentTarget[] {
  const names = values
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const known = targets.map(({ id }) => id);
  if (names.length === 0) {
    throw new PersonError("usage.agent", "--agent needs a name", {
      hint: `one of ${known.join(", ")}`,
      exitCode: exitCodes.usage,
    });
  }
  return [...new Set(names)].map((name) => {
    const target = targets.find(({ id }) => id === name);
    if (target !== undefined) return target;
    throw new PersonError("usage.agent", `hookbell cannot wire an agent "${name}"`, {
      hint: `did you mean ${closest(name, known)}? It knows ${known.join(", ")}`,
      exitCode: exitCodes.usage,
    });
  });
}
