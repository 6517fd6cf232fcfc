// Checks the parts of the rules file that wings bring.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { Problem } from "../../model/errors.ts";
import { isEventAwaited } from "../apply/match.ts";
import type { Rule } from "../rules.ts";
import { missingParts, partsIn } from "../schema/wing-parts.ts";
import { checkLiterals } from "./check-channel.ts";
import { problemAt } from "./document.ts";

/** `rules` are those that could be read; `settings` are those of the file. */
export function checkParts(root: Node, settings: object, rules: readonly Rule[]): Problem[] {
  const missing = missingParts.flatMap((name) => {
    const node = findNodeAtLocation(root, [name]);
    const message = `this hookbell has no ${name}, so this does nothing`;
    const hint = "an installation with npm has it; or take it out of this file";
    return node === undefined ? [] : [problemAt(node, [name], { severity: "warning", message, hint })];
  });
  const problems = partsIn(settings).flatMap(({ name, part: { sends }, value }) => {
    const node = findNodeAtLocation(root, [name]);
    if (node === undefined) return [];
    const literals = checkLiterals(node, [name], value, () => true);
    return [...literals, ...(sends === undefined ? [] : checkSent(node, name, sends, rules))];
  });
  return [...missing, ...problems];
}

function checkSent(
  node: Node,
  name: string,
  { agent, events: eventsOf }: NonNullable<ReturnType<typeof partsIn>[number]["part"]["sends"]>,
  rules: readonly Rule[],
): Problem[] {
  return Object.entries(eventsOf).flatMap(([setting, events]) => {
    const place = findNodeAtLocation(node, [setting]);
    const isOff = place === undefined || place.value === false || place.children?.length === 0;
    if (isOff || events.some((event) => isEventAwaited(rules, agent, event))) return [];
    const message = `no rule sends ${events.join(" or ")} to a channel, so this does nothing`;
    const hint = `add a rule such as { "when": { "event": "${events[0]}" }, "notify": ["desktop"] }`;
    return [problemAt(place, [name, setting], { severity: "warning", message, hint })];
  });
}
