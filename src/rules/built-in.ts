// The rules that apply without a rules file: config/rules.default.jsonc.
import { defaultRulesText } from "./default-rules.ts";
import { loadRules } from "./load.ts";
import type { Channel, Rules } from "./rules.ts";

export async function builtInRules(): Promise<Rules> {
  const result = await loadRules(defaultRulesText);
  if (result.status === "good") return result.rules;
  throw new Error(`the built-in rules are broken: ${result.problems.map(({ message }) => message).join("; ")}`);
}

/** The built-in desktop channel's name, under which its deliveries wait. */
export const builtInDesktop = "desktop";

/** The channel for hookbell's own notices where the rules file has none of that name. */
export async function loadBuiltInDesktop(): Promise<Channel | undefined> {
  const channels = { [builtInDesktop]: { type: "desktop" } };
  const result = await loadRules(JSON.stringify({ channels, rules: [] }));
  return result.status === "good" ? result.rules.channels[builtInDesktop] : undefined;
}

export function findChannel(rules: Rules, name: string): Channel | undefined {
  if (Object.hasOwn(rules.channels, name)) return rules.channels[name];
  return name === builtInDesktop ? rules.builtInDesktop : undefined;
}

/** True also in a rules file that was made from the built-in rules. */
export function isBuiltIn({ name, type }: Channel): boolean {
  return name === type && (type === "desktop" || type === "sound");
}
