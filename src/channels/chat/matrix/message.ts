// What a Matrix room is sent: text and HTML.
import type { WrittenCard } from "../../../model/answer.ts";
import type { Message } from "../../../model/message.ts";
import { writeCard } from "../../rendering/card.ts";
import type { RichMessage } from "../../channel-type.ts";
import { cut } from "../../../model/text.ts";
import { levelLooks } from "../../rendering/levels.ts";
import { escapeMarkup, fieldLines, fitBody, htmlSyntax, jsonBytes, toPlainMessage } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";

/** https://spec.matrix.org/latest/client-server-api/#size-limits: the whole event, as canonical JSON. */
export const maxEventBytes = 65_536;
/** hookbell's own limit: an edit has both forms twice. */
export const maxPlainBytes = 8000;
export const maxTitleBytes = 1500;
export const maxFieldBytes = 750;
export const maxHtmlBytes = 12_500;
const maxFields = 10;
/** hookbell's own limit: with the legend, both forms of a question stay below `maxPlainBytes`. */
const maxCardBytes = 6500;
const maxCardTitleBytes = 800;

export const noticeTypes = ["m.notice", "m.text"] as const;
export type NoticeType = (typeof noticeTypes)[number];

/** https://spec.matrix.org/latest/client-server-api/#mnotice */
export interface MatrixText {
  msgtype: NoticeType;
  body: string;
  format: "org.matrix.custom.html";
  formatted_body: string;
  /** The mentions are empty, so that nothing pings. */
  "m.mentions": Record<string, never>;
}
/** https://spec.matrix.org/latest/client-server-api/#event-replacements */
export interface MatrixContent extends MatrixText {
  "m.new_content"?: MatrixText;
  "m.relates_to"?: { rel_type: "m.replace"; event_id: string };
}

export function toMatrixContent(
  message: RichMessage,
  eventName: string,
  msgtype: NoticeType,
  replaces: string | undefined,
): MatrixContent {
  const body = toPlainMessage(message, eventName, maxPlainBytes, jsonBytes, withoutMention);
  return contentOf(msgtype, body, toHtml(message, eventName), replaces);
}

function contentOf(msgtype: NoticeType, body: string, html: string, replaces: string | undefined): MatrixContent {
  const text: MatrixText = {
    msgtype,
    body,
    format: "org.matrix.custom.html",
    formatted_body: html,
    "m.mentions": {},
  };
  if (replaces === undefined) return text;
  return {
    ...text,
    body: `* ${text.body}`,
    formatted_body: `* ${text.formatted_body}`,
    "m.new_content": text,
    "m.relates_to": { rel_type: "m.replace", event_id: replaces },
  };
}

/** A question, with the legend of its reactions below. */
export function toMatrixQuestion(
  message: Message,
  eventName: string,
  msgtype: NoticeType,
  { legend = "", replaces }: { legend?: string; replaces?: string } = {},
): MatrixContent {
  const { mark, colour } = levelLooks[message.level];
  const title = fitTitle(message, eventName, maxCardTitleBytes, jsonBytes, withoutMention);
  const card = writeCard(message, { most: maxCardBytes, measure: jsonBytes, escape: withoutMention });
  const body = [`${mark} ${title}`, card.text, legend].filter(Boolean).join("\n");
  const htmlTitle = fitTitle(message, eventName, maxCardTitleBytes, jsonBytes, escapeHtml);
  const head = `<span data-mx-color="${colour}">●</span> <strong>${htmlTitle}</strong>`;
  const html = [head, renderCard(message).text, legend].filter(Boolean).join("<br>");
  return contentOf(msgtype, body, html, replaces);
}

/** HTML is never shorter than plain text, so what fits here fits into both forms. */
export function renderCard(card: Message): WrittenCard {
  // HTML shows several blanks as one.
  const escape = (text: string): string =>
    escapeHtml(text).replace(/ {2,}/g, (blanks) => "\u00A0".repeat(blanks.length));
  return writeCard(card, { most: maxCardBytes, measure: jsonBytes, escape });
}

/** Only tags of https://spec.matrix.org/latest/client-server-api/#mroommessage-msgtypes */
function toHtml(message: RichMessage, eventName: string): string {
  const colour = `<span data-mx-color="${levelLooks[message.level].colour}">●</span>`;
  const head = `${colour} <strong>${fitTitle(message, eventName, maxTitleBytes, jsonBytes, escapeHtml)}</strong>`;
  const list = fieldLines(message, maxFields)
    .map((field) => cut(field, maxFieldBytes, jsonBytes, escapeHtml))
    .join("<br>");
  const body = fitBody(message, maxHtmlBytes, jsonBytes, htmlSyntax(escapeHtml));
  return [head, body, list].filter((part) => part !== "").join("<br>");
}

function escapeHtml(text: string): string {
  return escapeMarkup(withoutMention(text)).replaceAll("\n", "<br>");
}

/** Some programs would show `@room` as a mention. */
function withoutMention(text: string): string {
  return text.replaceAll("@", "@\u200B");
}
