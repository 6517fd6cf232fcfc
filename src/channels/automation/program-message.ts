// What programs read: a webhook's `data` and a command's standard input have the same shape.
import type { AgentEvent } from "../../model/event.ts";
import type { Message } from "../../model/message.ts";
import { cut } from "../../model/text.ts";
import type { SendRequest } from "../channel-type.ts";

export interface ProgramMessage {
  /** Raised when a change would break programs. */
  version: typeof programMessageVersion;
  event: AgentEvent;
  message: Message;
  payload?: Record<string, unknown>;
  isPayloadOmitted?: true;
}

export const programMessageVersion = 1;

/** hookbell's own limit, in code points. */
export const maxText = 20_000;
/** hookbell's own limit, as JSON in UTF-8. */
export const maxPayloadBytes = 256 * 1024;

export function toProgramMessage(
  { event, message, payload }: Pick<SendRequest<unknown>, "event" | "message" | "payload">,
  isPayloadWanted: boolean,
): ProgramMessage {
  const { blocks: _, project: __, ...texts } = message;
  const shared: ProgramMessage = {
    version: programMessageVersion,
    event: cutTexts(event),
    message: { ...cutTexts(texts), fields: texts.fields.map(cutTexts) },
  };
  if (!isPayloadWanted || payload === undefined) return shared;
  const isTooLarge = Buffer.byteLength(JSON.stringify(payload), "utf8") > maxPayloadBytes;
  if (isTooLarge) return { ...shared, isPayloadOmitted: true };
  return { ...shared, payload: wellFormed(payload) as Record<string, unknown> };
}

/** Strict receivers refuse lone surrogates. read-payload.ts bounds the nesting. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), wellFormed(each)]));
}

function cutTexts<T extends object>(from: T): T {
  const entries = Object.entries(from).map(([key, value]) => [
    key,
    typeof value === "string" ? cut(value.toWellFormed(), maxText) : value,
  ]);
  return Object.fromEntries(entries) as T;
}
