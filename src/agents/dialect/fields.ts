// Checks the types of a payload's fields, by hand: a library would cost the hook three milliseconds.
/** Says what it expected; undefined when the value is right. */
export type FieldCheck = (value: unknown) => string | undefined;

/** Other fields are accepted. */
export type FieldChecks = Readonly<Record<string, FieldCheck>>;

export const filledString: FieldCheck = (value) =>
  typeof value === "string" && value !== "" ? undefined : "expected a non-empty string";

export const optionalString: FieldCheck = (value) =>
  value === undefined || value === null || typeof value === "string" ? undefined : "expected a string";

export const optionalBoolean: FieldCheck = (value) =>
  value === undefined || typeof value === "boolean" ? undefined : "expected a boolean";

export const optionalArray: FieldCheck = (value) =>
  value === undefined || Array.isArray(value) ? undefined : "expected an array";

const optionalObject: FieldCheck = (value) =>
  value === undefined || value === null || (typeof value === "object" && !Array.isArray(value))
    ? undefined
    : "expected an object";

/** What an answer depends on. Where one of these is not as expected, no one may allow a call from elsewhere. */
export const fieldsOfAnswers: FieldChecks = {
  cwd: filledString,
  tool_name: optionalString,
  tool_input: optionalObject,
  permission_mode: optionalString,
  agent_id: optionalString,
};

/** The types of fields that may be absent. */
export type FieldTypes = Readonly<Record<string, FieldType>>;
type FieldType = "string" | "number" | "boolean" | "array" | "object";

/** A field that is not as expected, and was left out. */
export interface Drift {
  field: string;
  expected: string;
  got: string;
}

/** Such fields read as absent. */
export function findDrift(types: FieldTypes, payload: Readonly<Record<string, unknown>>): Drift[] {
  return Object.entries(types).flatMap(([field, expected]) => {
    const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
    if (value === undefined || value === null) return [];
    const got = Array.isArray(value) ? "array" : typeof value;
    return got === expected ? [] : [{ field, expected, got }];
  });
}
