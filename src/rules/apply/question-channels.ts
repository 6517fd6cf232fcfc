import type { ConditionField } from "../schema/condition.ts";
import { matchRule } from "./match.ts";
import type { Rule } from "../rules.ts";

/** What is known of a question before it is asked. */
const foreseen: readonly ConditionField[] = ["event", "level"];
const questions = ["Notification", "PermissionRequest"];

/** Names of the channels that rules name for what an agent asks, in their order: that is how a person wants to be reached. */
export function questionChannels(rules: readonly Rule[]): string[] {
  return [...new Set(questions.flatMap((event) => namedFor(rules, event)))];
}

function namedFor(rules: readonly Rule[], event: string): string[] {
  const names: string[] = [];
  for (const { when, notify, fallback, final } of rules) {
    const known = when.filter(({ field }) => foreseen.includes(field));
    if (!matchRule({ when: known }, { event, level: "attention" }).held) continue;
    names.push(...notify, ...fallback);
    if (final && known.length === when.length) break;
  }
  return names;
}
