// What a question is: the one answer for rules of attention, sessions, duplicates and the order of a backlog.
import type { AgentEvent } from "./event.ts";

type Asking = Pick<AgentEvent, "name" | "level" | "notificationType">;

/** The agent's own events for a question; a Notification repeats them in fewer words. */
const askingEvents: ReadonlySet<string> = new Set(["PermissionRequest", "Elicitation"]);
const typesThatRepeat = /^(?:(?:worker_)?permission_prompt|elicitation_(?:url_)?dialog)$/;
const typesThatRemind = /^(?:idle_prompt|agent_idle)$/;

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
