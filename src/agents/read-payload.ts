import type * as z from "zod/mini";
import type { Agent, Environment, Payload } from "./define-agent.ts";
import { generic } from "./generic.ts";
import { agents, findAgent } from "./index.ts";

/** Larger payloads are refused: no agent sends them, and somebody has to hold them in memory. */
export const maxPayloadBytes = 8 * 1024 * 1024;

/** Something wrong with a payload. `field` is empty when the whole is wrong. */
export interface PayloadProblem {
  field: string;
  expected: string;
  came: string;
}

export type PayloadReading =
  | { status: "valid"; agentId: string; agent: Agent; eventName: string; payload: Payload }
  | { status: "invalid"; agentId: string; eventName: string | undefined; problems: PayloadProblem[] };

/** What the person or `init` put on the command line, and the environment the agent gave us. */
export interface PayloadHints {
  agentId?: string | undefined;
  eventName?: string | undefined;
  env: Environment;
}

/** Parses and validates one payload; a value either way, with every problem at once. */
export function readPayload(text: string, hints: PayloadHints): PayloadReading {
  const whole = (expected: string, came: string): PayloadReading => ({
    status: "invalid",
    agentId: hints.agentId ?? "generic",
    eventName: hints.eventName,
    problems: [{ field: "", expected, came }],
  });
  const trimmed = text.charCodeAt(0) === 0xfeff ? text.slice(1).trim() : text.trim();
  if (trimmed === "") return whole("one JSON object", "nothing");
  if (isTooDeep(trimmed)) return whole(`JSON nested at most ${maxDepth} deep`, "deeper nesting");
  let parsed: unknown;
  try {
    parsed = JSON.parse(trimmed);
  } catch (error) {
    return whole("one JSON object", `text that is not JSON (${shorten(error instanceof Error ? error.message : "")})`);
  }
  if (!isPayload(parsed)) return whole("one JSON object", describe(parsed));

  // An agent we have no dialect for speaks the generic one, under its own name.
  const agent =
    hints.agentId === undefined
      ? (agents.find((candidate) => candidate.isCalling(parsed, hints.env)) ?? generic)
      : (findAgent(hints.agentId) ?? generic);
  const agentId = hints.agentId ?? agent.id;

  const payload = agent.acceptsCamelCase ? withSnakeCase(parsed) : { ...parsed };
  if (hints.eventName !== undefined) payload.hook_event_name ??= hints.eventName;
  const eventName = typeof payload.hook_event_name === "string" ? payload.hook_event_name : undefined;
  const ofEvent =
    eventName === undefined || !Object.hasOwn(agent.events, eventName) ? undefined : agent.events[eventName];
  const problems = [...check(agent.common(), payload), ...(ofEvent === undefined ? [] : check(ofEvent(), payload))];
  return problems.length === 0 && eventName !== undefined
    ? { status: "valid", agentId, agent, eventName, payload }
    : { status: "invalid", agentId, eventName, problems };
}

/** Deeper JSON overflows the stack of whoever writes it down again. */
const maxDepth = 500;

function isTooDeep(text: string): boolean {
  // The shortest text that is too deep; nearly every payload is spared the look.
  if (text.length < 2 * maxDepth) return false;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}

/** One line a problem, as it goes to stderr and beside the rejected payload. */
export function describePayloadProblem(problem: PayloadProblem, eventName: string | undefined): string {
  const event = shorten(eventName || "payload");
  return problem.field === ""
    ? `${event}: expected ${problem.expected}, came ${problem.came}`
    : `${event}: ${problem.field}: ${problem.expected}, came ${problem.came}`;
}

function check(schema: z.ZodMiniType, payload: Payload): PayloadProblem[] {
  const result = schema.safeParse(payload);
  if (result.success) return [];
  return result.error.issues.map((issue) => ({
    field: issue.path.map(String).join("."),
    expected: issue.message,
    came: describe(issue.path.reduce<unknown>(step, payload)),
  }));
}

function step(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}

function isPayload(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Older releases sent `hookEventName`; a snake_case key that is there as well wins. */
function withSnakeCase(payload: Payload): Payload {
  const result: Payload = {};
  for (const [key, value] of Object.entries(payload)) {
    const snake = key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snake === "__proto__" || (snake !== key && Object.hasOwn(payload, snake))) continue;
    result[snake] = value;
  }
  return result;
}

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `the ${typeof value} ${shorten(JSON.stringify(value))}`;
}

/** Untrusted text on one line of a terminal: no controls, not long. */
function shorten(text: string): string {
  const line = text.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
