// Titles and bodies of messages for rules that define none.
import { formatDuration } from "../../model/figures/duration.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { Level } from "../../model/level.ts";
import { cut, printableLine } from "../../model/text.ts";

/** The title without the project, and the body where the agent said nothing. */
interface Wording {
  says: string;
  body: string;
}

export function defaultText(facts: TextFacts): { title: string; body: string } {
  const { event } = facts;
  const { says, body } = (wordings[event.name] ?? wordUnknown)(facts);
  const project = shorten(event.project);
  return { title: project === "" ? says : `${project}: ${says}`, body };
}

const wordings: Partial<Record<string, (facts: TextFacts) => Wording>> = Object.assign(Object.create(null), {
  Notification: wordNotification,
  PermissionRequest: wordPermission,
  Stop: ({ event, agentName }: TextFacts) => ({
    says: `${agentName} is done`,
    body: event.message ?? `${agentName} has finished${lasting(event)}.`,
  }),
  StopFailure: ({ event, agentName }: TextFacts) => ({
    says: `${agentName} was stopped by an error`,
    body: [sayReason(event.reason), event.message].filter(Boolean).join("\n") || `${agentName} could not go on.`,
  }),
  SubagentStop: ({ event, agentName }: TextFacts) => ({
    says: event.subagent === undefined ? "a helper is done" : `helper ${shorten(event.subagent)} is done`,
    body: event.message ?? `A helper of ${agentName} has finished.`,
  }),
  SessionEnd: wordSessionEnd,
  SessionStart: ({ agentName }: TextFacts) => ({ says: `${agentName} has started`, body: "A session has begun." }),
  UserPromptSubmit: ({ agentName }: TextFacts) => ({ says: `${agentName} is at work`, body: "You gave it a prompt." }),
});

function wordUnknown({ event, agentName }: TextFacts): Wording {
  const says = event.title === undefined ? "" : shorten(event.title);
  return {
    says: says || shorten(event.name),
    body: event.message ?? `${agentName} sent the event "${shorten(event.name)}".`,
  };
}

/** By notification type; agents add types, so this list is never complete. */
const notifications: Record<string, (who: string) => string> = {
  permission_prompt: (who) => `${who} needs your permission`,
  ToolPermission: (who) => `${who} needs your permission`,
  idle_prompt: (who) => `${who} is waiting for you`,
  agent_idle: (who) => `${who} is waiting for you`,
  agent_needs_input: (who) => `${who} is waiting for you`,
  elicitation_dialog: (who) => `${who} has a question`,
  elicitation_url_dialog: (who) => `${who} has a question`,
  auth_success: (who) => `${who} is signed in`,
  agent_completed: (who) => `an agent of ${who} is done`,
  shell_completed: () => "a command is done",
  shell_detached_completed: () => "a command is done",
};

function wordNotification({ event, agentName }: TextFacts): Wording {
  const type = event.notificationType ?? "";
  const known = Object.hasOwn(notifications, type) ? notifications[type]?.(agentName) : undefined;
  const given = event.title === undefined ? "" : shorten(event.title);
  const says = known ?? (given === "" ? `${agentName} needs you` : given);
  return { says, body: event.message ?? `${agentName} asks for your attention.` };
}

/** Fields of a tool's input that say what it would do; the first one present is shown. */
const askedFields = ["command", "file_path", "path", "url", "query", "description"];

function wordPermission({ event, agentName, payload, maxPayloadLength = Infinity }: TextFacts): Wording {
  const tool = typeof payload?.tool_name === "string" ? shorten(payload.tool_name) : "";
  const input: unknown = payload?.tool_input;
  const entries =
    typeof input === "object" && input !== null ? new Map(Object.entries(input)) : new Map<string, unknown>();
  const asked = askedFields
    .map((field) => entries.get(field))
    .find((value) => typeof value === "string" && value !== "");
  const request = [tool, typeof asked === "string" ? cut(asked, maxPayloadLength) : ""].filter(Boolean).join(": ");
  const says = `${agentName} needs your permission`;
  return { says, body: event.message ?? (request || `${agentName} waits for your answer.`) };
}

const reasons: Record<string, string> = {
  clear: "The conversation was cleared.",
  resume: "Another session was taken up.",
  logout: "You logged out.",
  prompt_input_exit: "It was closed at the prompt.",
  exit: "It was closed.",
  user_exit: "It was closed.",
  rate_limit: "The rate limit is reached.",
  overloaded: "The model's servers are overloaded.",
  authentication_failed: "The login was refused.",
  oauth_org_not_allowed: "The organisation does not allow this login.",
  billing_error: "There is a problem with the billing.",
  invalid_request: "The request was refused.",
  model_not_found: "The model was not found.",
  server_error: "The model's servers failed.",
  max_output_tokens: "The answer was too long.",
};

function sayReason(reason: string | undefined): string {
  if (reason === undefined || reason === "unknown") return "";
  return (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? `Reason: ${shorten(reason)}.`;
}

function wordSessionEnd({ event, level, agentName }: TextFacts): Wording {
  const how = level === "error" ? "ended with an error" : "has ended";
  const said = [sayReason(event.reason), event.message].filter(Boolean).join("\n");
  return { says: `${agentName}'s session ${how}`, body: said || "The session has ended." };
}

function lasting(event: AgentEvent): string {
  return event.durationMs === undefined ? "" : ` after ${formatDuration(event.durationMs)}`;
}

function shorten(text: string): string {
  return cut(printableLine(text.slice(0, 1000)), 120);
}

export interface TextFacts {
  event: AgentEvent;
  level: Level;
  agentName: string;
  payload?: Readonly<Record<string, unknown>> | undefined;
  /** Of any one value of the payload, in code points. */
  maxPayloadLength?: number | undefined;
}
