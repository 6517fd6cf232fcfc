// The HOOKBELL_* variables of a command.
import { cut, measures, printable } from "../../../model/text.ts";
import type { SendRequest } from "../../channel-type.ts";

/** Ours: far below what Linux (128 KiB) and Windows (32 Ki characters) allow, so that the program always starts. */
export const maxVariableBytes = 2048;

/** Two texts may have several lines. */
const manyLines: ReadonlySet<string> = new Set(["HOOKBELL_BODY", "HOOKBELL_MESSAGE"]);

/** Plain texts without control characters. */
export function commandVariables(
  request: Pick<SendRequest<unknown>, "event" | "message" | "deliveryId" | "attempt">,
): Record<string, string> {
  const { event, message, deliveryId, attempt } = request;
  const texts: Record<string, string | undefined> = {
    HOOKBELL_EVENT: event.name,
    HOOKBELL_EVENT_ID: event.id,
    HOOKBELL_AGENT: event.agent,
    HOOKBELL_SESSION: event.session,
    HOOKBELL_PROJECT: event.project,
    HOOKBELL_CWD: event.cwd,
    HOOKBELL_HOST: event.host,
    HOOKBELL_AT: event.at,
    HOOKBELL_LEVEL: message.level,
    HOOKBELL_TITLE: message.title,
    HOOKBELL_BODY: message.body,
    HOOKBELL_MESSAGE: event.message,
    HOOKBELL_REASON: event.reason,
    HOOKBELL_NOTIFICATION_TYPE: event.notificationType,
    HOOKBELL_SUBAGENT: event.subagent,
    HOOKBELL_DELIVERY_ID: deliveryId,
    HOOKBELL_ATTEMPT: String(attempt),
  };
  // Every variable is set: a script under `set -u` must not fail.
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const shown = printable(text ?? "");
      const value = manyLines.has(name) ? shown : shown.replace(/[\n\u2028\u2029]+/g, " ");
      return [name, cut(value, maxVariableBytes, measures.bytes)];
    }),
  );
}
