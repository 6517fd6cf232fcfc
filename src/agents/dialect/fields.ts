/** Says what it expects when the value is something else; undefined when the value will do. */
export type FieldCheck = (value: unknown) => string | undefined;

/** The fields of an object that are looked at; any others are let through. */
export type FieldChecks = Readonly<Record<string, FieldCheck>>;

// By hand: the hook carries them, and a library would cost it three milliseconds of the agent's turn.
export const filledString: FieldCheck = (value) =>
  typeof value === "string" && value !== "" ? undefined : "expected a non-empty string";

export const optionalString: FieldCheck = (value) =>
  value === undefined || value === null || typeof value === "string" ? undefined : "expected a string";

export const optionalBoolean: FieldCheck = (value) =>
  value === undefined || typeof value === "boolean" ? undefined : "expected a boolean";

export const optionalArray: FieldCheck = (value) =>
  value === undefined || Array.isArray(value) ? undefined : "expected an array";

/** What a field holds when it is there. */
export type FieldTypes = Readonly<Record<string, FieldType>>;
type FieldType = "string" | "number" | "boolean" | "array" | "object";

/** A field that a newer (or older) release of the agent writes in another way than we know it. */
export interface Drift {
  field: string;
  expected: FieldType;
  came: string;
}

/** Fields of another type than expected; whoever reads them sees nothing there. */
export function findDrift(types: FieldTypes, payload: Readonly<Record<string, unknown>>): Drift[] {
  return Object.entries(types).flatMap(([field, expected]) => {
    const value = Object.hasOwn(payload, field) ? payload[field] : undefined;
    if (value === undefined || value === null) return [];
    const came = Array.isArray(value) ? "array" : typeof value;
    return came === expected ? [] : [{ field, expected, came }];
  });
}
