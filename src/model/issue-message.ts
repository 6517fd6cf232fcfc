// Words the issues that zod reports.
import type * as z from "zod";

/** The kind of a JSON value. The value itself may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === "") return "an empty text";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "boolean") return String(value);
  const kinds: Record<string, string> = { string: "a text", number: "a number", object: "an object" };
  return kinds[typeof value] ?? "nothing";
}

const typeNames: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  tuple: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

const units: Record<string, string> = { string: "characters", array: "items", set: "items" };

/** Used where a schema has no message of its own. */
export function messageOfIssue(issue: z.core.$ZodRawIssue): string {
  const got = `got ${kindOf(issue.input)}`;
  switch (issue.code) {
    case "invalid_type":
      return `expected ${typeNames[issue.expected] ?? issue.expected}, ${got}`;
    case "invalid_value": {
      const values = issue.values.map((value) => JSON.stringify(value));
      return values.length === 1 ? `expected ${values[0]}` : `expected one of ${values.join(", ")}`;
    }
    case "too_small":
    case "too_big":
      return describeSize(issue);
    case "invalid_format":
      return `expected ${formatNames[issue.format] ?? "another format"}`;
    case "not_multiple_of":
      return `expected a multiple of ${String(issue.divisor)}`;
    case "invalid_union":
      return "this matches none of the allowed forms";
    default:
      return "not allowed here";
  }
}

const formatNames: Record<string, string> = {
  url: "a URL",
  email: "an e-mail address",
  date: "a date such as 2026-01-31",
  datetime: "a date and time such as 2026-01-31T18:00:00Z",
};

function describeSize(issue: z.core.$ZodRawIssue & { code: "too_small" | "too_big" }): string {
  const isSmall = issue.code === "too_small";
  const bound = Number(isSmall ? issue.minimum : issue.maximum);
  if (isSmall && bound === 1 && issue.origin === "string") return "expected a text that is not empty";
  const unit = units[issue.origin];
  const limit = `${isSmall ? "at least" : "at most"} ${bound}`;
  return unit === undefined ? `expected ${limit}` : `expected ${limit} ${bound === 1 ? unit.replace(/s$/, "") : unit}`;
}
