import type { Agent, Environment, EventFacts, Payload } from "./dialect/agent.ts";
import { findDrift, type Drift } from "./dialect/payload-drift.ts";
import { describeValue, findProblems, shorten, type PayloadProblem } from "./dialect/problem.ts";
import { recognise } from "./recognise.ts";
import { withSnakeCase } from "./snake-case.ts";
import { withhold } from "./withhold.ts";

export { describePayloadProblem } from "./dialect/problem.ts";

/** Larger payloads are refused: no agent sends them, and somebody has to hold them in memory. */
export const maxPayloadBytes = 8 * 1024 * 1024;

export type PayloadReading =
  | {
      status: "valid";
      /** The agent that wrote it, which need not be the one on the command line. */
      agentId: string;
      agent: Agent;
      /** The agent on the command line, when that is another. */
      calledAs: string | undefined;
      /** Our name of the event. */
      eventName: string;
      /** The agent's own name of it, where that is another. */
      agentEvent: string | undefined;
      facts: EventFacts;
      /** Why nobody is told, when nobody ever is. */
      ignored: string | undefined;
      /** Fields that this release of the agent writes in another way than we know. */
      drift: Drift[];
      /** What may be passed on. */
      payload: Payload;
    }
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
  return isPayload(parsed) ? readObject(parsed, hints) : whole("one JSON object", describeValue(parsed));
}

function readObject(parsed: Payload, hints: PayloadHints): PayloadReading {
  const { agent, agentId } = recognise(parsed, hints);
  const snake = withSnakeCase(parsed);
  if (agent.nativeName !== undefined) snake.hook_event_name = agent.nativeName(parsed, hints.eventName);
  else if (hints.eventName !== undefined) snake.hook_event_name ??= hints.eventName;
  const payload = agent.usual?.(snake) ?? snake;
  const native = typeof payload.hook_event_name === "string" ? payload.hook_event_name : undefined;
  const eventName = native === undefined ? undefined : (agent.eventName?.(native, payload) ?? native);
  const ofEvent =
    eventName === undefined || !Object.hasOwn(agent.events, eventName) ? undefined : agent.events[eventName];
  const problems = [
    ...findProblems(agent.common, payload),
    ...(ofEvent === undefined ? [] : findProblems(ofEvent, payload)),
  ];
  if (problems.length > 0 || eventName === undefined) return { status: "invalid", agentId, eventName, problems };
  return {
    status: "valid",
    agentId,
    agent,
    calledAs: hints.agentId === agentId ? undefined : hints.agentId,
    eventName,
    agentEvent: native === eventName ? undefined : native,
    facts: agent.facts(payload, eventName),
    ignored: agent.ignores?.(eventName, payload),
    drift: findDrift(agent.types, payload),
    payload: withhold(agent.acceptsCamelCase ? snake : parsed, agent.withheld ?? []),
  };
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

function isPayload(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
