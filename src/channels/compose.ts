import type { Message } from "../model/message.ts";
import { printable, printableLine } from "../model/text.ts";

/** The title on one line; never empty, which most vendors would refuse. Not escaped. */
export function titleLine(message: Message, eventName: string): string {
  return printableLine(message.title) || printableLine(eventName) || "hookbell";
}

/** The body as plain text of several lines, perhaps empty. Not escaped. */
export function bodyText(message: Message): string {
  return printable(message.body).trim();
}

/**
 * Title and body on one line, for a phone's notification of what is shown otherwise in the chat. Not escaped, and only
 * as long as makes sense before it is cut to `most` of whatever unit.
 */
export function lineOfAll(message: Message, eventName: string, most: number): string {
  const title = titleLine(message, eventName);
  const body = printableLine(bodyText(message).slice(0, 16 * most));
  return body === "" ? title : `${title}: ${body}`;
}

/** In UTF-16 units: no vendor is shown more of a field, and cleaning a hundred of 1 MB takes seconds. */
const longestFieldRead = 10_000;

/** At most `most` fields that have a value, each text on one line. Not escaped. */
export function shownFields(message: Message, most: number): { label: string; value: string }[] {
  const shown: { label: string; value: string }[] = [];
  for (const { label, value } of message.fields) {
    if (shown.length === most) break;
    const line = printableLine(value.slice(0, longestFieldRead));
    if (line !== "") shown.push({ label: printableLine(label.slice(0, longestFieldRead)), value: line });
  }
  return shown;
}

/** The same as lines: `project: shop`. */
export function fieldLines(message: Message, most: number): string[] {
  return shownFields(message, most).map(({ label, value }) => (label === "" ? value : `${label}: ${value}`));
}
