// The generic dialect, for anything that can pipe JSON to a command.
import type { Figures } from "../../model/event.ts";
import { hookChanged } from "../../model/own-events.ts";
import type { Agent, PayloadFacts, Payload } from "./agent.ts";
import { type FieldChecks, filledString, optionalArray, optionalBoolean, optionalString } from "./fields.ts";
import { hookChangeFacts } from "./hook-change.ts";
import { toolFacts } from "./tool-line.ts";
import { millisecondsOf } from "./values.ts";
import { objectOf, textOf } from "../../model/json.ts";

/** `droid` and `claude-code` have more. */
export const genericEvents: NonNullable<Agent["events"]> = {
  Notification: { message: optionalString, title: optionalString, notification_type: optionalString },
  Stop: {
    stop_hook_active: optionalBoolean,
    last_assistant_message: optionalString,
    background_tasks: optionalArray,
  },
  SubagentStop: {
    stop_hook_active: optionalBoolean,
    last_assistant_message: optionalString,
    background_tasks: optionalArray,
    agent_id: optionalString,
    agent_type: optionalString,
  },
  SessionEnd: { reason: filledString },
  UserPromptSubmit: { prompt: optionalString },
  StopFailure: { error: optionalString, last_assistant_message: optionalString },
};

/** Most agents send these fields. */
export const commonTypes = {
  message: "string",
  title: "string",
  notification_type: "string",
  last_assistant_message: "string",
  reason: "string",
  agent_type: "string",
  background_tasks: "array",
} as const satisfies Agent["types"];

export function genericFacts(payload: Payload): PayloadFacts {
  return {
    session: textOf(payload.session_id) ?? "unknown",
    cwd: textOf(payload.cwd) ?? "",
    message: textOf(payload.message) ?? textOf(payload.last_assistant_message) ?? textOf(payload.error_details),
    title: textOf(payload.title),
    reason: textOf(payload.reason) ?? textOf(payload.error) ?? textOf(payload.error_type),
    notificationType: textOf(payload.notification_type),
    subagent: textOf(payload.agent_type) ?? textOf(payload.agent_id),
    figures: readFigures(payload.figures),
  };
}

export const genericCommon: FieldChecks = {
  cwd: filledString,
  transcript_path: optionalString,
  permission_mode: optionalString,
};

export const generic: Agent = {
  id: "generic",
  name: "Agent",
  docs: "https://docs.factory.ai/reference/hooks-reference",
  // Several agents and their wrappers follow this convention.
  variables: { ofHooks: [], ofCommands: ["AI_AGENT"] },
  acceptsCamelCase: true,
  common: genericCommon,
  events: genericEvents,
  isStrict: true,
  types: { source: "string", tool_name: "string", error_details: "string" },
  facts(payload, eventName) {
    const durationMs = millisecondsOf(payload.duration_ms);
    const facts = { ...genericFacts(payload), ...(durationMs === undefined ? {} : { durationMs }) };
    if (eventName === hookChanged) return { ...facts, ...hookChangeFacts(payload) };
    if (eventName !== "PermissionRequest") return facts;
    const asked = toolFacts({}, payload);
    return { ...facts, ...asked, message: facts.message ?? asked.message, title: facts.title ?? asked.title };
  },
};

/** A notification is no report. */
const limits = { columns: 8, rows: 50, points: 100, textLength: 200 };

export function readFigures(value: unknown): Figures | undefined {
  const { table, chart } = objectOf(value);
  const figures = { table: readTable(objectOf(table)), chart: readChart(objectOf(chart)) };
  return figures.table === undefined && figures.chart === undefined ? undefined : figures;
}

function readTable({ columns, rows }: Record<string, unknown>): Figures["table"] {
  if (!areTexts(columns, limits.columns) || !Array.isArray(rows) || rows.length > limits.rows) return undefined;
  const isWhole = rows.every((row): row is string[] => areTexts(row, limits.columns) && row.length === columns.length);
  return isWhole ? { columns, rows } : undefined;
}

function readChart({ title, labels, values }: Record<string, unknown>): Figures["chart"] {
  if (!areTexts([title], 1) || !areTexts(labels, limits.points) || !Array.isArray(values)) return undefined;
  const areNumbers = values.every((each): each is number => typeof each === "number" && Number.isFinite(each));
  return areNumbers && values.length === labels.length && values.length > 0
    ? { title: String(title), labels, values }
    : undefined;
}

function areTexts(value: unknown, most: number): value is string[] {
  const isText = (each: unknown): boolean => typeof each === "string" && each.length <= limits.textLength;
  return Array.isArray(value) && value.length <= most && value.every(isText);
}
