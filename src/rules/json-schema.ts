// The JSON Schema of the rules file, for editors.
import { agents } from "../agents/index.ts";
import type { ChannelType } from "../channels/channel-type.ts";
import { loadChannelTypes } from "../channels/index.ts";
import { agentEventNames } from "../agents/event-names.ts";
import { knownEventNames } from "../model/event.ts";
import { levels } from "../model/level.ts";
import { condition, fileSchema, ruleSchema } from "./schema/file-schema.ts";
import { throttle } from "./schema/policies.ts";
import { withOldSettings } from "./schema/old-names.ts";
import { toJsonSchema, type JsonSchema } from "./schema/known-keys.ts";
import { projectFileSchema } from "./project-file.ts";
import { channelJsonSchema } from "./load.ts";

/** Draft 7, which VS Code supports best; `allowTrailingCommas` and `allowComments` are its own keywords. */
export function rulesJsonSchema(types: readonly ChannelType[]): JsonSchema {
  const file = toJsonSchema(fileSchema);
  const { channels, rules, ...others } = file.properties ?? {};
  const definitions = Object.fromEntries(
    types.map((type) => [`${type.type}Channel`, withThrottleOnce(channelJsonSchema(type))]),
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "hookbell rules",
    description: "Where hookbell sends what coding agents report, and when.",
    allowComments: true,
    allowTrailingCommas: true,
    ...file,
    properties: {
      ...others,
      defaults: withOldSettings(others.defaults ?? {}, "defaults"),
      channels: {
        ...channels,
        additionalProperties: { anyOf: Object.keys(definitions).map((name) => ({ $ref: `#/definitions/${name}` })) },
      },
      rules: { ...rules, items: { $ref: "#/definitions/rule" } },
    },
    definitions: {
      rule: ruleJsonSchema(),
      condition: toJsonSchema(condition),
      throttle: toJsonSchema(throttle),
      ...definitions,
    },
  };
}

/** What editors offer; any other text is as good. */
const conditionExamples: Readonly<Record<string, readonly string[]>> = {
  event: [...new Set([...knownEventNames, ...agentEventNames])],
  agent: agents.map(({ id }) => id),
  level: levels,
};
/** The form of a throttle is written once, not once for every channel type. */
function withThrottleOnce(schema: JsonSchema): JsonSchema {
  const { description = "" } = toJsonSchema(throttle);
  const form = { description, anyOf: [{ $ref: "#/definitions/throttle" }] };
  return { ...schema, properties: { ...schema.properties, throttle: form } };
}

/** A condition's form is defined once and referenced by each field. */
function ruleJsonSchema(): JsonSchema {
  const { properties: { when = {}, ...others } = {}, ...rule } = toJsonSchema(ruleSchema);
  const fields = Object.entries(when.properties ?? {}).map(([field, given]) => {
    const { description = "" } = given;
    if (given.type === "boolean") return [field, given] as const;
    const form = { $ref: "#/definitions/condition" };
    const offered = conditionExamples[field];
    // Draft 7 ignores everything beside `$ref`, so it is in a list.
    return [field, { description, anyOf: offered === undefined ? [form] : [{ enum: [...offered] }, form] }] as const;
  });
  const whenSchema = withOldSettings({ ...when, properties: Object.fromEntries(fields) }, "when");
  return withThrottleOnce(withOldSettings({ ...rule, properties: { ...others, when: whenSchema } }, "rule"));
}

export function projectJsonSchemaText(): string {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "hookbell in a repository",
    description: "What a repository's .hookbell.jsonc may say: silence, a choice among your own channels, and a label.",
    allowComments: true,
    allowTrailingCommas: true,
    ...toJsonSchema(projectFileSchema),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

export async function rulesJsonSchemaText(): Promise<string> {
  return `${JSON.stringify(rulesJsonSchema(await loadChannelTypes()), null, 2)}\n`;
}
