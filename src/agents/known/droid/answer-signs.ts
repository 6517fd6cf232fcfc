// What Droid writes when its question is answered at its terminal, and how it ends a turn.
import { type AnswerSigns, callsOfMessage, type CallNews } from "../../answer-signs.ts";
import type { Payload } from "../../dialect/agent.ts";
import { errorReason } from "../../dialect/error-reason.ts";
import { objectsOf, objectOf, textOf } from "../../../model/json.ts";

/** Measured with 0.225.2. */
export const droidAnswerSigns: AnswerSigns = {
  callsIn({ type, message: given }) {
    const message = objectOf(given);
    // Droid writes a line for each hook that it ran.
    if (type !== "message" || message.hookEventName !== undefined) return undefined;
    return { ...callsOfMessage(message), ...endIn(message), isOnlyForStop: true };
  },
  explainsStop: true,
  commands: {
    variables: [],
    of: (argv) => (argv[3] === "factory-execute-supervisor" ? {} : undefined),
  },
};

/** Droid shows the person an error as a message that the model does not get. */
function endIn({ content: given, role, visibility }: Payload): CallNews {
  const content = objectsOf(given);
  const isCancelled = content.some(({ content }) => textOf(content)?.startsWith("Tool execution cancelled") === true);
  if (isCancelled) return { isInterrupted: true };
  const text = textOf(content[0]?.text);
  if (role !== "user" || visibility !== "user_only" || text === undefined) return {};
  const status = /\b[45]\d\d\b/.exec(text)?.[0];
  return { failure: errorReason("error", Number(status)), failureMessage: text };
}
