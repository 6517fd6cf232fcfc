// What Telegram is sent: HTML.
import { plainSyntax, type Syntax } from "../../../model/rich-text/render.ts";
import type { RichMessage } from "../../channel-type.ts";
import type { WrittenCard } from "../../../model/answer.ts";
import type { Message } from "../../../model/message.ts";
import { cut, measures } from "../../../model/text.ts";
import { writeCard } from "../../rendering/card.ts";
import { alignedTable } from "../../rendering/aligned-table.ts";
import { escapeMarkup, escapeMarkupAndQuotes, fieldLines, fitBody } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import { levelLooks } from "../../rendering/levels.ts";

/** Counted after the entities are parsed: https://core.telegram.org/bots/api#sendmessage */
export const maxText = 4096;
/** hookbell's own limit. */
export const maxTitle = 256;
export const maxField = 150;
export const maxFields = 10;

/** Telegram counts UTF-16 units: https://core.telegram.org/api/entities#entity-length */
const telegramMeasure = measures.utf16;

/** https://core.telegram.org/bots/api#html-style, with the level as a coloured circle. */
export function toTelegramText(message: RichMessage, eventName: string): string {
  const { title, head } = headOf(message, eventName);
  // Telegram counts `&lt;` as one character.
  const fields = fieldLines(message, maxFields)
    .map((line) => cut(withoutEntities(line), maxField, telegramMeasure))
    .join("\n");
  const used = telegramMeasure(`${title}\n\n${fields === "" ? "" : `\n\n${fields}`}`);
  const body = fitBody(message, maxText - used, shownLength, telegramSyntax);
  return [head, body, escapeMarkup(fields)].filter((part) => part !== "").join("\n\n");
}

/** A question, with its title above the card. */
export function toTelegramQuestion(message: Message, eventName: string): string {
  return `${headOf(message, eventName).head}\n\n${renderCard(message).text}`;
}

/** The rest is for the title, the circle and the empty line. */
const maxCard = maxText - maxTitle - 8;

export function renderCard(card: Message): WrittenCard {
  return writeCard(card, { most: maxCard, measure: shownLength, escape: escapeText });
}

function headOf(message: RichMessage, eventName: string): { title: string; head: string } {
  const circle = levelLooks[message.level].mark;
  const title = fitTitle(message, eventName, maxTitle, telegramMeasure, withoutEntities);
  const words = `<b>${escapeMarkup(title)}</b>`;
  const linked = message.link === undefined ? words : `<a href="${escapeMarkupAndQuotes(message.link)}">${words}</a>`;
  return { title: `${circle} ${title}`, head: `${circle} ${linked}` };
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

function shownLength(html: string): number {
  return telegramMeasure(html.replace(/<[^<>]*>/g, "").replace(/&\w+;/g, "."));
}

function escapeText(text: string): string {
  return escapeMarkup(withoutEntities(text));
}

const telegramSyntax: Syntax = {
  ...plainSyntax,
  text: escapeText,
  strong: (inner) => `<b>${inner}</b>`,
  emphasis: (inner) => `<i>${inner}</i>`,
  strike: (inner) => `<s>${inner}</s>`,
  code: (text) => `<code>${escapeText(text)}</code>`,
  link: (inner, url, aside) => `<a href="${escapeMarkupAndQuotes(url)}">${inner}</a>${aside}`,
  heading: (inner) => `<b>${inner}</b>`,
  codeBlock: (text, language) =>
    language === ""
      ? `<pre>${escapeText(text)}</pre>`
      : `<pre><code class="language-${escapeMarkupAndQuotes(language)}">${escapeText(text)}</code></pre>`,
  // Quotes cannot be nested.
  quote: (inner) => `<blockquote>${inner.replace(/<\/?blockquote>/g, "")}</blockquote>`,
  table: (_, texts) => `<pre>${escapeText(alignedTable(texts))}</pre>`,
};
