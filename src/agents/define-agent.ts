import type * as z from "zod/mini";
import type { AgentEvent } from "../model/event.ts";

export type Payload = Record<string, unknown>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of an event that only the agent's own dialect can tell. */
export type EventFacts = Pick<AgentEvent, "session" | "cwd"> &
  Partial<Pick<AgentEvent, "message" | "title" | "reason" | "notificationType" | "subagent" | "durationMs">>;

/**
 * Where and how an agent's user-wide hook settings are written. Paths are relative to the person's home folder and use
 * forward slashes; `install/` does the editing.
 */
export interface Wiring {
  /** The agent's program, looked for on PATH. */
  program: string;
  /** The folder whose presence says that the agent is used here; `env` is an absolute override. */
  folder: { path: string; env?: string };
  /**
   * Settings files in the folder that hold hooks, the one that wins first. `wrapped` files keep events under a
   * top-level `hooks` key, `bare` ones directly at the top.
   */
  files: readonly { name: string; shape: "wrapped" | "bare" }[];
  /** `perEvent`: an event in an earlier file hides the same event in later ones, so append where it already stands. */
  precedence: "single" | "perEvent";
  /** The file that gets an event that stands nowhere yet. */
  defaultFile: string;
  /** Whether the agent reads comments and trailing commas in these files. */
  isCommentTolerant: boolean;
  /** Event names, as the agent writes them, that hookbell listens to, with the timeout in seconds. */
  events: Readonly<Record<string, { timeoutSeconds: number }>>;
  /** What the person must do before the agent sees the change. */
  afterwards: string;
}

/** A coding agent: its payload dialect, and how it is wired. */
export interface Agent {
  id: string;
  name: string;
  docs: string;
  /** Whether the environment or the payload say that this agent is calling. */
  isCalling(payload: Payload, env: Environment): boolean;
  /** Keys that older releases sent in camelCase are read as snake_case. */
  acceptsCamelCase: boolean;
  /** Fields every payload must have; made on first use, since the hook needs one schema of all there are. */
  common(): z.ZodMiniType;
  /** Fields by the agent's own event name; a name that is missing is checked for the common fields alone. */
  events: Readonly<Record<string, () => z.ZodMiniType>>;
  facts(payload: Payload): EventFacts;
  wiring?: Wiring;
}
