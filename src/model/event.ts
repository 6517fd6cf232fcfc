// An event: what an agent reported, in one form for all agents.
import type * as z from "zod";
import type { agentEventSchema, figuresSchema } from "./delivery.ts";

/** Rules can match other names as well. */
export const knownEventNames = [
  "Notification",
  "Stop",
  "SubagentStop",
  "SessionEnd",
  "StopFailure",
  "PermissionRequest",
  "SessionStart",
  "UserPromptSubmit",
  "UsageDigest",
  "CreditBudget",
  "ReadinessReport",
  "ReadinessRegression",
  "ComputerInstall",
  "Stuck",
  "Digest",
  "ContextHigh",
  "LimitHigh",
  "CostHigh",
  "LimitReached",
  "LimitReset",
] as const;

/** All its text is untrusted: a model or a tool wrote it. */
export type AgentEvent = z.infer<typeof agentEventSchema>;

const toolCallEvents: ReadonlySet<string> = new Set(["PostToolUse", "PostToolUseFailure"]);
const frequentEvent = /^(?:PreToolUse|BeforeTool|(?:Before|After)Model|MessageDisplay)$/;

/** Frequent events come in hundreds: only rules that name them match. */
export function isFrequent(eventName: string): boolean {
  return isToolCall(eventName) || frequentEvent.test(eventName);
}

export function isToolCall(eventName: string): boolean {
  return toolCallEvents.has(eventName);
}

export function isMarkdown<Said extends Pick<AgentEvent, "name" | "agent" | "message">>(
  event: Said,
): event is Said & { message: string } {
  const isEnd = event.name === "Stop" || event.name === "SubagentStop";
  return event.message !== undefined && isEnd && event.agent !== "hookbell";
}

export type Figures = z.infer<typeof figuresSchema>;

// What a question is: the one answer for rules of attention, sessions, duplicates and the order of a backlog.

type Asking = Pick<AgentEvent, "name" | "level" | "notificationType">;

/** The agent's own events for a question; a Notification repeats them in fewer words. */
const askingEvents: ReadonlySet<string> = new Set(["PermissionRequest", "Elicitation"]);
const typesThatRepeat = /^(?:(?:worker_)?permission_prompt|elicitation_(?:url_)?dialog)$/;
const typesThatRemind = /^(?:idle_prompt|agent_idle|quota_auto_resume_disabled)$/;

export function isEndOfTurn({ name }: Pick<AgentEvent, "name">): boolean {
  return name === "Stop" || name === "StopFailure";
}

/** Whether the agent waits for the person. A Notification may only inform. */
export function isQuestion({ name, level }: Asking): boolean {
  return askingEvents.has(name) || (name === "Notification" && level === "attention");
}

/** The same of an event whose level is not kept, and that was kept only if it was a question. */
export function wasQuestion({ name }: Pick<AgentEvent, "name">): boolean {
  return isAskingEvent({ name }) || name === "Notification";
}

export function isAskingEvent({ name }: Pick<AgentEvent, "name">): boolean {
  return askingEvents.has(name);
}

/** A Notification about a question that an event of its own may have asked. */
export function repeatsQuestion({ name, notificationType = "" }: Asking): boolean {
  return name === "Notification" && typesThatRepeat.test(notificationType);
}

/** A Notification that the turn is over and the person has not gone on. */
export function isReminder({ name, notificationType = "" }: Asking): boolean {
  return name === "Notification" && typesThatRemind.test(notificationType);
}
