import { limitContent } from "../model/content.ts";
import type { AgentEvent } from "../model/event.ts";
import type { Message } from "../model/message.ts";
import { factsOf, matchRule } from "./match.ts";
import { renderMessage } from "./render.ts";
import type { Channel, Rule, Rules } from "./rules.ts";

/** Who is told what about an event, and why everybody else is not. */
export interface Selection {
  /** Every rule in order; `why` is a sentence without a full stop. */
  rules: { name: string; held: boolean; why: string }[];
  /** Each channel once, with the text of the first rule that named it; `event` says no more than the channel may. */
  chosen: { channel: Channel; rule: Rule; event: AgentEvent; message: Message }[];
  silent: { channel?: string; rule?: string; why: string }[];
}

/** Reads the rules from top to bottom, up to one that is final. Pure. */
export function selectDeliveries(
  { channels, rules }: Rules,
  event: AgentEvent,
  payload: Readonly<Record<string, unknown>> | undefined,
): Selection {
  const facts = factsOf(event);
  const selection: Selection = { rules: [], chosen: [], silent: [] };
  const chosen = new Set<string>();
  let final: Rule | undefined;
  for (const rule of rules) {
    if (final !== undefined) {
      selection.rules.push({ name: rule.name, held: false, why: `not read: "${final.name}" was final` });
      continue;
    }
    const result = matchRule(rule, facts);
    selection.rules.push({ name: rule.name, ...result });
    if (!result.held) continue;
    if (rule.final) final = rule;
    if (rule.notify.length === 0) selection.silent.push({ rule: rule.name, why: "it holds and notifies nobody" });
    for (const name of rule.notify) {
      const channel = channels[name];
      if (channel === undefined || chosen.has(name)) continue;
      chosen.add(name);
      selection.chosen.push({ channel, rule, ...tell(rule, channel, event, payload) });
    }
  }
  for (const name of Object.keys(channels)) {
    if (!chosen.has(name)) selection.silent.push({ channel: name, why: whyNotChosen(name, rules, final) });
  }
  return selection;
}

/** What a channel is told by a rule: no more of the agent's words than it may pass on. */
export function tell(
  rule: Rule,
  { content }: Channel,
  event: AgentEvent,
  payload: Readonly<Record<string, unknown>> | undefined,
): { event: AgentEvent; message: Message } {
  const told = limitContent(event, content);
  return { event: told, message: renderMessage(rule, told, content === "none" ? undefined : payload) };
}

function whyNotChosen(name: string, rules: readonly Rule[], final: Rule | undefined): string {
  const naming = rules.filter((rule) => rule.notify.includes(name));
  if (naming.length === 0) {
    return rules.some((rule) => rule.fallback.includes(name)) ? "it is only a fallback" : "no rule names it";
  }
  const names = naming.map((rule) => `"${rule.name}"`).join(", ");
  const isAfterFinal = final !== undefined && naming.every((rule) => rules.indexOf(rule) > rules.indexOf(final));
  if (isAfterFinal) return `"${final.name}" was final, before ${names} was read`;
  return naming.length === 1 ? `only ${names} names it, and does not hold` : `none of ${names} holds`;
}
