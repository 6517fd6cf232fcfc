// JSON Schemas made from zod schemas, and the keys they allow at a path.
import * as z from "zod";

/** The part of JSON Schema that is used here. */
export interface JsonSchema {
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema | JsonSchema[] | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  [keyword: string]: unknown;
}

/** Schemas are cached, because a file with a thousand problems asks a thousand times. */
const made = new WeakMap<z.ZodType, JsonSchema>();

/** What can be written for a zod schema, as draft 7, which editors know best. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const before = made.get(schema);
  if (before !== undefined) return before;
  const {
    $schema: _,
    "~standard": __,
    ...rest
  } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
    reused: "inline",
  }) as JsonSchema;
  made.set(schema, rest);
  return rest;
}

/** The keys that an object at this path can have, with their descriptions. */
export function knownKeysAt(schema: JsonSchema, path: readonly PropertyKey[]): Map<string, string | undefined> {
  const keys = new Map<string, string | undefined>();
  for (const place of placesAt(schema, path)) {
    for (const [key, { description }] of Object.entries(place.properties ?? {}))
      keys.set(key, description ?? keys.get(key));
  }
  return keys;
}

function placesAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema[] {
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []);
  const fromChoices = choices.flatMap((choice) => placesAt(choice, path));
  const [key, ...rest] = path;
  if (key === undefined) return [schema, ...fromChoices];
  const { properties = {}, additionalProperties, items } = schema;
  const own = typeof key === "string" && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const next = typeof key === "number" ? items : (own ?? additionalProperties);
  const nexts = typeof next === "object" ? [next].flat() : [];
  return [...nexts.flatMap((each) => placesAt(each, rest)), ...fromChoices];
}
