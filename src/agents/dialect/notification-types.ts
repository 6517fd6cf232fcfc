// The level of each kind of Notification, and the words for its title.
import type { Level } from "../../model/level.ts";

interface NotificationType {
  level: Level;
  /** A title; `who` is how people write the agent's name. */
  says(who: string): string;
}

const asksPermission: NotificationType = { level: "attention", says: (who) => `${who} needs your permission` };
const asks: NotificationType = { level: "attention", says: (who) => `${who} has a question` };
const waits: NotificationType = { level: "attention", says: (who) => `${who} is waiting for you` };
const isDone = (what: string): NotificationType => ({ level: "success", says: () => `${what} is done` });
const informs = (says: (who: string) => string): NotificationType => ({ level: "info", says });

/** The keys are values of `notificationType`. Agents add kinds. */
const notificationTypes: Readonly<Record<string, NotificationType>> = {
  permission_prompt: asksPermission,
  worker_permission_prompt: { ...asksPermission, says: (who) => `a teammate of ${who} needs your permission` },
  elicitation_dialog: asks,
  elicitation_url_dialog: asks,
  idle_prompt: waits,
  agent_idle: waits,
  agent_needs_input: waits,
  quota_auto_resume_stale: { ...waits, says: (who) => `${who} can go on: its usage limit has reset` },
  quota_auto_resume_disabled: { ...waits, says: (who) => `${who} will not go on by itself` },
  auth_storage_failure: { ...waits, says: (who) => `${who} could not save your login` },
  agent_completed: { level: "success", says: (who) => `an agent of ${who} is done` },
  shell_completed: isDone("a command"),
  shell_detached_completed: isDone("a command"),
  auth_success: informs((who) => `${who} is signed in`),
  elicitation_complete: informs((who) => `a question of ${who} is answered`),
  elicitation_response: informs((who) => `a question of ${who} is answered`),
  push_notification: informs((who) => `${who} has news`),
  plugin_notification: informs((who) => `a plug-in of ${who} has news`),
  computer_use_enter: informs((who) => `${who} uses your computer`),
  computer_use_exit: informs((who) => `${who} no longer uses your computer`),
  quota_auto_resume_fired: informs((who) => `${who} goes on: its usage limit has reset`),
  model_refusal_fallback: informs((who) => `${who} goes on with another model`),
  task_completed: isDone("a background task"),
  task_failed: { level: "error", says: () => "a background task failed" },
  task_timed_out: { level: "error", says: () => "a background task took too long" },
  task_killed: informs(() => "a background task was stopped"),
  task_lost: informs(() => "a background task was lost"),
  retry: informs((who) => `${who} waits for the model`),
};

export const notificationTypeNames: readonly string[] = Object.keys(notificationTypes);

/** Rules about the common name hold for these as well. */
export const commonTypeOf: Readonly<Record<string, string>> = { worker_permission_prompt: "permission_prompt" };

const failedAgent: NotificationType = { level: "error", says: (who) => `an agent of ${who} failed` };

/** Undefined for an unknown kind. One kind is known only by its words. */
export function notificationTypeOf(
  type: string | undefined,
  message: string | undefined,
): NotificationType | undefined {
  if (type === undefined || !Object.hasOwn(notificationTypes, type)) return undefined;
  return type === "agent_completed" && message?.endsWith(" failed") ? failedAgent : notificationTypes[type];
}
