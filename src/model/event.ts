// An event: what an agent reported, in one form for all agents.
import type * as z from "zod";
import type { agentEventSchema, changedHookSchema, figuresSchema } from "./delivery.ts";

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
  "HookChanged",
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

export type ChangedHook = z.infer<typeof changedHookSchema>;
export type Figures = z.infer<typeof figuresSchema>;

// What a question is: the one answer for policies, sessions, duplicates and the order of a backlog.

type Asking = Pick<AgentEvent, "name" | "level" | "notificationType">;

/** The agent's own events for a question; a Notification repeats them in fewer words. */
const askingEvents: ReadonlySet<string> = new Set(["PermissionRequest", "Elicitation"]);
const anyWait = ["Stop", "StopFailure", "PermissionRequest", "Elicitation", "Notification"];

/** The events of which a Notification can remind, by its type. Another type is news, whatever came before. */
const remindable: Readonly<Record<string, readonly string[]>> = {
  permission_prompt: ["PermissionRequest"],
  worker_permission_prompt: ["PermissionRequest"],
  elicitation_dialog: ["Elicitation"],
  elicitation_url_dialog: ["Elicitation"],
  idle_prompt: anyWait,
  agent_idle: anyWait,
  quota_auto_resume_disabled: ["StopFailure"],
};

/** The headline of a question in words. */
export const hasAQuestion = "has a question";

/** The end of a turn whose last words are a question. */
export function isAskingEnd({ name, headline }: Pick<AgentEvent, "name" | "headline">): boolean {
  return name === "Stop" && headline === hasAQuestion;
}

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

/** The names of the events of which it can remind; none for what is no reminder. */
export function remindsOf({ name, notificationType = "" }: Asking): readonly string[] {
  if (name !== "Notification" || !Object.hasOwn(remindable, notificationType)) return [];
  return remindable[notificationType] ?? [];
}

/** A Notification about a question that an event of its own may have asked. */
export function repeatsQuestion(event: Asking): boolean {
  const names = remindsOf(event);
  return names.length > 0 && names.every((name) => isAskingEvent({ name }));
}

/** A Notification that the agent waits, and the person has not gone on. */
export function isReminder(event: Asking): boolean {
  return remindsOf(event).some((name) => isEndOfTurn({ name }));
}
