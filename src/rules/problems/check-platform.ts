// What is wrong with the "platform" part beyond its schema: addresses, secrets, and events that no rule waits for.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { Problem } from "../../model/errors.ts";
import { platformAgentId } from "../../model/own-events.ts";
import type { PlatformSettings } from "../schema/platform-settings.ts";
import { isEventAwaited } from "../apply/awaited-events.ts";
import type { Rule } from "../rules.ts";
import { checkLiterals } from "./check-channel.ts";
import { problemAt } from "./problem-at.ts";

/** What each setting sends; a rule for one of them is enough. */
const eventsOf = {
  digest: ["UsageDigest"],
  budgets: ["CreditBudget"],
  readiness: ["ReadinessReport", "ReadinessRegression"],
  installs: ["ComputerInstall"],
} as const;

/** `rules` are those that could be read. */
export function checkPlatform(root: Node, settings: PlatformSettings, rules: readonly Rule[]): Problem[] {
  const node = findNodeAtLocation(root, ["platform"]);
  if (node === undefined) return [];
  const problems = checkLiterals(node, ["platform"], settings, () => true);
  for (const [setting, events] of Object.entries(eventsOf)) {
    const place = findNodeAtLocation(node, [setting]);
    const isOff = place === undefined || place.value === false || place.children?.length === 0;
    if (isOff || events.some((event) => isEventAwaited(rules, platformAgentId, event))) continue;
    const message = `no rule sends ${events.join(" or ")} to a channel, so this does nothing`;
    const hint = `add a rule such as { "when": { "event": "${events[0]}" }, "notify": ["desktop"] }`;
    problems.push(problemAt(place, ["platform", setting], { severity: "warning", message, hint }));
  }
  return problems;
}
