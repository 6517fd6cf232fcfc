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
/** Slack answers `msg_blocks_too_long` somewhat above 13,000: https://github.com/slackapi/bolt-js/issues/2509 */
export const maxTotal = 12_000;
/** Ours: what a phone's notification and a screen reader get. */
export const maxFallback = 1000;
/** Ours: a label with its value. */
export const maxField = 150;
/** Ours: what is left of the total when everything else is as long as it may be. */
export const maxBody = maxTotal - 2 * maxHeader - maxFallback - maxContextElements * maxField;

/**
 * What an incoming webhook and chat.postMessage are sent: https://docs.slack.dev/reference/methods/chat.postMessage.
 * chat.update knows no unfurling; there, attachments that were left out would stay as they were, so they never are.
 */
export interface SlackMessage {
  text: string;
  blocks: HeaderBlock[];
  attachments: { color: string; fallback: string; blocks: (SectionBlock | ContextBlock)[] }[];
  unfurl_links: false;
  unfurl_media: false;
}
/**
 * No format, no quote, no mention, and with `emoji: false` no `:tada:` is looked for in it:
 * https://docs.slack.dev/reference/block-kit/composition-objects/text-object
 */
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
 * The title stands above as a header, the body with the level's colour in an attachment. Top-level `text` is what
 * phones and screen readers get, the only text with formats; beside `blocks` Slack does not show it in the channel a
 * second time.
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

/**
 * Slack's only escape (https://docs.slack.dev/messaging/formatting-message-text#escaping); without `<` there is no
 * mention, no link and no `<!channel>`.
 */
export const escapeSlack = escapeMarkup;

const zeroWidthSpace = "\u200B";
/** `snake_case` and `2*3` format nothing and stay as they are, so that names can be copied out of the message. */
const delimiter = /(?<![\p{L}\p{N}])[*_~`]+|[*_~`]+(?![\p{L}\p{N}])/gu;
/** `:tada:`; a workspace gives its own pictures names in any script. */
const emojiStart = /:(?=[\p{L}\p{M}\p{N}_+'-]+:)/gu;
const quoteStart = /^(?=[^\S\n]*>)/gm;

/**
 * mrkdwn has no escape for `*bold*` and its like: a space of no width on both sides keeps them from pairing up, and a
 * name from being an emoji's, and a `>` from being a line's first sign.
 */
export function withoutMrkdwn(text: string): string {
  return text
    .replace(delimiter, (marks) => `${zeroWidthSpace}${[...marks].join(zeroWidthSpace)}${zeroWidthSpace}`)
    .replace(emojiStart, `:${zeroWidthSpace}`)
    .replace(quoteStart, zeroWidthSpace);
}

/**
 * An escaped text in pieces of at most `most` UTF-16 units, parted at a line's end where there is one in the second
 * half, and never within a grapheme or an entity.
 */
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

/** Slack says "characters" and not which; UTF-16 units are never fewer than any other count of them. */
const slackMeasure = measures.utf16;
