// Checks what the parts of a rules file say about each other.
import { findNodeAtLocation, type Node } from "jsonc-parser";
import { notificationTypeNames } from "../../agents/dialect/notification-types.ts";
import { agentEventNames, agentIds } from "../../agents/event-names.ts";
import { knownEventNames } from "../../model/event.ts";
import { levels } from "../../model/level.ts";
import type { Problem } from "../../model/errors.ts";
import { nearest, suggest, suggestNearest } from "../nearest.ts";
import { itemsOf } from "../../jsonc/nodes.ts";
import { offsetInText } from "../../jsonc/position.ts";
import { findDoubledNames } from "../schema/template.ts";
import { maxProblems, problemAt } from "./document.ts";

/** Works on the syntax tree, so that a problem in one place does not hide others. */
export function checkReferences(text: string, root: Node): Problem[] {
  const channels = childKeys(findNodeAtLocation(root, ["channels"]));
  const rulesNode = findNodeAtLocation(root, ["rules"]);
  const rules = itemsOf(rulesNode);
  const names = new Set(channels.map((key) => String(key.value)));
  names.delete("__proto__");
  const problems: Problem[] = [];
  for (const [index, rule] of rules.entries()) {
    if (problems.length <= maxProblems) problems.push(...checkRule(text, rule, index, names));
  }
  const opened = namesAt(root, "", "projectFiles");
  for (const list of [namesAt(root, "", "quietHours", "channels"), opened]) problems.push(...checkNames(list, names));
  const lists = [opened, ...rules.flatMap((rule) => channelListsOf(rule, ""))];
  const used = new Set(lists.flatMap(({ nodes }) => nodes.map(({ value }) => String(value))));
  const unused = [...names].filter((name) => !used.has(name)).slice(0, maxProblems + 1);
  for (const name of unused) {
    const key = channels.find(({ value }) => value === name);
    if (key !== undefined) problems.push(warn(key, `channels.${name}`, "no rule notifies this channel"));
  }
  if (rulesNode?.type === "array" && rules.length === 0) {
    problems.push(warn(rulesNode, "rules", "there are no rules, so nothing is sent"));
  }
  return [...problems, ...checkRuleNames(rules)];
}

/** Names of channels at one place of the file. */
interface NameList {
  path: string;
  nodes: Node[];
}

/** A text in place of the array is told as such already. */
function namesAt(node: Node, path: string, ...keys: string[]): NameList {
  const nodes = findIn(node, ...keys)?.type === "array" ? textsOf(node, ...keys) : [];
  return { path: [path, ...keys].filter((each) => each !== "").join("."), nodes };
}

function channelListsOf(rule: Node, path: string): NameList[] {
  const steps = itemsOf(findIn(rule, "escalate"));
  return [
    namesAt(rule, path, "notify"),
    namesAt(rule, path, "fallback"),
    ...steps.map((step, index) => namesAt(step, `${path}.escalate.${index}`, "notify")),
  ];
}

function checkNames({ path, nodes }: NameList, channels: ReadonlySet<string>): Problem[] {
  return nodes
    .filter(({ value }) => !channels.has(String(value)))
    .slice(0, maxProblems + 1)
    .map((node) => {
      const name = String(node.value);
      const message = `there is no channel ${JSON.stringify(name)}`;
      return problemAt(node, [path], { message, hint: suggest(name, [...channels], "channels") });
    });
}

/** The fields of `when` whose values are known, apart from what agents of the user's own send. */
const knownNames = [
  {
    field: "event",
    what: "events",
    names: [...knownEventNames, ...agentEventNames],
    says: (name: string) => `no known agent sends the event ${name}`,
  },
  {
    field: "agent",
    what: "agents",
    names: [...agentIds, "generic", "hookbell"],
    says: (name: string) => `there is no known agent ${name}`,
  },
  {
    field: "notificationType",
    what: "types",
    names: notificationTypeNames,
    says: (name: string) => `no known agent sends the notificationType ${name}`,
  },
] as const;

function isNearAgent(name: string, known: readonly string[]): boolean {
  return nearest(name, known) !== undefined || known.some((each) => each.startsWith(`${name}-`));
}

function checkRule(text: string, rule: Node, index: number, channels: ReadonlySet<string>): Problem[] {
  const path = `rules.${index}`;
  const problems: Problem[] = [];
  for (const list of channelListsOf(rule, path)) problems.push(...checkNames(list, channels));
  for (const { field, what, names, says } of knownNames) {
    for (const node of textsOf(rule, "when", field)) {
      const name = String(node.value);
      if (isGlob(name) || names.some((known) => known === name)) continue;
      // A hook can pass any name with --agent, so only a likely slip is worth a warning.
      if (field === "agent" && !isNearAgent(name, names)) continue;
      const message = says(JSON.stringify(name));
      problems.push({ ...warn(node, `${path}.when.${field}`, message), hint: suggestNearest(name, names, what) });
    }
  }
  for (const node of textsOf(rule, "when", "level")) {
    const name = String(node.value);
    if (levels.some((level) => level === name) || isGlob(name)) continue;
    const message = `there is no level ${JSON.stringify(name)}`;
    problems.push(problemAt(node, [path, "when.level"], { message, hint: suggest(name, levels, "levels") }));
  }
  for (const key of ["title", "body"]) {
    const node = findIn(rule, key);
    if (node?.type !== "string") continue;
    for (const { name, index: at, length } of findDoubledNames(String(node.value))) {
      const offset = offsetInText(text, node, at);
      const end = offsetInText(text, node, at + length);
      const message = `"{{" is a literal brace, so this shows {${name}} and not its value`;
      const place = { path: `${path}.${key}`, offset, length: end - offset };
      problems.push({ ...place, severity: "warning", message, hint: `for the value write {${name}}` });
    }
  }
  return problems;
}

/** `explain` and the journal refer to rules by name. */
function checkRuleNames(rules: readonly Node[]): Problem[] {
  const seen = new Set<unknown>();
  return rules.flatMap((rule, index) => {
    const node = findIn(rule, "name");
    if (node?.type !== "string") return [];
    const isSecond = seen.has(node.value);
    seen.add(node.value);
    return isSecond ? [warn(node, `rules.${index}.name`, "another rule has this name")] : [];
  });
}

function childKeys(node: Node | undefined): Node[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap((property) => property.children?.[0] ?? []);
}

/** The texts at a path, also inside an array or `not`. */
function textsOf(rule: Node, ...path: string[]): Node[] {
  const texts = (node: Node | undefined): Node[] => {
    if (node?.type === "string") return [node];
    if (node?.type === "array") return (node.children ?? []).flatMap(texts);
    return node?.type === "object" ? texts(findNodeAtLocation(node, ["not"])) : [];
  };
  return texts(findIn(rule, ...path));
}

function findIn(rule: Node, ...path: string[]): Node | undefined {
  return rule.type === "object" ? findNodeAtLocation(rule, path) : undefined;
}

function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}

function warn(node: Node, path: string, message: string): Problem {
  return problemAt(node, [path], { severity: "warning", message });
}
