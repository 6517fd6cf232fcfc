import type { Payload } from "./agent.ts";
import type { FieldChecks } from "./fields.ts";

/** Something wrong with a payload. `field` is empty when the whole is wrong. */
export interface PayloadProblem {
  field: string;
  expected: string;
  came: string;
}

/** One line a problem, as it goes to stderr and beside the rejected payload. */
export function describePayloadProblem(problem: PayloadProblem, eventName: string | undefined): string {
  const event = shorten(eventName || "payload");
  return problem.field === ""
    ? `${event}: expected ${problem.expected}, came ${problem.came}`
    : `${event}: ${problem.field}: ${problem.expected}, came ${problem.came}`;
}

/** Every problem at once. */
export function findProblems(checks: FieldChecks, payload: Payload): PayloadProblem[] {
  return Object.entries(checks).flatMap(([field, check]) => {
    const expected = check(payload[field]);
    return expected === undefined ? [] : [{ field, expected, came: describeValue(payload[field]) }];
  });
}

/** What came, in few words. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `the ${typeof value} ${shorten(JSON.stringify(value))}`;
}

/** Untrusted text on one line of a terminal: no controls, not long. */
export function shorten(text: string): string {
  const line = text.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
