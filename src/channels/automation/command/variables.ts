import { cut, measures, printable } from "../../../model/text.ts";
import type { SendRequest } from "../../channel-type.ts";

/**
 * Ours: Linux takes 128 KiB for one variable and at least as much for all together, Windows 32 Ki characters; far below
 * both, so that no event can keep the program from starting.
 */
export const maxVariableBytes = 2048;

/** What a program finds in its environment, each a plain text without control characters. */
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
  // An absent one is empty rather than missing: a script under `set -u` must not fail over it.
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, cut(printable(text ?? ""), maxVariableBytes, measures.bytes)]),
  );
}
