// An event: what an agent reported, in one form for all agents.
import * as z from "zod";
import { figuresSchema } from "./figures/figures.ts";
import { levels, type Level } from "./level.ts";
import { usageSchema } from "./usage.ts";

/** The canonical names. Any other name is accepted too, so that a rule can match it. */
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
] as const;

/** All text in it is untrusted: a model or a tool wrote it. */
export const agentEventSchema = z.lazy(() =>
  z.object({
    /** Derived from the payload file, so reading it again gives the same id. */
    id: z.string(),
    name: z.string(),
    /** The agent's own name for the event, if it differs. */
    agentEvent: z.string().optional(),
    agent: z.string(),
    session: z.string(),
    cwd: z.string(),
    /** The repository, else the last part of the project folder's path. */
    project: z.string(),
    branch: z.string().optional(),
    /** The folder of a linked work tree of git. */
    worktree: z.string().optional(),
    /** What tells the session from others of its project: a branch, a work tree, a terminal. */
    sessionName: z.string().optional(),
    /** The same in the words of the person or the agent; it goes before `sessionName`. */
    sessionWords: z.string().optional(),
    host: z.string(),
    /** ISO 8601, UTC: when the hook received the payload. */
    at: z.string(),
    level: z.enum(levels).catch("attention"),
    message: z.string().optional(),
    title: z.string().optional(),
    /** What the agent asks: run `npm publish`? Longer than a title, where the command is. */
    request: z.string().optional(),
    reason: z.string().optional(),
    notificationType: z.string().optional(),
    subagent: z.string().optional(),
    /** Milliseconds since the turn started, if its start was seen. */
    durationMs: z.number().optional(),
    /** The agent's id for the turn. */
    turn: z.string().optional(),
    /** The session that started this one as a helper; "unknown" where the agent does not say which. */
    helperOf: z.string().optional(),
    /** Subagents that still run after the turn; absent if the agent does not say. */
    runningHelpers: z.number().optional(),
    /** Whether this event shows that the person answered the session's question. */
    isAnswer: z.boolean().optional(),
    /** A table and a chart, for channels that can show them. */
    figures: figuresSchema.optional(),
    /** Names and counts for the usage figures; never what was written. */
    usage: usageSchema.optional(),
  }),
);
export type AgentEvent = z.infer<typeof agentEventSchema>;

/** Finished calls of tools, which usage figures count. */
const toolCallEvents: ReadonlySet<string> = new Set(["PostToolUse", "PostToolUseFailure"]);
const frequentEvent = /^(?:PreToolUse|BeforeTool|(?:Before|After)Model|MessageDisplay)$/;

/** Such events come in hundreds. Only a rule that names one hears of it. */
export function isFrequent(eventName: string): boolean {
  return isToolCall(eventName) || frequentEvent.test(eventName);
}

export function isToolCall(eventName: string): boolean {
  return toolCallEvents.has(eventName);
}

/** Whether its message is what an agent writes at the end of its work; hookbell's own events have a command's output. */
export function isMarkdown(event: AgentEvent): event is AgentEvent & { message: string } {
  const isEnd = event.name === "Stop" || event.name === "SubagentStop";
  return event.message !== undefined && isEnd && event.agent !== "hookbell";
}

const levelByEventName: Record<string, Level> = {
  Notification: "attention",
  PermissionRequest: "attention",
  Stop: "success",
  StopFailure: "error",
  CreditBudget: "attention",
  ReadinessRegression: "attention",
};

const brokenReason = /error|fail|crash/i;

/** The level when neither a rule nor the agent's dialect sets one. */
export function levelOfEvent(name: string, reason?: string): Level {
  const [usual] = possibleLevels(name);
  return canBreak.has(name) && brokenReason.test(reason ?? "") ? "error" : usual;
}

const canBreak: ReadonlySet<string> = new Set(["SessionEnd", "ComputerInstall"]);

/** The levels that events of this name can have, the usual one first. */
export function possibleLevels(name: string): readonly [Level, ...Level[]] {
  if (canBreak.has(name)) return ["info", "error"];
  // What the kinds of notification have.
  if (name === "Notification") return ["attention", "info", "success", "error"];
  // The name is untrusted: it may be `constructor`.
  return [Object.hasOwn(levelByEventName, name) ? (levelByEventName[name] ?? "info") : "info"];
}
