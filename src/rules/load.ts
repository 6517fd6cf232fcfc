// Loads rules from the text of a rules file, or reports everything that is wrong with it.
import { kindOf, messageOfIssue, type Problem } from "../model/errors.ts";
import type { Node } from "jsonc-parser";
import type { ChannelType } from "../channels/channel-type.ts";
import { channelTypeNames, loadChannelTypes } from "../channels/index.ts";
import { suggest } from "./nearest.ts";
import { checkAnswers, checkAnswersUse } from "./problems/check-answers.ts";
import { checkLiterals } from "./problems/check-channel.ts";
import { checkParts } from "./problems/check-parts.ts";
import { checkAsked, checkReach } from "./problems/check-reach.ts";
import { checkReferences } from "./problems/check-references.ts";
import { type Document, maxProblems, parseDocument, problemAt, valueOf } from "./problems/document.ts";
import { type ValidatedNode, readNode } from "./problems/schema-issues.ts";
import type { Channel, Rule, Rules } from "./rules.ts";
import { loadExpressions, needsLibrary } from "./schema/condition.ts";
import { policySettingsOf } from "./schema/policies.ts";
import { asksElsewhere } from "./schema/wing-parts.ts";
import { channelNameSchema, commonSettings, fileSchema, ruleSchema } from "./schema/file-schema.ts";
import { type JsonSchema, toJsonSchema } from "./schema/known-keys.ts";
import { renameSettings } from "./schema/old-names.ts";
import { itemsOf, memberOf } from "../jsonc/nodes.ts";
import { sha256 } from "../system/crypto.ts";

/** Problems and warnings are in file order. */
export type LoadedRules =
  | { status: "good"; rules: Rules; warnings: Problem[] }
  | { status: "broken"; problems: Problem[]; warnings: Problem[] };

/** Loads only the channel types that the file names. */
export async function loadRules(text: string): Promise<LoadedRules> {
  const document = parseDocument(text);
  const named = channelsOf(document.root).map(([, node]) => memberOf(node, "type")?.value as unknown);
  if (document.root !== undefined && hasExpression(document.root)) await loadExpressions();
  const types = await loadChannelTypes(channelTypeNames.filter((name) => named.includes(name)));
  return readDocument(text, document, types);
}

function hasExpression(node: Node): boolean {
  const [key, value] = node.type === "property" ? (node.children ?? []) : [];
  const source: unknown = key?.value === "matches" ? value?.value : undefined;
  return (typeof source === "string" && needsLibrary(source)) || (node.children ?? []).some(hasExpression);
}

/** The same with channel types that are loaded already. Pure; never throws. */
export function parseRules(text: string, types: readonly ChannelType[]): LoadedRules {
  return readDocument(text, parseDocument(text), types);
}

function readDocument(text: string, document: Document, types: readonly ChannelType[]): LoadedRules {
  const found: Problem[] = [...document.problems];
  const channels: Record<string, Channel> = Object.create(null);
  const rules: Rule[] = [];
  let ofFile: Omit<Rules, "channels" | "rules"> = {};
  const { root } = document;
  if (root !== undefined) {
    found.push(...renameSettings(root));
    const schema = (): JsonSchema => toJsonSchema(fileSchema);
    const file = readNode(fileSchema, valueOf(root), { text, node: root, path: [], schema });
    found.push(...(file.problems ?? []));
    const { $schema: _, channels: __, rules: ___, defaults, stuckAfter: stuckAfterMs, ...settings } = file.value ?? {};
    ofFile = { ...settings, stuckAfterMs };
    for (const [keyNode, node] of channelsOf(root)) {
      if (found.length > maxProblems) break;
      const { channel, problems } = readChannel(text, keyNode, node, types);
      found.push(...problems);
      if (channel !== undefined) channels[channel.name] = channel;
    }
    for (const [index, node] of itemsOf(memberOf(root, "rules")).entries()) {
      if (found.length > maxProblems) break;
      const { rule, problems } = readRule(text, node, index, defaults);
      found.push(...problems);
      if (rule !== undefined) rules.push(rule);
    }
    found.push(...checkReferences(text, root));
    found.push(...checkAnswersUse(root, Object.values(channels), asksElsewhere(ofFile)));
    found.push(...checkReach(root, rules), ...checkAsked(root, { channels, rules, ...ofFile }));
    found.push(...checkParts(root, ofFile, rules));
  }
  const inOrder = found.toSorted((a, b) => (a.offset ?? 0) - (b.offset ?? 0));
  const problems = inOrder.filter(({ severity }) => severity !== "warning");
  const warnings = inOrder.filter(({ severity }) => severity === "warning");
  if (problems.length === 0) return { status: "good", rules: { channels, rules, ...ofFile }, warnings };
  return { status: "broken", problems: cap(problems), warnings: cap(warnings) };
}

function readRule(
  text: string,
  node: Node,
  index: number,
  defaults: Parameters<typeof policySettingsOf>[1],
): { rule?: Rule; problems: Problem[] } {
  const path = ["rules", String(index)];
  const schema = (): JsonSchema => toJsonSchema(ruleSchema);
  const { value, problems } = readNode(ruleSchema, valueOf(node), { text, node, path, schema });
  if (problems !== undefined) return { problems };
  const { name = `rule ${index + 1}`, when = [], final = false, fallback = [], ...rest } = value;
  const { notify, level, title, body, ...wishes } = rest;
  const policies = policySettingsOf(wishes, defaults);
  return { rule: { name, when, notify, level, title, body, final, fallback, policies }, problems: [] };
}

function channelsOf(root: Node | undefined): [Node, Node][] {
  const node = memberOf(root, "channels");
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name === undefined || value === undefined || name.value === "__proto__"
      ? []
      : [[name, value] satisfies [Node, Node]],
  );
}

function cap(problems: readonly Problem[]): Problem[] {
  if (problems.length <= maxProblems) return [...problems];
  const { offset = 0, severity } = problems[maxProblems] ?? {};
  return [...problems.slice(0, maxProblems), { path: "", message: "more problems follow", offset, severity }];
}

function readChannel(
  text: string,
  keyNode: Node,
  node: Node,
  types: readonly ChannelType[],
): { channel?: Channel; problems: Problem[] } {
  const name = String(keyNode.value);
  const path = ["channels", name];
  const { error: badName } = channelNameSchema.safeParse(name, { error: messageOfIssue });
  const problems = (badName?.issues ?? []).map(({ message }) => problemAt(keyNode, ["channels"], { message }));
  if (node.type !== "object") {
    const message = `expected an object such as { "type": "desktop" }, got ${kindOf(valueOf(node))}`;
    return { problems: [...problems, problemAt(node, path, { message })] };
  }
  const raw = valueOf(node) as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(raw).filter(([key]) => !Object.hasOwn(commonSettings.shape, key)));
  const channelType = types.find(({ type }) => type === raw.type);
  const schema = (): JsonSchema => channelJsonSchema(channelType);
  const looked: ValidatedNode = { text, node, path, schema };
  const common = readNode(commonSettings, raw, looked);
  problems.push(...(common.problems ?? []));
  if (channelType === undefined) {
    if (typeof raw.type === "string") {
      const message = `there is no channel type ${JSON.stringify(raw.type)}`;
      const hint = suggest(raw.type, channelTypeNames, "types");
      problems.push(problemAt(memberOf(node, "type") ?? node, [...path, "type"], { message, hint }));
    }
    return { problems };
  }
  const settings = readNode(channelType.settings, own, looked);
  problems.push(...(settings.problems ?? []));
  if (common.value === undefined || settings.problems !== undefined) return { problems };
  const hasAllowHttp = (): boolean => Object.hasOwn(schema().properties ?? {}, "allowHttp");
  if (common.value.answers === true) {
    problems.push(...checkAnswers(node, path, channelType, settings.value, common.value.content));
  }
  problems.push(...checkLiterals(node, path, settings.value, hasAllowHttp));
  if (problems.some(({ severity }) => severity !== "warning")) return { problems };
  const expiresAfterMs = common.value.expireAfter ?? channelType.expiresAfterMs;
  const usualContent = channelType.contentFor?.(settings.value) ?? channelType.content;
  const {
    summary = channelType.summaryFrom,
    content = usualContent,
    scrub = true,
    answers = false,
    throttle,
  } = common.value;
  const summaryFrom = summary === false ? undefined : summary;
  const channel: Channel = {
    name,
    type: channelType.type,
    channelType,
    settings: settings.value,
    expiresAfterMs,
    content,
    answers,
    scrub,
    summaryFrom,
    throttle,
    get fingerprint() {
      return sha256(JSON.stringify(raw));
    },
  };
  return { channel, problems };
}

export function channelJsonSchema(channelType: ChannelType | undefined): JsonSchema {
  const common = toJsonSchema(commonSettings);
  if (channelType === undefined) return common;
  const { type: _, answers, ...shared } = common.properties ?? {};
  if (answers !== undefined && channelType.answers !== undefined) shared.answers = answers;
  const own = toJsonSchema(channelType.settings);
  return {
    ...own,
    description: `${channelType.summary}: ${channelType.docs}`,
    properties: {
      type: { const: channelType.type, description: channelType.summary },
      ...own.properties,
      ...shared,
    },
    required: ["type", ...(Array.isArray(own.required) ? own.required : [])],
    additionalProperties: false,
  };
}
