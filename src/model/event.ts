import * as z from "zod";
import { levels, type Level } from "./level.ts";

/** The canonical event names. Any other name an agent sends is accepted too: a rule can match it by name. */
export const knownEventNames = [
  "Notification",
  "Stop",
  "SubagentStop",
  "SessionEnd",
  "StopFailure",
  "PermissionRequest",
  "SessionStart",
  "UserPromptSubmit",
] as const;

/** An agent's payload in our own form. Every text in it is untrusted: a model, a tool or a stranger wrote it. */
export const agentEventSchema = z.object({
  /** Stable over every reading of the same payload file; starts with `evt_`. */
  id: z.string(),
  name: z.string(),
  /** The agent's own name of it, where that is another. */
  agentEvent: z.string().optional(),
  agent: z.string(),
  session: z.string(),
  cwd: z.string(),
  /** The last part of the project folder's path. */
  project: z.string(),
  host: z.string(),
  /** ISO 8601, UTC: when the hook received the payload. */
  at: z.string(),
  level: z.enum(levels),
  message: z.string().optional(),
  title: z.string().optional(),
  reason: z.string().optional(),
  notificationType: z.string().optional(),
  subagent: z.string().optional(),
  /** Milliseconds since the turn started, where the start was seen. */
  durationMs: z.number().optional(),
  /** The agent's id of the turn; the same in every event of that turn. */
  turn: z.string().optional(),
  /** Helpers (sub-agents) that go on after the turn; absent where the agent does not say. */
  runningHelpers: z.number().optional(),
  /** The person has answered what the session asked; a prompt says so by its name. */
  isAnswer: z.boolean().optional(),
});
export type AgentEvent = z.infer<typeof agentEventSchema>;

const levelByEventName: Record<string, Level> = {
  Notification: "attention",
  PermissionRequest: "attention",
  Stop: "success",
  StopFailure: "error",
};

/** Reasons of a session's end that say that it broke, in whatever words an agent has for it. */
const brokenReason = /error|fail|crash/i;

/** The level an event has when no rule sets one. */
export function levelOfEvent(name: string, reason?: string): Level {
  const [usual, whenBroken] = possibleLevels(name);
  return whenBroken !== undefined && brokenReason.test(reason ?? "") ? whenBroken : usual;
}

/** What an event of this name may have as its level, the usual one first. */
export function possibleLevels(name: string): readonly [usual: Level, whenBroken?: Level] {
  if (name === "SessionEnd") return ["info", "error"];
  // The name is a stranger's: `constructor` is none of ours.
  return [Object.hasOwn(levelByEventName, name) ? (levelByEventName[name] ?? "info") : "info"];
}
