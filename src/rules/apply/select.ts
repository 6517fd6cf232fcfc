// Selects the channels that an event notifies, with the message for each.
import { limitContent, summaryLength } from "../../model/privacy/content.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { Message } from "../../model/message.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { createWords, type Words } from "../../model/privacy/scrub-event.ts";
import { factsOf, matchRule } from "./match.ts";
import { renderMessage } from "./render.ts";
import type { Channel, Rule, Rules } from "../rules.ts";

/** The messages for an event, and why other channels stay silent. */
export interface Selection {
  /** Every rule in order; `why` is a sentence without a full stop. */
  rules: { name: string; held: boolean; why: string }[];
  /** Each channel once, with the text of the first rule that names it. */
  chosen: ({ channel: Channel; rule: Rule } & ChannelMessage)[];
  silent: { channel?: string; rule?: string; why: string }[];
}

export interface ChannelMessage {
  /** With no more of the agent's words than the channel may have. */
  event: AgentEvent;
  message: Message;
  payload: Words["payload"];
  /** Kinds of credentials that were removed, each once. */
  scrubbed: readonly string[];
}

/** Reads the rules from top to bottom, up to a final one that matches. Pure. */
export function selectDeliveries(
  { channels, rules }: Rules,
  event: AgentEvent,
  payload: Words["payload"],
  words: (isScrubbed: boolean) => Words = createWords(event, payload),
): Selection {
  const facts = factsOf(event);
  const selection: Selection = { rules: [], chosen: [], silent: [] };
  const chosen = new Set<string>();
  let final: Rule | undefined;
  for (const rule of rules) {
    if (final !== undefined) {
      selection.rules.push({ name: rule.name, held: false, why: `skipped: "${final.name}" is final` });
      continue;
    }
    const result = matchRule(rule, facts);
    selection.rules.push({ name: rule.name, ...result });
    if (!result.held) continue;
    if (rule.final) final = rule;
    if (rule.notify.length === 0)
      selection.silent.push({ rule: rule.name, why: "it matches, and notifies no channel" });
    for (const name of rule.notify) {
      const channel = channels[name];
      if (channel === undefined || chosen.has(name)) continue;
      chosen.add(name);
      selection.chosen.push({ channel, rule, ...messageFor(rule, channel, words) });
    }
  }
  for (const name of Object.keys(channels)) {
    if (!chosen.has(name)) selection.silent.push({ channel: name, why: whyNotChosen(name, rules, final) });
  }
  return selection;
}

/**
 * A channel's message: no more of the agent's words than it may have, and no credentials. These are removed before texts
 * are cut: half of one would not be recognised.
 */
export function messageFor(
  rule: Rule,
  { content, scrub: isScrubbed, channelType }: Channel,
  words: (isScrubbed: boolean) => Words,
): ChannelMessage {
  const { event, payload, found } = words(isScrubbed);
  const limited = limitContent(event, content);
  const rest = content === "none" ? undefined : payload;
  const message = renderMessage(rule, limited, rest, content === "summary" ? summaryLength : undefined);
  if (!isScrubbed) return { event: limited, message, payload: rest, scrubbed: [] };
  // `Bearer {payload.token}`: some are recognised only with the template's text before them.
  const title = scrub(message.title);
  const body = scrub(message.body);
  const clean = { ...message, title: title.text, body: body.text };
  const all = [...new Set([...found, ...title.found, ...body.found])];
  const shown = JSON.stringify(clean);
  const scrubbed = channelType.passesPayload ? all : all.filter((kind) => shown.includes(`[redacted: ${kind}]`));
  return { event: limited, message: clean, payload: rest, scrubbed };
}

function whyNotChosen(name: string, rules: readonly Rule[], final: Rule | undefined): string {
  const naming = rules.filter((rule) => rule.notify.includes(name));
  if (naming.length === 0) {
    return rules.some((rule) => rule.fallback.includes(name)) ? "it is only a fallback" : "no rule names it";
  }
  const names = naming.map((rule) => `"${rule.name}"`).join(", ");
  const isAfterFinal = final !== undefined && naming.every((rule) => rules.indexOf(rule) > rules.indexOf(final));
  if (isAfterFinal) return `"${final.name}" is final, so ${names} was skipped`;
  return naming.length === 1 ? `only ${names} names it, and does not match` : `none of ${names} matches`;
}
