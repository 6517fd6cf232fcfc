// How an agent shows that the person has answered it at its terminal, where none of its hooks says so in time.
import type { Payload, FolderPlace } from "./dialect/agent.ts";
import type { ToolReaders } from "./dialect/tool-line.ts";
import { objectsOf } from "../model/json.ts";

export interface AnswerSigns {
  /** One line of the session's transcript; the time is the line's `timestamp`. */
  callsIn?(line: Payload): CallNews | undefined;
  /** Set where a Notification may be all that tells of a permission: the call that waits is then read in the transcript. */
  tools?: ToolReaders;
  /**
   * The agent runs its hook for the end of a turn after Escape and after an error, too, and only the transcript tells
   * which.
   */
  explainsStop?: true;
  /** A subagent has a transcript of its own, which tells when its turn is over. No hook need tell of it. */
  tellsOfSubagents?: true;
  /** After Escape before its first word, the agent takes the turn out of its transcript, which gets shorter. */
  takesTurnsBack?: true;
  /** Whether the turn's questions go to the agent's own reviewer first; undefined for a line that does not say. Most lines are not worth parsing. */
  isReviewed?(text: string): boolean | undefined;
  /** Whether a person is before the session; undefined for a line that does not say. The last line that says so decides. */
  startedBy?(text: string): SessionStart | undefined;
  /** The transcript of an agent whose hooks do not name it. The session's id is untrusted. */
  transcriptOf?: { place: FolderPlace; path(session: string): string | undefined };
  /**
   * The id of the process that runs the session, if `file`, a name beside the transcript, is where the agent notes it. Asked on Windows
   * only, since other systems tell which process has started a hook. A file may be an ended process's.
   */
  processIn?(file: string, session: string, read: () => Payload): number | undefined;
  status?: StatusFiles;
  commands?: CommandProcesses;
}

export interface SessionStart {
  /** A script or a program has started it. */
  isHeadless: boolean;
  /** It denies what needs permission by itself, unless its command line has this flag. */
  asksOnlyWith?: string;
}

/** What one line says of tool calls, any of which may wait for the person. */
export interface CallNews {
  begun?: readonly { id: string; tool: string; input: unknown }[] | undefined;
  /** The ids of calls that the person has decided on: they have a result, or they run. */
  ended?: readonly string[] | undefined;
  /** The person has stopped the turn, so that none of its calls waits. */
  isInterrupted?: boolean | undefined;
  /** An error has ended the turn: its name, or what it says where it has none. */
  failure?: string | undefined;
  /** The error's message, where the error also has a name. */
  failureMessage?: string | undefined;
  /** The turn is over, however it ended. */
  isOver?: boolean | undefined;
  /** Where the turn has not ended, `isInterrupted` and `failure` mean nothing: they count if the hook for its end comes next. */
  isOnlyForStop?: true;
  /** Milliseconds since the epoch, where the line's `timestamp` is older than its news. */
  at?: number | undefined;
}

/** The small JSON files that an agent keeps about its running sessions, one for each. */
export interface StatusFiles {
  /** The folder of these files, by the path of a session's transcript. */
  folderOf(transcript: string): string | undefined;
  /** `changedAt` is when the file was last written, in milliseconds since the epoch. */
  read(file: Payload, changedAt: number): SessionStatus | undefined;
  /** Set where no hook tells of the agent's questions, so these files must. */
  tellsOfQuestions?: boolean;
}

export interface SessionStatus {
  session: string;
  /** The agent waits for the person, whatever it asks. */
  isWaiting: boolean;
  /** The agent waits for the next prompt. */
  isIdle: boolean;
  /** When the agent entered this state, in milliseconds since the epoch. */
  since: number;
  /** An https page of the agent's maker that opens the session elsewhere, such as on a phone. */
  link?: string | undefined;
}

/** The processes that run what the model wants to run: one that starts after a question tells that it was allowed. */
export interface CommandProcesses {
  /** The environment variables that `of` needs. */
  variables: readonly string[];
  /** Undefined for a process that runs no command of the model, such as a hook. */
  of(argv: readonly string[], env: Readonly<Record<string, string>>): RunningCommand | undefined;
}

export interface RunningCommand {
  /** If absent, the process is a child of the agent's process. */
  session?: string | undefined;
  /** The call's id in the transcript. If absent, the process may belong to any call that waits. */
  call?: string | undefined;
}

/** The calls in a message in the form of Anthropic's API: https://docs.claude.com/en/api/messages */
export function callsOfMessage(message: Payload): CallNews {
  const content = objectsOf(message.content);
  return {
    begun: content.flatMap(({ type, id, name, input }) =>
      type === "tool_use" && typeof id === "string" && typeof name === "string" ? [{ id, tool: name, input }] : [],
    ),
    ended: content.flatMap(({ type, tool_use_id: id }) =>
      type === "tool_result" && typeof id === "string" ? [id] : [],
    ),
  };
}
