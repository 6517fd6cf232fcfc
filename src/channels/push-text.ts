import type { Message } from "../model/message.ts";
import { cut, printableLine, type Measure } from "../model/text.ts";
import { bodyText, fieldLines, titleLine } from "./compose.ts";

/** How much a vendor takes, counted by `measure`. */
export interface PushRoom {
  maxTitle: number;
  maxBody: number;
  measure: Measure;
}

/** Ours: the line of fields below the text, in the vendor's unit. */
export const maxFieldLine = 200;
const maxFields = 10;

/** A message as the plain text of a phone's notification. Neither part is ever empty: vendors refuse that, or fill it in. */
export function toPushText(message: Message, eventName: string, room: PushRoom): { title: string; body: string } {
  const { maxTitle, maxBody, measure } = room;
  const title = cut(titleLine(message, eventName), maxTitle, measure);
  const below = cut(fieldLines(message, maxFields).join(" · "), maxFieldLine, measure);
  const text = bodyText(message);
  if (text === "") return { title, body: below || cut(printableLine(eventName) || title, maxBody, measure) };
  const tail = below === "" ? "" : `\n${below}`;
  return { title, body: cut(text, maxBody - measure(tail), measure) + tail };
}
