// A message's title on one line.
import { cutWords, type Measure, measures, printableLine } from "../../model/text.ts";
import type { RichMessage } from "../channel-type.ts";

/** The line is never empty, because most vendors refuse that. */
export function titleLine({ title }: Pick<RichMessage, "title">, eventName: string): string {
  return printableLine(title) || printableLine(eventName) || "hookbell";
}

/** UTF-16 units; no vendor takes a longer title. */
const maxTitleRead = 10_000;

/** Escaped. Only a rule's own title can be too long: hookbell's have the project first, and a few words. */
export function fitTitle(
  message: Pick<RichMessage, "title">,
  eventName: string,
  most: number,
  measure: Measure = measures.codePoints,
  escape: (text: string) => string = (text) => text,
): string {
  return cutWords(titleLine(message, eventName).slice(0, maxTitleRead), most, measure, escape);
}
