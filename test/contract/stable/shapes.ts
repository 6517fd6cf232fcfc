// What a program may rely on in a JSON value: its paths and the types found there.

/** Lines such as `sessions[].state: string`, sorted; all elements of a list are one. */
export function shapeOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) {
    return unique([`${path}: list`, ...value.flatMap((each) => shapeOf(each, `${path}[]`))]);
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    return unique([
      `${path}: object`,
      ...entries.flatMap(([key, each]) => shapeOf(each, path === "" ? key : `${path}.${key}`)),
    ]);
  }
  return [`${path}: ${value === null ? "null" : typeof value}`];
}

/** What a settings file may have, from its JSON Schema: settings with their types and values, in any order. */
export function settingsOf(schema: unknown, path = ""): string[] {
  if (Array.isArray(schema)) return unique(schema.flatMap((each) => settingsOf(each, path)));
  if (typeof schema !== "object" || schema === null) return [];
  const { type, enum: values, const: value, properties = {}, definitions = {}, ...more } = schema as Schema;
  const inside = ["items", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "propertyNames"] as const;
  return unique([
    ...[type ?? []].flat().map((each) => `${path}: ${each}`),
    ...[...(values ?? []), ...(value === undefined ? [] : [value])].map((each) => `${path} = ${JSON.stringify(each)}`),
    ...Object.entries(properties).flatMap(([key, each]) => [`${path}.${key}`, ...settingsOf(each, `${path}.${key}`)]),
    ...Object.entries(definitions).flatMap(([key, each]) => settingsOf(each, `#${key}`)),
    ...inside.flatMap((key) => settingsOf(more[key], key.endsWith("Of") ? path : `${path}/${key}`)),
  ]);
}

/** The settings that a file must have: a version may drop one of them, but add none. */
export function requirementsOf(schema: unknown, path = ""): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { required = [], definitions = {}, properties = {} } = schema as Schema;
  return unique([
    ...required.map((key) => `${path}.${key}`),
    ...Object.entries(properties).flatMap(([key, each]) => requirementsOf(each, `${path}.${key}`)),
    ...Object.entries(definitions).flatMap(([key, each]) => requirementsOf(each, `#${key}`)),
  ]);
}

interface Schema extends Record<string, unknown> {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, unknown>;
  definitions?: Record<string, unknown>;
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)].toSorted();
}
