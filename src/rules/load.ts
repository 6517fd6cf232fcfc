import type { Node } from "jsonc-parser";
import type { ChannelType } from "../channels/channel-type.ts";
import { channelTypes } from "../channels/index.ts";
import type { Problem } from "../model/problem.ts";
import { checkReferences } from "./problems/check-references.ts";
import { parseDocument, valueOf } from "./problems/document.ts";
import { fileSchema, ruleSchema } from "./schema/file-schema.ts";
import { toJsonSchema } from "./schema/known-keys.ts";
import { maxProblems } from "./problems/max-problems.ts";
import { readChannel } from "./read-channel.ts";
import { readNode } from "./problems/read-node.ts";
import type { Channel, Rule, Rules } from "./rules.ts";

/** Problems and warnings are in the order of the file. */
export type LoadedRules =
  | { status: "good"; rules: Rules; warnings: Problem[] }
  | { status: "broken"; problems: Problem[]; warnings: Problem[] };

/** The text of a rules file as rules, or everything that is wrong with it. Pure; never throws. */
export function loadRules(text: string, types: readonly ChannelType[] = channelTypes): LoadedRules {
  const document = parseDocument(text);
  const found: Problem[] = [...document.problems];
  const channels: Record<string, Channel> = Object.create(null);
  const rules: Rule[] = [];
  const { root } = document;
  if (root !== undefined) {
    const file = readNode(fileSchema, valueOf(root), {
      text,
      node: root,
      path: [],
      schema: () => toJsonSchema(fileSchema),
    });
    found.push(...(file.problems ?? []));
    for (const [keyNode, node] of propertiesOf(root, "channels")) {
      if (found.length > maxProblems) break;
      const { channel, problems } = readChannel(text, keyNode, node, types);
      found.push(...problems);
      if (channel !== undefined) channels[channel.name] = channel;
    }
    for (const [index, node] of itemsOf(root, "rules").entries()) {
      if (found.length > maxProblems) break;
      const { rule, problems } = readRule(text, node, index);
      found.push(...problems);
      if (rule !== undefined) rules.push(rule);
    }
    found.push(...checkReferences(text, root));
  }
  const inOrder = found.toSorted((a, b) => (a.offset ?? 0) - (b.offset ?? 0));
  const problems = inOrder.filter(({ severity }) => severity !== "warning");
  const warnings = inOrder.filter(({ severity }) => severity === "warning");
  if (problems.length === 0) return { status: "good", rules: { channels, rules }, warnings };
  return { status: "broken", problems: cap(problems), warnings: cap(warnings) };
}

function readRule(text: string, node: Node, index: number): { rule?: Rule; problems: Problem[] } {
  const schema = () => toJsonSchema(ruleSchema);
  const { value, problems } = readNode(ruleSchema, valueOf(node), {
    text,
    node,
    path: ["rules", String(index)],
    schema,
  });
  if (problems !== undefined) return { problems };
  const { name = `rule ${index + 1}`, when = [], final = false, fallback = [], ...rest } = value;
  return { rule: { name, when, final, fallback, ...rest }, problems: [] };
}

function propertiesOf(root: Node, key: string): [Node, Node][] {
  const node = childOf(root, key);
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name === undefined || value === undefined || name.value === "__proto__"
      ? []
      : [[name, value] satisfies [Node, Node]],
  );
}

function itemsOf(root: Node, key: string): Node[] {
  const node = childOf(root, key);
  return node?.type === "array" ? (node.children ?? []) : [];
}

function childOf(root: Node, key: string): Node | undefined {
  if (root.type !== "object") return undefined;
  return root.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

function cap(problems: readonly Problem[]): Problem[] {
  if (problems.length <= maxProblems) return [...problems];
  const { offset = 0, severity } = problems[maxProblems] ?? {};
  const more = { path: "", message: "there are more problems from here on", offset };
  return [...problems.slice(0, maxProblems), severity === undefined ? more : { ...more, severity }];
}
