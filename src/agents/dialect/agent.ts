// What hookbell knows of an agent's payloads: each `known/<id>/payload.ts` fills in this form.
import type { AgentEvent } from "../../model/event.ts";
import type { FieldChecks, FieldTypes } from "./fields.ts";

export type Payload = Record<string, unknown>;
export type HookEnvironment = Readonly<Record<string, string | undefined>>;

/** The parts of an event that only the agent's dialect can tell. */
export type PayloadFacts = Pick<AgentEvent, "session" | "cwd"> &
  Partial<
    Pick<
      AgentEvent,
      | "message"
      | "request"
      | "headline"
      | "title"
      | "reason"
      | "notificationType"
      | "subagent"
      | "durationMs"
      | "effort"
      | "turn"
      | "runningHelpers"
      | "isAnswer"
      | "means"
      | "wakes"
      | "headless"
      | "helperOf"
      | "level"
      | "figures"
      | "project"
      | "hooks"
      | "hookCount"
      | "ownWords"
    >
  >;

export type FieldValue = string | number | boolean;

/** One thing that an answer in words fills in. */
export interface Field {
  /** The agent's own name for the field. */
  name: string;
  /** The question that the agent asks. */
  text: string;
  /** The options to choose from; empty if any text is an answer. */
  options: readonly { label: string; value: FieldValue; description?: string | undefined }[];
  /** Text that matches no option is an answer, too. */
  takesOther: boolean;
  /** Several options may be chosen. */
  isMany: boolean;
  isOptional: boolean;
  /** JSON Schema of the value. */
  schema?: Payload | undefined;
}

/** What the hook of an event can bring back from a person. */
export interface AgentQuestion {
  /** `prompt`: what to do next, after the end of a turn. */
  kind: "permission" | "question" | "form" | "prompt";
  /** Who asks, or what for: a tool, a server. */
  subject: string;
  /** The input of the call that needs permission. */
  input: Payload;
  /** The text above the fields. */
  text: string;
  fields: readonly Field[];
  /** Whether the agent's terminal asks as well while the hook waits. */
  showsDialog: boolean;
  /** Whether it accepts its own suggestion for the session back. */
  takesSuggestion: boolean;
}

/**
 * A coding agent: how its payloads are read. The functions get the payload with snake_case keys at the top; only
 * `isAuthor`, `isOwn` and `nativeName` see it as the agent wrote it.
 */
export interface Agent {
  id: string;
  name: string;
  docs: string;
  /** The agent whose hooks it runs, where it has no settings for hooks, and our names of what it sends of them. */
  runsHooksOf?: { agentId: string; mapsTo: readonly string[] };
  /**
   * Whether the payload alone proves that this agent wrote it: agents run each other's hooks, so `--agent`, which is
   * `calledAs` here, may name another one. Absent where payloads have no field that only this agent has.
   */
  isAuthor?(payload: Payload, calledAs: string | undefined): boolean;
  /**
   * Whether this agent wrote a payload that came by its hook and that no agent's `isAuthor` claims: false if it cannot have,
   * undefined if the payload leaves that open.
   */
  isOwn?(payload: Payload): boolean | undefined;
  /** Agents whose hooks it runs beside its own. */
  alsoRuns?: readonly string[];
  /** Environment variables that this agent alone sets. */
  variables: {
    /** Variables that the agent sets for hooks; they name it if neither the payload nor the command line does. */
    ofHooks: readonly string[];
    /** Variables that it sets for the commands of its shell tool. Those that an editor also sets in its terminals do not belong here. */
    ofCommands: readonly string[];
    /**
     * The variable in which it tells its hooks its own process id. `hooks/hookbell-hook.sh` passes on Claude Code's alone: that of
     * hookbell's plug-ins is for Windows.
     */
    ofProcess?: string;
  };
  /** Whether what is passed on gets snake_case keys as well: releases of one agent sent either. */
  acceptsCamelCase?: true;
  /** The agent's name of the event, where `hook_event_name` does not hold it; `given` is from `--event`. */
  nativeName?(payload: Payload, given: string | undefined): unknown;
  /** The payload under the names that most agents use (`session_id`, `cwd`, `last_assistant_message`). */
  withCommonNames?(payload: Payload): Payload;
  /** What identifies a payload: without it, the payload is refused. Default: the event and the session. */
  identity?: FieldChecks;
  /** The other fields of every payload. One that is not as expected is left out and noted, and the rest is read. */
  common?: FieldChecks;
  /** The same of each event, by hookbell's name. */
  events?: Readonly<Record<string, FieldChecks>>;
  /** A payload is refused for any of these fields. */
  isStrict?: true;
  /** The types of optional fields. */
  types: FieldTypes;
  /** hookbell's names of events, where they are not the agent's. */
  eventNames?: Readonly<Record<string, string>>;
  /** hookbell's name of an event, where the payload decides it. */
  eventName?(native: string, payload: Payload): string | undefined;
  /** Why an event never sends a notification: the user caused it, or the agent talks to itself. */
  ignores?(eventName: string, payload: Payload): string | undefined;
  facts(payload: Payload, eventName: string): PayloadFacts;
  /** Prompts that it will enter by itself later, as the end of a turn says. */
  scheduledPrompts?(payload: Payload): string[];
  /** Paths of values that are never passed on, such as an e-mail address or whole files; in the agent's own case. */
  withheld?: readonly string[];
  /** Events to which a hook may answer with an escape sequence for the terminal: `{"terminalSequence": …}`. */
  showsInTerminal?: readonly string[];
  /** What a person can answer through the hook of this event. */
  asks?(eventName: string, payload: Payload, env: HookEnvironment): AgentQuestion | undefined;
}

/** A folder below the home folder. `env` may name another place for what is before `into`. */
export interface FolderPlace {
  path: string;
  moved?: { env: string; into?: string };
}
