// What a Matrix room is sent: text and HTML.
import type { RichMessage } from "../../channel-type.ts";
import { cut } from "../../../model/text.ts";
import { levelLooks } from "../../levels.ts";
import { escapeMarkup, fieldLines, fitBody, htmlSyntax, jsonBytes, titleLine, toPlainMessage } from "../../compose.ts";

/** https://spec.matrix.org/latest/client-server-api/#size-limits: the whole event, as canonical JSON. */
export const maxEventBytes = 65_536;
/** Ours: an edit has both forms twice. */
export const maxPlainBytes = 8000;
export const maxTitleBytes = 1500;
export const maxFieldBytes = 750;
export const maxHtmlBytes = 12_500;
const maxFields = 10;

export const noticeTypes = ["m.notice", "m.text"] as const;
export type NoticeType = (typeof noticeTypes)[number];

/** https://spec.matrix.org/latest/client-server-api/#mnotice */
export interface MatrixText {
  msgtype: NoticeType;
  body: string;
  format: "org.matrix.custom.html";
  formatted_body: string;
  /** Empty, so that nothing pings. */
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
  const text: MatrixText = {
    msgtype,
    body: toPlainMessage(message, eventName, maxPlainBytes, jsonBytes, withoutMention),
    format: "org.matrix.custom.html",
    formatted_body: toHtml(message, eventName),
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

/** Only tags of https://spec.matrix.org/latest/client-server-api/#mroommessage-msgtypes */
function toHtml(message: RichMessage, eventName: string): string {
  const fit = (text: string, most: number): string => cut(text, most, jsonBytes, escapeHtml);
  const colour = `<span data-mx-color="${levelLooks[message.level].colour}">●</span>`;
  const head = `${colour} <strong>${fit(titleLine(message, eventName), maxTitleBytes)}</strong>`;
  const list = fieldLines(message, maxFields)
    .map((field) => fit(field, maxFieldBytes))
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
