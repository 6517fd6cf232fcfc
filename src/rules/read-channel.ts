import { createHash } from "node:crypto";
import type { Node } from "jsonc-parser";
import type { ChannelType } from "../channels/channel-type.ts";
import type { Problem } from "../model/problem.ts";
import { checkLiterals } from "./problems/check-literals.ts";
import type { Looked } from "./problems/schema-issues.ts";
import { valueOf } from "./problems/document.ts";
import { channelNameSchema, commonSettings } from "./schema/file-schema.ts";
import { kindOf, messageOfIssue } from "./problems/issue-message.ts";
import { toJsonSchema, type JsonSchema } from "./schema/known-keys.ts";
import { suggest } from "./nearest.ts";
import { readNode } from "./problems/read-node.ts";
import type { Channel } from "./rules.ts";

/** One channel of the file: its common settings, then those of its type. Every problem at once. */
export function readChannel(
  text: string,
  keyNode: Node,
  node: Node,
  types: readonly ChannelType[],
): { channel?: Channel; problems: Problem[] } {
  const name = String(keyNode.value);
  const path = ["channels", name];
  const problems = checkName(name, keyNode);
  if (node.type !== "object") {
    const message = `expected an object such as { "type": "desktop" }, came ${kindOf(valueOf(node))}`;
    return { problems: [...problems, { path: path.join("."), message, offset: node.offset, length: node.length }] };
  }
  const raw = valueOf(node) as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(raw).filter(([key]) => !Object.hasOwn(commonSettings.shape, key)));
  const channelType = types.find(({ type }) => type === raw.type);
  const schema = (): JsonSchema => channelJsonSchema(channelType);
  const looked: Looked = { text, node, path, schema };
  const common = readNode(commonSettings, raw, looked);
  problems.push(...(common.problems ?? []));
  if (channelType === undefined) {
    if (typeof raw.type === "string") problems.push(unknownType(raw.type, node, path, types));
    return { problems };
  }
  const settings = readNode(channelType.settings, own, looked);
  problems.push(...(settings.problems ?? []));
  if (common.value === undefined || settings.problems !== undefined) return { problems };
  const hasAllowHttp = Object.hasOwn(schema().properties ?? {}, "allowHttp");
  problems.push(...checkLiterals(node, path, settings.value, hasAllowHttp));
  if (problems.some(({ severity }) => severity !== "warning")) return { problems };
  const expiresAfterMs = common.value.expireAfter ?? channelType.expiresAfterMs;
  const fingerprint = createHash("sha256").update(JSON.stringify(raw)).digest("hex");
  const usualContent = channelType.contentFor?.(settings.value) ?? channelType.content;
  const { summary = channelType.summaryFrom, content = usualContent, scrub = true } = common.value;
  const summaryFrom = summary === false ? undefined : summary;
  const { type } = channelType;
  const shared = { expiresAfterMs, content, scrub, summaryFrom, fingerprint };
  return { channel: { name, type, channelType, settings: settings.value, ...shared }, problems };
}

/** What a channel of this type may have: the settings of all channels, and its own. */
export function channelJsonSchema(channelType: ChannelType | undefined): JsonSchema {
  const common = toJsonSchema(commonSettings);
  if (channelType === undefined) return common;
  const { type: _, ...shared } = common.properties ?? {};
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

function checkName(name: string, keyNode: Node): Problem[] {
  const result = channelNameSchema.safeParse(name, { error: messageOfIssue });
  if (result.success) return [];
  const place = { path: "channels", offset: keyNode.offset, length: keyNode.length };
  return result.error.issues.map(({ message }) => ({ ...place, message }));
}

function unknownType(type: string, node: Node, path: readonly string[], types: readonly ChannelType[]): Problem {
  const property = node.children?.findLast((child) => child.children?.[0]?.value === "type");
  const { offset, length } = property?.children?.[1] ?? node;
  const names = types.map((each) => each.type);
  const hint = suggest(type, names, "types");
  return {
    path: [...path, "type"].join("."),
    message: `there is no channel type ${JSON.stringify(type)}`,
    hint,
    offset,
    length,
  };
}
