// What is to be read out of one payload.
import type { Usage } from "../../../src/model/usage.ts";

/** One payload as an event, beside session, turn and what the machine adds. */
export interface ExpectedReading {
  name: string;
  agentEvent?: string;
  /** The project's folder, where it is not `/home/u/proj`. */
  cwd?: string;
  ignored?: string;
  message?: string;
  request?: string;
  headline?: string;
  title?: string;
  reason?: string;
  notificationType?: string;
  subagent?: string;
  durationMs?: number;
  effort?: string;
  runningHelpers?: number;
  isAnswer?: boolean;
  means?: string;
  usage?: Usage;
  helperOf?: string;
}
