import type { AgentEvent } from "../../model/event.ts";
import type { FieldChecks, FieldTypes } from "./fields.ts";

export type Payload = Record<string, unknown>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of an event that only the agent's own dialect can tell. */
export type EventFacts = Pick<AgentEvent, "session" | "cwd"> &
  Partial<
    Pick<
      AgentEvent,
      | "message"
      | "title"
      | "reason"
      | "notificationType"
      | "subagent"
      | "durationMs"
      | "turn"
      | "runningHelpers"
      | "isAnswer"
      | "figures"
    >
  >;

/**
 * A coding agent: its payload dialect. How it is wired stands in `wirings.ts`. What the functions here are given has
 * snake_case keys at the top, whatever the agent's own are; only `hasWritten` and `nativeName` see it as it came.
 */
export interface Agent {
  id: string;
  name: string;
  docs: string;
  /** The agent whose hooks it runs, where it has none to wire, and our names of what it sends of them. */
  runsHooksOf?: { agentId: string; mapsTo: readonly string[] };
  /**
   * Whether the payload alone says that this agent wrote it, beyond doubt: agents import each other's hooks, so
   * that `--agent` may name another one. `calledAs` is what it names.
   */
  isAuthor(payload: Payload, calledAs: string | undefined): boolean;
  /** Whether the environment says that this agent is calling; asked when neither payload nor command line do. */
  isCalling(env: Environment): boolean;
  /** What is passed on has snake_case keys, too: older releases of one agent sent either. */
  acceptsCamelCase: boolean;
  /** The agent's own name of the event, where `hook_event_name` does not hold it; `given` is from `--event`. */
  nativeName?(payload: Payload, given: string | undefined): unknown;
  /** The payload under the names that most agents have (`session_id`, `cwd`, `last_assistant_message` …). */
  usual?(payload: Payload): Payload;
  /** Fields of every payload. */
  common: FieldChecks;
  /** Fields by our name of the event; a name that is missing is checked for the common fields alone. */
  events: Readonly<Record<string, FieldChecks>>;
  /** Fields that may be missing or odd without spoiling the rest: one of another type is left out, and noted. */
  types: FieldTypes;
  /** Our name of an event; where it is missing, or gives undefined, the agent's own name is ours. */
  eventName?(native: string, payload: Payload): string | undefined;
  /** Why nobody is ever told of this one: the person did it, or it is the agent talking to itself. */
  ignores?(eventName: string, payload: Payload): string | undefined;
  facts(payload: Payload, eventName: string): EventFacts;
  /** Paths of what is never passed on, such as an e-mail address or whole files; as the agent writes them. */
  withheld?: readonly string[];
  /** Events (our names) in whose answer it takes an escape sequence for its terminal: `{"terminalSequence": …}`. */
  showsInTerminal?: readonly string[];
}
