import type { ChannelType } from "../channels/channel-type.ts";
import type { JsonSchema } from "./schema/known-keys.ts";
import { channelJsonSchema } from "./load.ts";
import { isSecretKey } from "./literal-secrets.ts";

/** One setting of a channel type, as a person is told of it. */
export interface SettingInfo {
  key: string;
  meaning: string;
  /** What may be written: `a text`, `true or false`, `"new" or "replace"`. */
  form: string;
  isRequired: boolean;
  /** Whether the value may come from the environment, a file or a program. */
  hasSources: boolean;
  /** Whether nobody else should see the value. */
  isSecret: boolean;
  /** Whether every channel has it, whatever its type. */
  isCommon: boolean;
  default?: unknown;
}

/** The settings of a channel type without `type` itself: those it needs, then its others, then those that all have. */
export function settingsOf(channelType: ChannelType): SettingInfo[] {
  const schema = channelJsonSchema(channelType);
  const common = new Set(Object.keys(channelJsonSchema(undefined).properties ?? {}));
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const all = Object.entries(schema.properties ?? {})
    .filter(([key]) => key !== "type")
    .map(([key, property]): SettingInfo => {
      const hasSources = isSourced(property);
      return {
        key,
        meaning: property.description ?? "",
        form: formOf(property),
        // With a default of its own it is required of what comes out, not of what a person writes.
        isRequired: required.includes(key) && property.default === undefined,
        hasSources,
        isSecret: hasSources && isSecretKey(key),
        isCommon: common.has(key),
        ...(property.default === undefined ? {} : { default: property.default }),
      };
    });
  const rank = ({ isRequired, isCommon }: SettingInfo): number => (isRequired ? 0 : isCommon ? 2 : 1);
  return all.toSorted((a, b) => rank(a) - rank(b));
}

/** The ways to be complete, each by the settings that it takes, where a type has several. */
export function alternativesOf(channelType: ChannelType): string[][] {
  const { anyOf = [] } = channelJsonSchema(channelType);
  return anyOf.flatMap(({ required }) => (Array.isArray(required) ? [required.map(String)] : []));
}

function isSourced(schema: JsonSchema): boolean {
  return (schema.anyOf ?? []).some((form) => form.properties?.env !== undefined);
}

const typeForms: Record<string, string> = {
  string: "a text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  array: "an array",
  object: "an object",
};

function formOf(schema: JsonSchema): string {
  if (isSourced(schema)) return "a text, or where to get it";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return listed(schema.enum.map((value) => JSON.stringify(value)));
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return listed([...new Set(forms.map(formOf))]);
  return typeForms[String(schema.type)] ?? "a value";
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
