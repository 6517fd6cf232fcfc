import type { Message } from "../model/message.ts";
import { cut, measures, type Measure } from "../model/text.ts";
import type { Limit } from "./channel-type.ts";
import { levelLooks } from "./levels.ts";
import { bodyText, fieldLines, titleLine } from "./compose.ts";

/** How much of the vendor's limit the title and one field may take; the body gets what they leave. */
const titleShare = 1 / 8;
const fieldShare = 1 / 20;
/** Ours: ten fields take half of the limit at most. */
const maxFields = 10;

/** What a plain message of at most `most` bytes keeps to; `note` is how they are counted. */
export function plainLimits(most: number, note = ""): Limit[] {
  return [
    { what: `title of a plain text${note}`, most: Math.floor(most * titleShare), unit: "bytes", source: "ours" },
    { what: `one field of a plain text${note}`, most: Math.floor(most * fieldShare), unit: "bytes", source: "ours" },
    { what: "fields", most: maxFields, unit: "items", source: "ours" },
  ];
}

/**
 * A message as nothing but text, for vendors without a markup, or with one that has no escape: level and title, body,
 * fields, of at most `most` in `measure`. What has to be broken in it, `escape` breaks.
 */
export function toPlainMessage(
  message: Message,
  eventName: string,
  most: number,
  measure: Measure = measures.bytes,
  escape: (text: string) => string = (text) => text,
): string {
  const body = bodyText(message);
  const fit = (text: string, limit: number): string => cut(text, Math.floor(limit), measure, escape);
  const head = `${levelLooks[message.level].mark} ${fit(titleLine(message, eventName), most * titleShare)}`;
  const tail = fieldLines(message, maxFields)
    .map((field) => fit(field, most * fieldShare))
    .join("\n");
  const around = [head, tail].filter((part) => part !== "");
  const room = most - measure([...around, ""].join("\n\n"));
  return [head, body === "" ? "" : fit(body, room), tail].filter((part) => part !== "").join("\n\n");
}
