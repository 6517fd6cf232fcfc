// The rules that apply without a rules file: config/rules.default.jsonc.
import { defaultRulesText } from "./default-rules.ts";
import { loadRules } from "./load.ts";
import type { Channel, Rules } from "./rules.ts";

export async function builtInRules(): Promise<Rules> {
  const result = await loadRules(defaultRulesText);
  if (result.status === "good") return result.rules;
  throw new Error(`the built-in rules are broken: ${result.problems.map(({ message }) => message).join("; ")}`);
}

const desktop = "desktop";

/** The rules with a desktop for hookbell's own notices, as it is without a rules file: the rules' own, or another one beside what they call so. */
export async function withBuiltInDesktop(rules: Rules): Promise<Rules> {
  const result = await loadRules(JSON.stringify({ channels: { [desktop]: { type: desktop } }, rules: [] }));
  const channel = result.status === "good" ? result.rules.channels[desktop] : undefined;
  if (rules.channels[desktop]?.fingerprint === channel?.fingerprint) return { ...rules, builtInDesktop: channel };
  let name = desktop;
  while (Object.hasOwn(rules.channels, name)) name = `hookbell ${name}`;
  return { ...rules, builtInDesktop: channel && { ...channel, name } };
}

export function findChannel({ channels, builtInDesktop }: Rules, name: string): Channel | undefined {
  if (Object.hasOwn(channels, name)) return channels[name];
  return name === builtInDesktop?.name ? builtInDesktop : undefined;
}

/** True also in a rules file that was made from the built-in rules. */
export function isBuiltIn({ name, type }: Channel): boolean {
  return name === type && (type === "desktop" || type === "sound");
}
