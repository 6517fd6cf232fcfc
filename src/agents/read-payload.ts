// Reads a payload: which agent wrote it, which event it is, and what is wrong with it.
import { knownEventNames, wasQuestion } from "../model/event.ts";
import { textOf } from "../model/json.ts";
import type { Agent, HookEnvironment, PayloadFacts, Payload } from "./dialect/agent.ts";
import { type Drift, type FieldChecks, fieldsOfAnswers, filledString, findDrift } from "./dialect/fields.ts";
import { generic } from "./dialect/generic.ts";
import { notificationTypeOf } from "./dialect/notification-types.ts";
import { describeValue, findProblems, type PayloadProblem } from "./dialect/problem.ts";
import { bareName } from "./dialect/values.ts";
import { eventNamesOf } from "./event-names.ts";
import { agents, findAgent } from "./index.ts";
import { maxWholePayload, shortenPayload } from "./shorten-payload.ts";

export { describePayloadProblem } from "./dialect/problem.ts";

/** No agent sends larger payloads. */
export const maxPayloadBytes = 8 * 1024 * 1024;

export type PayloadReading =
  | {
      status: "valid";
      /** The agent that wrote the payload, which need not be the one on the command line. */
      agentId: string;
      agent: Agent;
      /** The agent's name on the command line, if it differs. */
      calledAs: string | undefined;
      eventName: string;
      /** The agent's name for the event, if it differs. */
      agentEvent: string | undefined;
      facts: PayloadFacts;
      /** Why the event never sends a notification. */
      ignored: string | undefined;
      /** Fields that are not as expected, and were left out. */
      drift: Drift[];
      /** A call may be allowed from elsewhere: nothing was left out on which that depends. */
      isAllowable: boolean;
      /** Long texts and lists were cut. */
      isShortened?: true;
      /** The part of the payload that channels may get. */
      payload: Payload;
      /** The payload under the names that most agents use. */
      usual: Payload;
    }
  | {
      status: "invalid";
      agentId: string;
      eventName: string | undefined;
      problems: PayloadProblem[];
      /** Someone may wait for an answer. */
      mayAsk: boolean;
    };

export interface PayloadHints {
  agentId?: string | undefined;
  eventName?: string | undefined;
  env: HookEnvironment;
  /** What `hookCaller` says of the hook's environment, where that is not at hand. */
  hookOf?: string | undefined;
}

/** Reports every problem at once. */
export function readPayload(text: string, hints: PayloadHints): PayloadReading {
  const whole = (expected: string, got: string): PayloadReading => ({
    status: "invalid",
    agentId: hints.agentId ?? "generic",
    eventName: hints.eventName,
    problems: [{ field: "", expected, got }],
    mayAsk: wasQuestion({ name: hints.eventName ?? "" }),
  });
  const trimmed = text.charCodeAt(0) === 0xfeff ? text.slice(1).trim() : text.trim();
  if (trimmed === "") return whole("one JSON object", "nothing");
  if (isTooDeep(trimmed)) return whole(`JSON nested at most ${maxDepth} deep`, "deeper nesting");
  const shortened = trimmed.length > maxWholePayload ? shortenPayload(trimmed) : undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(shortened ?? trimmed);
  } catch {
    // What the error says quotes the text, and this one goes into the log.
    return whole("one JSON object", "text that is not JSON");
  }
  if (!isPayload(parsed)) return whole("one JSON object", describeValue(parsed));
  const reading = readObject(parsed, hints);
  if (shortened === undefined || reading.status === "invalid") return reading;
  return { ...reading, isShortened: true, payload: { ...reading.payload, hookbell_shortened: true } };
}

function readObject(parsed: Payload, hints: PayloadHints): PayloadReading {
  const { agent, agentId } = identifyAgent(parsed, hints);
  const snake = withSnakeCase(parsed);
  if (agent.nativeName !== undefined) snake.hook_event_name = agent.nativeName(parsed, hints.eventName);
  else if (hints.eventName !== undefined) snake.hook_event_name ??= hints.eventName;
  const payload = agent.withCommonNames?.(snake) ?? snake;
  const native = textOf(payload.hook_event_name);
  const eventName =
    native === undefined ? undefined : (agent.eventName?.(native, payload) ?? commonName(agent, native));
  const { identity = eventAndSession, common = {}, events = {}, isStrict } = agent;
  const ofEvent = eventName !== undefined && Object.hasOwn(events, eventName) ? events[eventName] : undefined;
  const unidentified = findProblems(identity, payload);
  const odd = findProblems({ ...(agent.asks && fieldsOfAnswers), ...common, ...ofEvent }, payload);
  const problems = isStrict === true ? [...unidentified, ...odd] : unidentified;
  if (problems.length > 0 || eventName === undefined) {
    const mayAsk = eventName === undefined ? looksLikeQuestion(payload) : wasQuestion({ name: eventName });
    return { status: "invalid", agentId, eventName, problems, mayAsk };
  }
  const left = omit(payload, odd);
  return {
    status: "valid",
    agentId,
    agent,
    calledAs: hints.agentId === agentId ? undefined : hints.agentId,
    eventName,
    agentEvent: native === eventName ? undefined : native,
    facts: withLevel(agent.facts(left, eventName), eventName),
    ignored: agent.ignores?.(eventName, left),
    drift: [...odd.map(asDrift), ...findDrift(agent.types, left)],
    isAllowable: !odd.some(({ field }) => Object.hasOwn(fieldsOfAnswers, field)),
    payload: withhold(agent.acceptsCamelCase ? snake : parsed, agent.withheld ?? []),
    usual: left,
  };
}

/** A name in another case, or with other signs between its words, is the same event where the agent has none of that name. */
function commonName({ id, eventNames = {} }: Agent, native: string): string {
  if (Object.hasOwn(eventNames, native)) return eventNames[native] ?? native;
  const names = [...knownEventNames, ...(eventNamesOf[id] ?? eventNamesOf["claude-code"] ?? [])];
  if (names.includes(native)) return native;
  const bare = bareName(native);
  const own = Object.keys(eventNames).find((name) => bareName(name) === bare);
  return (own === undefined ? names.find((name) => bareName(name) === bare) : eventNames[own]) ?? native;
}

const fieldsOfQuestions = ["tool_input", "message", "notification", "requested_schema", "properties"];
const fieldsOfOthers = ["tool_response", "last_assistant_message", "stop_hook_active", "prompt", "source", "reason"];

/** Whether a payload that names no event has the fields of a question. */
function looksLikeQuestion(payload: Payload): boolean {
  const has = (field: string): boolean => (payload[field] ?? null) !== null;
  return fieldsOfQuestions.some(has) && !fieldsOfOthers.some(has);
}

function omit(payload: Payload, odd: readonly PayloadProblem[]): Payload {
  const fields = new Set(odd.map(({ field }) => field));
  return fields.size === 0
    ? payload
    : Object.fromEntries(Object.entries(payload).filter(([name]) => !fields.has(name)));
}

function asDrift({ field, expected, got }: PayloadProblem): Drift {
  return { field, expected: expected.replace(/^expected /, ""), got };
}

const eventAndSession: FieldChecks = { hook_event_name: filledString, session_id: filledString };

function withLevel(facts: PayloadFacts, eventName: string): PayloadFacts {
  if (eventName !== "Notification") return facts;
  const level = notificationTypeOf(facts.notificationType, facts.message)?.level;
  return level === undefined ? facts : { ...facts, level };
}

/** Serialising deeper JSON overflows the stack. */
const maxDepth = 500;

export function isTooDeep(text: string): boolean {
  // A shorter text cannot be too deep.
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

/** Renames top-level keys; a key that is in snake_case already wins. */
export function withSnakeCase(payload: Payload): Payload {
  const result: Payload = {};
  for (const [key, value] of Object.entries(payload)) {
    const snake = key
      .replace(/(?<=[a-z0-9])[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)
      .replace(/(?<=[a-z0-9])-(?=[a-z0-9])/g, "_");
    if (snake === "__proto__" || (snake !== key && Object.hasOwn(payload, snake))) continue;
    result[snake] = value;
  }
  return result;
}

/** `paths` such as `details.newContent`. */
export function withhold(payload: Payload, paths: readonly string[]): Payload {
  return paths.reduce((rest, path) => without(rest, path.split(".")), payload);
}

function without(parent: Payload, [key = "", ...deeper]: string[]): Payload {
  if (!Object.hasOwn(parent, key)) return parent;
  if (deeper.length === 0) {
    const { [key]: _, ...rest } = parent;
    return rest;
  }
  const child = parent[key];
  if (typeof child !== "object" || child === null || Array.isArray(child)) return parent;
  return { ...parent, [key]: without(child as Payload, deeper) };
}

/** An agent that runs another one's hooks passes that one's `--agent`, so the payload counts for more. */
function identifyAgent(payload: Payload, hints: PayloadHints): { agent: Agent; agentId: string } {
  const { agentId, env, hookOf = hookCaller(env) } = hints;
  const named = agentId === undefined ? undefined : (findAgent(agentId) ?? generic);
  if (agentId !== undefined && named === generic) return { agent: generic, agentId };
  const author = agents.find((candidate) => candidate.isAuthor?.(payload, agentId) === true);
  const agent = author ?? named ?? agents.find((each) => isCalledBy(each, env)) ?? generic;
  if (agent === author || named?.isOwn === undefined) return { agent, agentId: agent.id };
  // An agent that another one starts inherits its variables, so they count only for what the payload leaves open.
  const isOwn = named.isOwn(payload);
  const other = hookOf === undefined || isOwn === true ? undefined : findAgent(hookOf);
  if (other?.alsoRuns?.includes(named.id) === true) return { agent: other, agentId: other.id };
  return isOwn === false ? { agent: underNoName(named), agentId: generic.id } : { agent, agentId: agent.id };
}

function isCalledBy({ variables }: Agent, env: HookEnvironment): boolean {
  return variables.ofHooks.some((name) => env[name] !== undefined);
}

/** The agent in whose hook this environment is, of those that run other agents' hooks. */
export function hookCaller(env: HookEnvironment): string | undefined {
  return agents.find((each) => each.alsoRuns !== undefined && isCalledBy(each, env))?.id;
}

/** It is read in that agent's form, and gets no answers: no one knows what it takes for one. */
function underNoName({ asks: _, ...form }: Agent): Agent {
  const { id, name, docs, variables } = generic;
  return { ...form, id, name, docs, variables };
}
