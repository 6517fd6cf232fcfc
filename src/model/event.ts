// An event: what an agent reported, in one form for all agents.
import * as z from "zod";
import { levels } from "./level.ts";
import { usageSchema } from "./usage.ts";

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
export const agentEventSchema = z.lazy(() =>
  z.object({
    /** The id comes from the payload's file name, so it is the same when the file is read again. */
    id: z.string(),
    name: z.string(),
    /** The agent's name for it. */
    agentEvent: z.string().optional(),
    agent: z.string(),
    session: z.string(),
    cwd: z.string(),
    /** The repository's name, else the folder's. */
    project: z.string(),
    /** The label in the repository's own file. */
    label: z.string().optional(),
    branch: z.string().optional(),
    /** A linked work tree of git. */
    worktree: z.string().optional(),
    sessionName: z.string().optional(),
    /** Someone's own words; preferred to `sessionName`. */
    sessionWords: z.string().optional(),
    host: z.string(),
    /** The time at which the hook received it, in ISO 8601. */
    at: z.string(),
    level: z.enum(levels).catch("attention"),
    message: z.string().optional(),
    title: z.string().optional(),
    /** The question, with the command to run. */
    request: z.string().optional(),
    reason: z.string().optional(),
    notificationType: z.string().optional(),
    subagent: z.string().optional(),
    /** Milliseconds since the turn started; of a finished tool call, how long it took. */
    durationMs: z.number().optional(),
    /** How hard the model was told to think, such as "medium". */
    effort: z.string().optional(),
    /** An https page that opens the session elsewhere. hookbell has checked its address. */
    link: z.string().optional(),
    turn: z.string().optional(),
    /** The session that started this one, or "unknown". */
    helperOf: z.string().optional(),
    /** Subagents that still run after the turn. */
    runningHelpers: z.number().optional(),
    /** The session's question has been answered. */
    isAnswer: z.boolean().optional(),
    /** What it says of the session's turn, where its name says something else or nothing. */
    means: z.enum(["interrupted", "resumed", "compacted"]).optional(),
    /** The agent's own reviewer decides about the question before the person is asked. */
    isReviewed: z.boolean().optional(),
    figures: figuresSchema.optional(),
    usage: usageSchema.optional(),
  }),
);
export type AgentEvent = z.infer<typeof agentEventSchema>;

const toolCallEvents: ReadonlySet<string> = new Set(["PostToolUse", "PostToolUseFailure"]);
const frequentEvent = /^(?:PreToolUse|BeforeTool|(?:Before|After)Model|MessageDisplay)$/;

/** They come in hundreds: only rules that name them match. */
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

const figuresSchema = z.lazy(() =>
  z.object({
    /** A row's first text names it. */
    table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).optional(),
    /** One value for each label. */
    chart: z.object({ title: z.string(), labels: z.array(z.string()), values: z.array(z.number()) }).optional(),
  }),
);
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
