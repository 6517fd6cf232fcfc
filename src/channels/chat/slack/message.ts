// What Slack is sent: blocks.
import type { Message } from "../../../model/message.ts";
import { cut, graphemesOf, measures } from "../../../model/text.ts";
import { bodyText, escapeMarkup, fieldLines, lineOfAll, titleLine } from "../../compose.ts";
import { levelLooks } from "../../levels.ts";

/** https://docs.slack.dev/reference/block-kit/blocks/header-block */
export const maxHeader = 150;
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
export const maxSection = 3000;
/** https://docs.slack.dev/reference/block-kit/blocks */
export const maxBlocks = 50;
/** https://docs.slack.dev/reference/block-kit/blocks/context-block */
export const maxContextElements = 10;
/** Slack answers `msg_blocks_too_long` a little above 13,000: https://github.com/slackapi/bolt-js/issues/2509 */
export const maxTotal = 12_000;
/** Ours: for phones and screen readers. */
export const maxFallback = 1000;
/** Ours: a label with its value. */
export const maxField = 150;
/** Ours: the total without everything else at its longest. */
export const maxBody = maxTotal - 2 * maxHeader - maxFallback - maxContextElements * maxField;

/** https://docs.slack.dev/reference/methods/chat.postMessage. chat.update keeps attachments that are left out. */
export interface SlackMessage {
  text: string;
  blocks: HeaderBlock[];
  attachments: { color: string; fallback: string; blocks: (SectionBlock | ContextBlock)[] }[];
  unfurl_links: false;
  unfurl_media: false;
}
/** No formats and no mentions: https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
interface PlainText {
  type: "plain_text";
  text: string;
  emoji: false;
}
interface HeaderBlock {
  type: "header";
  text: PlainText;
}
interface SectionBlock {
  type: "section";
  text: PlainText;
}
interface ContextBlock {
  type: "context";
  elements: PlainText[];
}

/**
 * The title is a header, the body is in an attachment with the level's colour. Only phones and screen readers show the
 * top-level `text`, which has formats.
 */
export function toSlackMessage(message: Message, eventName: string): SlackMessage {
  const header = cut(titleLine(message, eventName), maxHeader, slackMeasure, escapeSlack);
  const summary = lineOfAll(message, eventName, maxFallback);
  const blocks = [...toSections(bodyText(message)), ...toContext(message)];
  return {
    text: cut(withoutMrkdwn(summary), maxFallback, slackMeasure, escapeSlack),
    blocks: [{ type: "header", text: plainText(header) }],
    attachments: blocks.length === 0 ? [] : [{ color: levelLooks[message.level].colour, fallback: header, blocks }],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function toSections(body: string): SectionBlock[] {
  return splitEscaped(cut(body, maxBody, slackMeasure, escapeSlack), maxSection)
    .slice(0, maxBlocks - 2)
    .map((text) => ({ type: "section", text: plainText(text) }));
}

function toContext(message: Message): ContextBlock[] {
  const elements = fieldLines(message, maxContextElements).map((line) =>
    plainText(cut(line, maxField, slackMeasure, escapeSlack)),
  );
  return elements.length === 0 ? [] : [{ type: "context", elements }];
}

function plainText(escaped: string): PlainText {
  return { type: "plain_text", text: escaped, emoji: false };
}

/** Slack's only escape; mentions and links need a `<`: https://docs.slack.dev/messaging/formatting-message-text#escaping */
export const escapeSlack = escapeMarkup;

const zeroWidthSpace = "\u200B";
/** `snake_case` and `2*3` have no format, and stay so that they can be copied. */
const delimiter = /(?<![\p{L}\p{N}])[*_~`]+|[*_~`]+(?![\p{L}\p{N}])/gu;
/** `:tada:`; a workspace's own emoji have names in any script. */
const emojiStart = /:(?=[\p{L}\p{M}\p{N}_+'-]+:)/gu;
const quoteStart = /^(?=[^\S\n]*>)/gm;

/** mrkdwn has no escape for `*bold*`, `:emoji:` and `> quotes`: a space of no width breaks them. */
export function withoutMrkdwn(text: string): string {
  return text
    .replace(delimiter, (marks) => `${zeroWidthSpace}${[...marks].join(zeroWidthSpace)}${zeroWidthSpace}`)
    .replace(emojiStart, `:${zeroWidthSpace}`)
    .replace(quoteStart, zeroWidthSpace);
}

/** Pieces of at most `most` UTF-16 units, split at a line's end if the second half has one; never inside an entity. */
export function splitEscaped(escaped: string, most: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const part of atoms(escaped)) {
    if (piece.length + part.length > most) {
      const lineEnd = piece.lastIndexOf("\n");
      const end = lineEnd > most / 2 ? lineEnd : piece.length;
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end).replace(/^\n/, "");
    }
    piece += part;
  }
  if (piece !== "") pieces.push(piece);
  return pieces.filter((text) => text.trim() !== "");
}

function* atoms(escaped: string): Generator<string> {
  for (const part of escaped.split(/(&(?:amp|lt|gt);)/)) {
    if (part.startsWith("&")) yield part;
    else yield* graphemesOf(part);
  }
}

/** Slack says only "characters"; no other count is higher than UTF-16 units. */
const slackMeasure = measures.utf16;
