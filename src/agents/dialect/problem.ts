// What is wrong with a payload, and how the user reads it.
import type { Payload } from "./agent.ts";
import type { FieldChecks } from "./fields.ts";

/** `field` is empty when the whole payload is wrong. */
export interface PayloadProblem {
  field: string;
  expected: string;
  got: string;
}

/** No agent's event has digits in its name, and a credential mostly has. */
const plainName = /^[A-Za-z][A-Za-z._:-]{0,60}$/;

/** The line goes to stderr, into the journal, and into the file beside the rejected payload. */
export function describePayloadProblem(problem: PayloadProblem, eventName: string | undefined): string {
  const event = eventName !== undefined && plainName.test(eventName) ? eventName : "payload";
  return problem.field === ""
    ? `${event}: expected ${problem.expected}, got ${problem.got}`
    : `${event}: ${problem.field}: ${problem.expected}, got ${problem.got}`;
}

/** All problems at once. */
export function findProblems(checks: FieldChecks, payload: Payload): PayloadProblem[] {
  return Object.entries(checks).flatMap(([field, check]) => {
    const expected = check(payload[field]);
    return expected === undefined ? [] : [{ field, expected, got: describeValue(payload[field]) }];
  });
}

const maxQuotedLength = 19;

/** Describes a value in few words. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  // The hook does not know what a credential looks like.
  if (typeof value === "string" && value.length > maxQuotedLength) return `a string of ${value.length} characters`;
  return `the ${typeof value} ${shorten(JSON.stringify(value))}`;
}

/** Untrusted text on one line, without control characters. */
function shorten(text: string): string {
  const line = text.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
