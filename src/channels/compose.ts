// A message's title, body and fields as text, before a channel's own syntax.
import type { Message } from "../model/message.ts";
import { cut, type Measure, measures, printable, printableLine } from "../model/text.ts";
import type { Limit } from "./channel-type.ts";
import { levelLooks } from "./levels.ts";

/** The title on one line; never empty, because most vendors refuse that. Not escaped. */
export function titleLine(message: Message, eventName: string): string {
  return printableLine(message.title) || printableLine(eventName) || "hookbell";
}

/** The body; may be empty. Not escaped. */
export function bodyText(message: Message): string {
  return printable(message.body).trim();
}

/** Title and body on one line, for a phone's notification of a chat message. Not escaped; cut it to `most` of any unit. */
export function lineOfAll(message: Message, eventName: string, most: number): string {
  const title = titleLine(message, eventName);
  const body = printableLine(bodyText(message).slice(0, 16 * most));
  return body === "" ? title : `${title}: ${body}`;
}

/** In UTF-16 units: cleaning a hundred fields of 1 MB would take seconds. */
const maxFieldReadLength = 10_000;

/** At most `most` fields that have a value, on one line each. Not escaped. */
export function shownFields(message: Message, most: number): { label: string; value: string }[] {
  const shown: { label: string; value: string }[] = [];
  for (const { label, value } of message.fields) {
    if (shown.length === most) break;
    const line = printableLine(value.slice(0, maxFieldReadLength));
    if (line !== "") shown.push({ label: printableLine(label.slice(0, maxFieldReadLength)), value: line });
  }
  return shown;
}

/** The same as lines: `project: shop`. */
export function fieldLines(message: Message, most: number): string[] {
  return shownFields(message, most).map(({ label, value }) => (label === "" ? value : `${label}: ${value}`));
}

/** How much a vendor accepts, counted by `measure`. */
export interface PushRoom {
  maxTitle: number;
  maxBody: number;
  measure: Measure;
}

/** Ours: the line of fields below the text, in the vendor's unit. */
export const maxFieldLine = 200;

/** The plain text of a phone's notification. Neither part is ever empty, because vendors refuse that. */
export function toPushText(message: Message, eventName: string, room: PushRoom): { title: string; body: string } {
  const { maxTitle, maxBody, measure } = room;
  const title = cut(titleLine(message, eventName), maxTitle, measure);
  const below = cut(fieldLines(message, maxFields).join(" · "), maxFieldLine, measure);
  const text = bodyText(message);
  if (text === "") return { title, body: below || cut(printableLine(eventName) || title, maxBody, measure) };
  const tail = below === "" ? "" : `\n${below}`;
  return { title, body: cut(text, maxBody - measure(tail), measure) + tail };
}

/** The shares of the vendor's limit for the title and for one field; the body gets the rest. */
const titleShare = 1 / 8;
const fieldShare = 1 / 20;
/** Ours: ten fields take half of the limit at most. */
const maxFields = 10;

/** The limits of a plain message of at most `most` bytes; `note` says how they are counted. */
export function plainLimits(most: number, note = ""): Limit[] {
  return [
    { what: `title of a plain text${note}`, most: Math.floor(most * titleShare), unit: "bytes", source: "ours" },
    { what: `one field of a plain text${note}`, most: Math.floor(most * fieldShare), unit: "bytes", source: "ours" },
    { what: "fields", most: maxFields, unit: "items", source: "ours" },
  ];
}

/** A message as text alone, for vendors without markup, or with markup that has no escape. At most `most` in `measure`. */
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

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** For text between HTML tags; not for attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? "");
}

/** The same with quotes, for full HTML or XML. */
export function escapeMarkupAndQuotes(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** The bytes of a well-formed text inside a JSON body. */
export const jsonBytes: Measure = (text) => Buffer.byteLength(JSON.stringify(text), "utf8") - 2;
