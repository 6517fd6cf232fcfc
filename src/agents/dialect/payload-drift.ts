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
