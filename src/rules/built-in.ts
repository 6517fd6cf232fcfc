import { defaultRulesText } from "./default-rules.ts";
import { loadRules } from "./load.ts";
import type { Rules } from "./rules.ts";

let loaded: Rules | undefined;

/** The rules that apply where a person has none of their own: `config/rules.default.jsonc`. */
export function builtInRules(): Rules {
  loaded ??= load();
  return loaded;
}

function load(): Rules {
  const result = loadRules(defaultRulesText);
  if (result.status === "good") return result.rules;
  throw new Error(`the built-in rules are broken: ${result.problems.map(({ message }) => message).join("; ")}`);
}
