// Selects the channels that an event notifies, and why the others stay silent.
import type { AgentEvent } from "../../model/event.ts";
import type { EscalationStep } from "../../policies/policies.ts";
import type { PolicyName, Suppress, Decision } from "../../policies/decision.ts";
import { factsOf, matchRule } from "./match.ts";
import type { Channel, Rule, Rules } from "../rules.ts";

/** Which channels are told of an event, and why the others are not. */
export interface Selection {
  /** Every rule in order; `why` is a sentence without a full stop. */
  rules: { name: string; held: boolean; why: string }[];
  chosen: Chosen[];
  /** Steps of escalations, which wait for their time. */
  steps: (Chosen & { step: EscalationStep })[];
  /** `by` names the policy that keeps a channel silent, or the repository's own file. */
  silent: { channel?: string; rule?: string; why: string; by?: PolicyName | "project" }[];
}

/** Which rule notifies a channel, and whether it does so at once. */
interface Chosen {
  channel: Channel;
  rule: Rule;
  decision: Exclude<Decision, Suppress>;
}

export type DecideChannel = (rule: Rule, channel: Channel, step?: EscalationStep) => Decision;

/** What a repository's own file chooses. */
interface ProjectChoice {
  path: string;
  notify?: readonly string[] | undefined;
}

const sendAll: DecideChannel = () => ({ action: "send" });

/** A channel is notified by the first rule whose message may go at once, else by the first whose message waits. */
export function selectDeliveries(
  { channels, rules, projectFiles }: Rules,
  event: AgentEvent,
  decideChannel: DecideChannel = sendAll,
  project?: ProjectChoice,
): Selection {
  const facts = factsOf(event);
  const selection: Selection = { rules: [], chosen: [], steps: [], silent: [] };
  const held: Rule[] = [];
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
    held.push(rule);
  }
  const named = new Set(held.flatMap(({ notify }) => notify));
  const picked = pick(named, project, projectFiles === false ? [] : (projectFiles ?? []));
  const suppressed: Selection["silent"] = [...named]
    .filter((name) => Object.hasOwn(channels, name) && !picked.has(name))
    .map((channel) => ({ channel, why: `not chosen by ${project?.path ?? ""}`, by: "project" }));
  for (const name of picked) {
    const channel = channels[name];
    if (channel === undefined) continue;
    const decided = held
      .filter(({ notify }) => notify.includes(name) || (notify.length > 0 && !named.has(name)))
      .map((rule) => ({ rule, decision: decideChannel(rule, channel) }));
    const best =
      decided.find(({ decision }) => decision.action === "send") ??
      decided.find(({ decision }) => decision.action === "defer") ??
      decided[0];
    if (best === undefined) continue;
    const { rule, decision } = best;
    if (decision.action === "suppress")
      suppressed.push({ channel: name, rule: rule.name, why: decision.why, by: decision.by });
    else selection.chosen.push({ channel, rule, decision });
  }
  for (const rule of held) selection.steps.push(...chooseSteps(rule, channels, selection.chosen, decideChannel));
  const told = new Set([
    ...[...selection.chosen, ...selection.steps].map(({ channel }) => channel.name),
    ...suppressed.map(({ channel }) => channel),
  ]);
  for (const name of Object.keys(channels)) {
    if (!told.has(name)) selection.silent.push({ channel: name, why: whyNotChosen(name, rules, final) });
  }
  selection.silent.push(...suppressed);
  return selection;
}

/** A repository chooses where a message goes, never that there is one or none. */
function pick(
  named: ReadonlySet<string>,
  project: ProjectChoice | undefined,
  opened: readonly string[],
): ReadonlySet<string> {
  if (project?.notify === undefined || named.size === 0) return named;
  const picked = [...named, ...opened].filter((name) => project.notify?.includes(name));
  return picked.length === 0 ? named : new Set(picked);
}

function chooseSteps(
  rule: Rule,
  channels: Rules["channels"],
  chosen: readonly Chosen[],
  decideChannel: DecideChannel,
): Selection["steps"] {
  const isToldBy = (each: Chosen): boolean => each.rule.name === rule.name || rule.notify.includes(each.channel.name);
  const isSilent = rule.notify.length > 0 && !chosen.some(isToldBy);
  if (isSilent) return [];
  return (rule.policies.escalate ?? []).flatMap((step) =>
    step.notify.flatMap((name) => {
      const channel = channels[name];
      const louder = { ...rule, level: step.level ?? rule.level };
      const decision = channel && decideChannel(louder, channel, step);
      if (channel === undefined || decision === undefined || decision.action === "suppress") return [];
      return [{ channel, rule: louder, decision, step }];
    }),
  );
}

function whyNotChosen(name: string, rules: readonly Rule[], final: Rule | undefined): string {
  const naming = rules.filter((rule) => rule.notify.includes(name));
  if (naming.length === 0) {
    return rules.some((rule) => rule.fallback.includes(name)) ? "it is only a fallback" : "no rule names it";
  }
  const names = naming.map((rule) => `"${rule.name}"`).join(", ");
  const read = final === undefined ? rules : rules.slice(0, rules.indexOf(final) + 1);
  const isAfterFinal = !read.some((rule) => rule.notify.includes(name));
  if (final !== undefined && isAfterFinal) return `"${final.name}" is final, so ${names} was skipped`;
  return naming.length === 1 ? `only ${names} names it, and does not match` : `none of ${names} matches`;
}
