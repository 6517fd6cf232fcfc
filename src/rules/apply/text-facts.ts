import type { AgentEvent } from "../../model/event.ts";
import type { Level } from "../../model/level.ts";

/** Everything that a text may be made of. */
export interface TextFacts {
  event: AgentEvent;
  level: Level;
  agentName: string;
  payload?: Readonly<Record<string, unknown>> | undefined;
  /** Code points of any one value of the payload. */
  maxPayloadLength?: number | undefined;
}
