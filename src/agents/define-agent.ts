import type * as z from "zod/mini";
import type { AgentEvent } from "../model/event.ts";
import type { Wiring } from "./define-wiring.ts";

export type Payload = Record<string, unknown>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of an event that only the agent's own dialect can tell. */
export type EventFacts = Pick<AgentEvent, "session" | "cwd"> &
  Partial<Pick<AgentEvent, "message" | "title" | "reason" | "notificationType" | "subagent" | "durationMs">>;

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
