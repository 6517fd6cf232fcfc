// Which events the rules wait for, and which channels they choose for questions.
import { knownEventNames } from "../../model/event.ts";
import { type Level, possibleLevels } from "../../model/level.ts";
import type { Rule } from "../rules.ts";
import type { Condition, ConditionField } from "../schema/condition.ts";
import { type MatchFacts, matchRule } from "./match.ts";

/** The fields that are known before an event happens. */
const foreseen: readonly ConditionField[] = ["event", "agent", "level"];

/** Others are many, and wired only where a rule names them. */
const generalEvents: ReadonlySet<string> = new Set(knownEventNames);

/** Conditions on unknown fields count as met. `mustBeNamed`: a rule about all events does not wait for it. */
export function isEventAwaited(rules: readonly Rule[], agentId: string, name: string, mustBeNamed = false): boolean {
  const isGeneral = generalEvents.has(name) && !mustBeNamed;
  return possibleLevels(name).some((level) => isAwaitedAt(level, rules, agentId, name, isGeneral));
}

function isAwaitedAt(level: Level, rules: readonly Rule[], agentId: string, name: string, isGeneral: boolean): boolean {
  const facts: MatchFacts = { event: name, agent: agentId, level };
  for (const rule of rules) {
    const when = rule.when.filter(({ field }) => foreseen.includes(field));
    if (!matchRule({ when }, facts).held) continue;
    if (rule.notify.length > 0 && (isGeneral || when.some(namesEvents))) return true;
    if (rule.final && when.length === rule.when.length) return false;
  }
  return false;
}

/** `"*"` and `{ "not": ... }` name none. */
function namesEvents({ field, anyOf }: Condition): boolean {
  return field === "event" && anyOf.some((pattern) => pattern.kind !== "not" && /\w/.test(pattern.source));
}

const foreseenOfQuestions: readonly ConditionField[] = ["event", "level"];
const questions = ["Notification", "PermissionRequest"];

/** The channels that rules name for an agent's questions, in order: how the person wants to be reached. */
export function questionChannels(rules: readonly Rule[]): string[] {
  return [...new Set(questions.flatMap((event) => namedFor(rules, event)))];
}

function namedFor(rules: readonly Rule[], event: string): string[] {
  const names: string[] = [];
  for (const { when, notify, fallback, final } of rules) {
    const known = when.filter(({ field }) => foreseenOfQuestions.includes(field));
    if (!matchRule({ when: known }, { event, level: "attention" }).held) continue;
    names.push(...notify, ...fallback);
    if (final && known.length === when.length) break;
  }
  return names;
}
