// What Claude Code writes when its question is answered at its terminal.
import { type AnswerSigns, type CallNews, callsOfMessage } from "../../answer-signs.ts";
import type { Payload } from "../../dialect/agent.ts";
import { timeOf } from "../../dialect/transcript.ts";
import { claudeTools } from "./payload.ts";
import { objectIn, objectsOf, objectOf, textOf } from "../../../model/json.ts";

/** Claude Code writes it where the person stops a turn: "[Request interrupted by user for tool use]". */
const interruption = /^\[Request interrupted by user/;

export const claudeCodeAnswerSigns: AnswerSigns = {
  // A call that was allowed gets its result only when it ends.
  callsIn(line) {
    if (line.type !== "assistant" && line.type !== "user") return undefined;
    const message = objectOf(line.message);
    const isInterrupted =
      line.type === "user" && objectsOf(message.content).some(({ text }) => interruption.test(textOf(text) ?? ""));
    return { ...callsOfMessage(message), isInterrupted, ...failureOf(line, message) };
  },
  startedBy(text) {
    // Only the line's own member counts: a call's arguments, which the model writes, may have one of that name.
    const entrypoint = text.includes('"entrypoint"') ? textOf(objectIn(text).entrypoint) : undefined;
    if (entrypoint === undefined) return undefined;
    // `claude -p`. A program built on an SDK (`sdk-ts`, `sdk-py`) may have a person before it.
    if (entrypoint === "sdk-cli") return { isHeadless: true, asksOnlyWith: "--permission-prompt-tool" };
    return { isHeadless: entrypoint.startsWith("sdk-") };
  },
  // In auto mode behind a gateway, no PermissionRequest comes.
  tools: claudeTools,
  /** What `claude agents --json` prints; measured with 2.1.197 and 2.1.330. */
  status: {
    folderOf(transcript) {
      const config = /^(.+)[\\/]projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/.exec(transcript)?.[1];
      return config === undefined ? undefined : `${config}/sessions`;
    },
    read({ sessionId, status, statusUpdatedAt, bridgeSessionId }) {
      const [session, since] = [textOf(sessionId), timeOf(statusUpdatedAt)];
      if (session === undefined || since === undefined || textOf(status) === undefined) return undefined;
      const link = remoteControlPage(bridgeSessionId);
      return { session, isWaiting: status === "waiting", isIdle: status === "idle", since, link };
    },
  },
};

/** Without a terminal, Claude Code may end the hook of a failed turn before that has started anything. Measured with 2.1.332. */
function failureOf(line: Payload, message: Payload): Partial<CallNews> {
  if (line.isApiErrorMessage !== true) return {};
  const failureMessage = objectsOf(message.content).flatMap(({ text }) => textOf(text) ?? [])[0];
  return { failure: textOf(line.error) ?? "error", failureMessage, isOnlyForStop: true };
}

/**
 * The page of a session with Remote Control switched on. Claude Code gives its hooks the same id as
 * CLAUDE_CODE_BRIDGE_SESSION_ID: https://code.claude.com/docs/en/remote-control
 */
function remoteControlPage(id: unknown): string | undefined {
  const [, name] = /^(?:session|cse)_([\w-]{1,100})$/.exec(textOf(id) ?? "") ?? [];
  return name === undefined ? undefined : `https://claude.ai/code/session_${name}`;
}
