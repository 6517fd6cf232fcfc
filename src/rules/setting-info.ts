// The settings of a channel type as data, read from its schema: for lists, --help and `channels add`.
import type { ChannelType } from "../channels/channel-type.ts";
import { isSecretKey } from "./literal-secrets.ts";
import { channelJsonSchema } from "./load.ts";
import type { JsonSchema } from "./schema/known-keys.ts";

export interface SettingInfo {
  key: string;
  meaning: string;
  /** What can be written: `a text`, `true or false`, `"new" or "replace"`. */
  form: string;
  /** All values, if they are known. */
  choices: readonly (string | boolean)[];
  /** A list is split at commas, a program at spaces. */
  array: "list" | "program" | undefined;
  isRequired: boolean;
  /** Whether the value can come from the environment, a file or a program. */
  hasSources: boolean;
  isSecret: boolean;
  /** Whether every channel has it, whatever its type. */
  isCommon: boolean;
  default?: unknown;
}

/** One of several ways to complete a type's settings, such as a webhook or a bot. */
export interface Alternative {
  title: string;
  required: readonly string[];
  /** Required or not: settings that only this way has. */
  own: readonly string[];
}

/** Required settings first, those of every channel last; without `type`. */
export function settingsOf(channelType: ChannelType): SettingInfo[] {
  const schema = channelJsonSchema(channelType);
  const common = new Set(Object.keys(channelJsonSchema(undefined).properties ?? {}));
  const required = textsIn(schema.required);
  const all = Object.entries(schema.properties ?? {})
    .filter(([key]) => key !== "type")
    .map(([key, property]): SettingInfo => {
      const hasSources = isSourced(property);
      return {
        key,
        meaning: property.description ?? "",
        form: formOf(property),
        choices: choicesOf(property),
        array: arrayOf(property),
        // With a default, it is required in the result only.
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

export function alternativesOf(channelType: ChannelType): Alternative[] {
  const { anyOf = [] } = channelJsonSchema(channelType);
  return anyOf.map(({ title = "", required, properties = {} }) => ({
    title,
    required: textsIn(required),
    own: Object.keys(properties),
  }));
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function isSourced(schema: JsonSchema): boolean {
  return (schema.anyOf ?? []).some((form) => form.properties?.env !== undefined);
}

function choicesOf({ type, enum: values }: JsonSchema): (string | boolean)[] {
  if (type === "boolean") return [true, false];
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

function arrayOf(schema: JsonSchema): SettingInfo["array"] {
  if (schema.type === "array") return Array.isArray(schema.items) ? "program" : "list";
  return (schema.anyOf ?? []).map(arrayOf).find((array) => array === "list");
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
