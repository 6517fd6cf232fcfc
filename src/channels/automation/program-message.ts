import type { AgentEvent } from "../../model/event.ts";
import type { Message } from "../../model/message.ts";
import { cut } from "../../model/text.ts";
import type { SendRequest } from "../channel-type.ts";

/** What another program gets to read, as a webhook's `data` and on a command's standard input: one shape for both. */
export interface ProgramMessage {
  /** Members may be added under the same number; whatever would break a program that reads them gets the next one. */
  version: typeof programMessageVersion;
  event: AgentEvent;
  message: Message;
  /** The agent's own payload, in its own dialect. */
  payload?: Record<string, unknown>;
  /** The payload was too large to go along. */
  isPayloadOmitted?: true;
}

export const programMessageVersion = 1;

/** Ours: the longest text of an event or a message, in code points. */
export const maxText = 20_000;
/** Ours: a payload above this, as JSON in UTF-8, does not go along. */
export const maxPayloadBytes = 256 * 1024;

export function toProgramMessage(
  { event, message, payload }: Pick<SendRequest<unknown>, "event" | "message" | "payload">,
  isPayloadWanted: boolean,
): ProgramMessage {
  const shared: ProgramMessage = {
    version: programMessageVersion,
    event: cutTexts(event),
    message: { ...cutTexts(message), fields: message.fields.map(cutTexts) },
  };
  if (!isPayloadWanted || payload === undefined) return shared;
  const isTooLarge = Buffer.byteLength(JSON.stringify(payload), "utf8") > maxPayloadBytes;
  return isTooLarge ? { ...shared, isPayloadOmitted: true } : { ...shared, payload };
}

function cutTexts<T extends object>(from: T): T {
  const entries = Object.entries(from).map(([key, value]) => [
    key,
    // Lone surrogates are no text: strict receivers refuse the whole of it.
    typeof value === "string" ? cut(value.toWellFormed(), maxText) : value,
  ]);
  return Object.fromEntries(entries) as T;
}
