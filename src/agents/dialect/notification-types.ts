// The level of each kind of Notification, and the words for its title.
import { hasAQuestion } from "../../model/event.ts";
import type { Level } from "../../model/level.ts";

interface NotificationType {
  level: Level;
  /** What it says, in a few words behind the project's name. */
  headline: string;
}

const asksPermission: NotificationType = { level: "attention", headline: "asks for permission" };
const asks: NotificationType = { level: "attention", headline: hasAQuestion };
const waits: NotificationType = { level: "attention", headline: "waits for you" };
const succeeded = (headline: string): NotificationType => ({ level: "success", headline });
const informs = (headline: string): NotificationType => ({ level: "info", headline });

/** The keys are values of `notificationType`. Agents add kinds. */
const notificationTypes: Readonly<Record<string, NotificationType>> = {
  permission_prompt: asksPermission,
  worker_permission_prompt: { ...asksPermission, headline: "a teammate asks you" },
  elicitation_dialog: asks,
  elicitation_url_dialog: asks,
  idle_prompt: waits,
  agent_idle: waits,
  agent_needs_input: waits,
  quota_auto_resume_stale: { ...waits, headline: "can go on" },
  quota_auto_resume_disabled: { ...waits, headline: "waits for your prompt" },
  auth_storage_failure: { ...waits, headline: "login is not saved" },
  agent_completed: succeeded("an agent is done"),
  shell_completed: succeeded("a command is done"),
  shell_detached_completed: succeeded("a command is done"),
  auth_success: informs("is signed in"),
  elicitation_complete: informs("question is answered"),
  elicitation_response: informs("question is answered"),
  push_notification: informs("has news"),
  plugin_notification: informs("plug-in has news"),
  computer_use_enter: informs("uses your computer"),
  computer_use_exit: informs("left your computer"),
  quota_auto_resume_fired: informs("goes on after limit"),
  model_refusal_fallback: informs("changed its model"),
  task_completed: succeeded("a task is done"),
  task_complete: succeeded("a task is done"),
  task_failed: { level: "error", headline: "a task failed" },
  task_timed_out: { level: "error", headline: "a task took too long" },
  task_killed: informs("a task was stopped"),
  task_lost: informs("a task was lost"),
  retry: informs("waits for the model"),
};

export const notificationTypeNames: readonly string[] = Object.keys(notificationTypes);

/** Rules about the common name hold for these as well. */
export const commonTypeOf: Readonly<Record<string, string>> = {
  worker_permission_prompt: "permission_prompt",
  task_complete: "task_completed",
};

const failedAgent: NotificationType = { level: "error", headline: "an agent failed" };

/** Undefined for an unknown kind. One kind is known only by its words. */
export function notificationTypeOf(
  type: string | undefined,
  message: string | undefined,
): NotificationType | undefined {
  if (type === undefined || !Object.hasOwn(notificationTypes, type)) return undefined;
  return type === "agent_completed" && message?.endsWith(" failed") ? failedAgent : notificationTypes[type];
}
