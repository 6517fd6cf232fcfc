// Warns of what no event can reach: rules behind a final one, and channels that no question comes to.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import { agentIds } from "../../agents/event-names.ts";
import { itemsOf, memberOf } from "../../jsonc/nodes.ts";
import type { Problem } from "../../model/errors.ts";
import { covers, isEventAwaited } from "../apply/match.ts";
import type { Channel, Rule, Rules } from "../rules.ts";
import { problemAt } from "./document.ts";

/** Each final rule, and the first rule behind it that it keeps all events from. */
export function checkReach(root: Node, rules: readonly Rule[]): Problem[] {
  const nodes = itemsOf(memberOf(root, "rules"));
  // The positions of rules are those in the file only if each could be read.
  if (nodes.length !== rules.length) return [];
  const warned = new Set<number>();
  return rules.flatMap((final, at): Problem[] => {
    if (!final.final) return [];
    const behind = rules.findIndex((rule, index) => index > at && covers(final, rule));
    const node = nodes[behind];
    if (node === undefined || warned.has(behind)) return [];
    warned.add(behind);
    const message = `this rule is never read: ${JSON.stringify(final.name)} before it is final and matches all that it matches`;
    const hint = final.when.length === 0 ? undefined : "put this rule before it";
    return [{ ...problemAt(node, ["rules", String(behind)], { message, hint, severity: "warning" }), length: 1 }];
  });
}

/** Channels with `"answers": true` that rules notify of other events only. */
export function checkAsked(root: Node, { channels, rules, answers, projectFiles }: Rules): Problem[] {
  if (answers === undefined) return [];
  const chosenElsewhere = projectFiles === false ? [] : (projectFiles ?? []);
  const asking = ["PermissionRequest", "Elicitation", ...(answers.nextPrompt === undefined ? [] : ["Stop"])];
  return Object.values(channels).flatMap(({ name, answers: isAnswering }): Problem[] => {
    const isUsed = rules.some((rule) => notifies(rule, name));
    if (!isAnswering || !isUsed || chosenElsewhere.includes(name) || isAsked(name, rules, asking)) return [];
    const path = ["channels", name, "answers"];
    const node = findNodeAtLocation(root, path);
    const message = "no rule notifies this channel of a question, so there is nothing to answer here";
    const hint = `add a rule with "when": { "level": "attention" } and "notify": [${JSON.stringify(name)}]`;
    return node === undefined ? [] : [problemAt(node, path, { message, hint, severity: "warning" })];
  });
}

function notifies({ notify, policies }: Rule, name: Channel["name"]): boolean {
  return notify.includes(name) || policies.escalate?.some((step) => step.notify.includes(name)) === true;
}

function isAsked(name: string, rules: readonly Rule[], events: readonly string[]): boolean {
  const own = rules.map((rule) => ({ ...rule, notify: notifies(rule, name) ? [name] : [] }));
  return [...agentIds, "generic"].some((id) => events.some((event) => isEventAwaited(own, id, event)));
}
