// What Telegram is sent: HTML.
import type { Message } from "../../../model/message.ts";
import { cut, measures } from "../../../model/text.ts";
import { bodyText, escapeMarkup, fieldLines, titleLine } from "../../compose.ts";
import { levelLooks } from "../../levels.ts";

/** Counted after the entities are parsed: https://core.telegram.org/bots/api#sendmessage */
export const maxText = 4096;
/** Ours, so that title and fields leave room for the body. */
export const maxTitle = 256;
export const maxField = 150;
export const maxFields = 10;

/** Telegram counts UTF-16 units: https://core.telegram.org/api/entities#entity-length */
const telegramMeasure = measures.utf16;

/** https://core.telegram.org/bots/api#html-style, with the level as a coloured circle. */
export function toTelegramText(message: Message, eventName: string): string {
  const circle = levelLooks[message.level].mark;
  const title = cutPlain(titleLine(message, eventName), maxTitle);
  const fields = fieldLines(message, maxFields)
    .map((line) => cutPlain(line, maxField))
    .join("\n");
  const used = telegramMeasure(`${circle} ${title}\n\n${fields === "" ? "" : `\n\n${fields}`}`);
  const body = cutPlain(bodyText(message), maxText - used);
  return [`${circle} <b>${escapeMarkup(title)}</b>`, escapeMarkup(body), escapeMarkup(fields)]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Cut first, because Telegram counts `&lt;` as one character. */
function cutPlain(text: string, most: number): string {
  return cut(withoutEntities(text), most, telegramMeasure);
}

const wordJoiner = "\u2060";

/**
 * Telegram finds names, commands and `tg:` addresses in plain text, and has no escape for them: a character of no width
 * splits them. `/srv/shop` and `me@example.org` stay, so that they can be copied.
 */
export function withoutEntities(text: string): string {
  return text
    .replace(/(?<![A-Za-z0-9_])@(?=\w)/g, `@${wordJoiner}`)
    .replace(/(?<![\p{L}\p{N}_/<>])\/(?=\w{1,64}(?![\w/<>]))/gu, `/${wordJoiner}`)
    .replace(/\b(tg|ton):(?=\/\/)/gi, `$1:${wordJoiner}`);
}
