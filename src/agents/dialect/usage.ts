// What a hook's payload says about usage: names and counts, no contents.
import type { AutonomyLevel, Usage } from "../../model/usage.ts";
import type { Payload } from "./agent.ts";
import { hasFailed, slashCommandOf, usageOfCall, usageOfResult } from "./tool-usage.ts";
import { objectOf, textOf } from "../../model/json.ts";

/** The permission modes of all agents. */
const levels: Readonly<Record<string, AutonomyLevel>> = {
  "auto-high": "auto-high",
  "auto-medium": "auto-medium",
  "auto-low": "auto-low",
  spec: "spec",
  off: "manual",
  manual: "manual",
  default: "manual",
  plan: "spec",
  acceptEdits: "auto-low",
  auto_edit: "auto-low",
  "auto-edit": "auto-low",
  auto: "auto-medium",
  dontAsk: "auto-medium",
  bypassPermissions: "auto-high",
  yolo: "auto-high",
};

export function autonomyLevelOf(mode: unknown): AutonomyLevel | undefined {
  const name = textOf(mode);
  return name !== undefined && Object.hasOwn(levels, name) ? levels[name] : undefined;
}

/** Only finished calls count: the events before a call come for refused calls as well. */
const afterCall = /^(?:PostToolUse|AfterTool|postToolUse|tool_result)(Failure)?$/;

/** `payload` has the usual names, `native` is the agent's name of the event. */
export function usageOfPayload(payload: Payload, native: string): Usage | undefined {
  const level = autonomyLevelOf(payload.permission_mode);
  const base: Usage = level === undefined ? {} : { level };
  const slash = native === "UserPromptSubmit" || native === "BeforeAgent" ? slashCommandOf(payload.prompt) : undefined;
  if (slash !== undefined) return { slashCommand: slash };
  const end = afterCall.exec(native);
  const name = textOf(payload.tool_name);
  if (end === null || name === undefined) return undefined;
  const input = payload.tool_input ?? payload.tool_args;
  const response = payload.tool_response ?? payload.tool_result;
  const isEdit = objectOf(response).type === "update";
  const done = end[1] !== undefined || hasFailed(response) ? {} : usageOfResult(name, input, isEdit);
  return { ...base, ...usageOfCall(name, input), ...done };
}
