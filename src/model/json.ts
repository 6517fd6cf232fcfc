// Reads JSON that others wrote, and its members of any type; writes JSON for a screen.

export type Members = Record<string, unknown>;

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for anything else, also for an array. */
export function asObject(value: unknown): Members | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

/** An empty object in place of anything else. */
export function objectOf(value: unknown): Members {
  return asObject(value) ?? {};
}

/** Empty for a text that is not JSON, too. */
export function objectIn(text: string): Members {
  return objectOf(parseJson(text));
}

/** An empty list in place of anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The items of an array as objects; none for anything else. */
export function objectsOf(value: unknown): Members[] {
  return listOf(value).map(objectOf);
}

/** The value if it is a non-empty string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const terminalControls = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** A value as one line of JSON. Escapes characters that control a terminal (C1, bidirectional overrides). */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    terminalControls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${escaped}\n`;
}

/** The same for the same value, however its members are ordered: each object becomes a list of its members. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, inner]) => (inner === undefined ? [] : [[key, inOrder(inner)]]));
}
