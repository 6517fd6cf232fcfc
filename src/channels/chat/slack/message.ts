// What Slack is sent: blocks.
import type { Block } from "../../../model/rich-text/rich-text.ts";
import { plainSyntax, render, type Syntax } from "../../../model/rich-text/render.ts";
import { shorten, splitBlocks } from "../../../model/rich-text/shorten.ts";
import type { ShownQuestion, WrittenCard } from "../../../model/answer.ts";
import type { Message } from "../../../model/message.ts";
import { writeCard } from "../../rendering/card.ts";
import type { RichMessage } from "../../channel-type.ts";
import { cut, measures } from "../../../model/text.ts";
import { alignedTable } from "../../rendering/aligned-table.ts";
import { bodyBlocks, escapeMarkup, fieldLines, lineOfAll } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import { levelLooks } from "../../rendering/levels.ts";

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
/** hookbell's own limit. */
export const maxFallback = 1000;
/** hookbell's own limit. */
export const maxField = 150;
/** hookbell's own limit. */
export const maxBody = maxTotal - 2 * maxHeader - maxFallback - maxContextElements * maxField;

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
const maxButtonLabel = 75;

/**
 * The title is a header, the body is in an attachment with the level's colour. Only phones and screen readers show the
 * top-level `text`, which has formats. https://docs.slack.dev/reference/methods/chat.postMessage
 */
export function toSlackMessage(message: RichMessage, eventName: string) {
  const header = headerOf(message, eventName);
  const blocks = [...toSections(message), ...toContext(message)];
  return {
    text: lineOfAll(message, eventName, maxFallback, slackMeasure, escapeText),
    blocks: [headerBlock(header)],
    // chat.update keeps attachments that are left out.
    attachments: blocks.length === 0 ? [] : [{ color: levelLooks[message.level].colour, fallback: header, blocks }],
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** All text is in the message itself: Slack folds long attachments, and a person must see what they allow. */
export function toSlackQuestion(
  message: Message,
  eventName: string,
  { buttons, snooze }: Pick<ShownQuestion, "buttons" | "snooze">,
) {
  const shown = snooze === undefined ? buttons : [...buttons, snooze];
  const elements = shown.map(({ label, nonce }, index) => ({
    type: "button" as const,
    action_id: `answer-${index}`,
    text: plainText(cut(label, maxButtonLabel, slackMeasure, escapeSlack)),
    value: nonce,
  }));
  return {
    text: lineOfAll(message, eventName, maxFallback, slackMeasure, escapeText),
    blocks: [
      headerBlock(headerOf(message, eventName)),
      // Slack may otherwise fold a long text.
      { ...sectionBlock(renderCard(message).text), expand: true },
      ...(elements.length === 0 ? [] : [{ type: "actions" as const, elements }]),
    ],
    attachments: [],
  };
}

export function renderCard(card: Message): WrittenCard {
  return writeCard(card, { most: maxSection, measure: slackMeasure, escape: escapeText });
}

function headerOf(message: RichMessage, eventName: string): string {
  return fitTitle(message, eventName, maxHeader, slackMeasure, escapeSlack);
}

function toSections(message: RichMessage) {
  const isFitting = (blocks: readonly Block[]): boolean =>
    slackMeasure(written(blocks)) <= maxBody && slackMeasure(sectionTexts(blocks).join("")) <= maxBody;
  return sectionTexts(shorten(bodyBlocks(message), isFitting))
    .slice(0, maxBlocks - 2)
    .map(sectionBlock);
}

function sectionTexts(blocks: readonly Block[]): string[] {
  if (blocks.length === 0) return [];
  const [first, rest] = splitBlocks(blocks, (part) => slackMeasure(written(part)) <= maxSection);
  return [written(first), ...sectionTexts(rest)];
}

function written(blocks: readonly Block[]): string {
  return render(blocks, slackSyntax);
}

function toContext(message: RichMessage) {
  const { link } = message;
  const links = link === undefined ? [] : [`<${escapeSlack(link)}|Open the session>`];
  const fields = fieldLines(message, maxContextElements - links.length).map((line) =>
    plainText(cut(line, maxField, slackMeasure, escapeSlack)),
  );
  const elements = [...fields, ...links.map(formatted)];
  return elements.length === 0 ? [] : [{ type: "context" as const, elements }];
}

function headerBlock(escaped: string) {
  return { type: "header" as const, text: plainText(escaped) };
}

function sectionBlock(text: string) {
  return { type: "section" as const, text: formatted(text) };
}

/** No formats and no mentions: https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
function plainText(escaped: string) {
  return { type: "plain_text" as const, text: escaped, emoji: false };
}

function formatted(text: string) {
  return { type: "mrkdwn" as const, text, verbatim: true };
}

/** Slack's only escape; mentions and links need a `<`: https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escapeSlack = escapeMarkup;

const zeroWidthSpace = "\u200B";
/** `snake_case` and `2*3` stay. */
const delimiter = /(?<![\p{L}\p{N}])[*_~`]+|[*_~`]+(?![\p{L}\p{N}])/gu;
/** Names of emoji may be in any script. */
const emojiStart = /:(?=[\p{L}\p{M}\p{N}_+'-]+:)/gu;
const quoteStart = /^(?=[^\S\r\n\u2028\u2029]*>)/gm;

/** mrkdwn has no escape for `*bold*`, `:emoji:` and `> quotes`: a space of no width breaks them. */
export function withoutMrkdwn(text: string): string {
  return text
    .replace(delimiter, (marks) => `${zeroWidthSpace}${[...marks].join(zeroWidthSpace)}${zeroWidthSpace}`)
    .replace(emojiStart, `:${zeroWidthSpace}`)
    .replace(quoteStart, zeroWidthSpace);
}

/** No other count is higher. */
const slackMeasure = measures.utf16;

export function escapeText(text: string): string {
  return escapeSlack(withoutMrkdwn(text));
}

/** https://docs.slack.dev/messaging/formatting-message-text. Formats start and end only beside a blank or the like. */
const slackSyntax: Syntax = {
  ...plainSyntax,
  text: escapeText,
  strong: (inner) => around(inner, "*"),
  emphasis: (inner) => around(inner, "_"),
  strike: (inner) => around(inner, "~"),
  // Code has no escape for a backtick.
  code: (text) => around(escapeSlack(text.replaceAll("`", "ˋ")), "`"),
  link: (inner, url, aside) => `<${escapeSlack(url)}|${inner.replaceAll("|", "¦")}>${aside}`,
  heading: (inner) => around(inner, "*"),
  codeBlock,
  quote: (inner) => inner.replace(/^/gm, "&gt; "),
  table: (_, texts) => codeBlock(alignedTable(texts)),
};

function around(inner: string, sign: string): string {
  return `${zeroWidthSpace}${sign}${inner}${sign}${zeroWidthSpace}`;
}

function codeBlock(text: string): string {
  return `\`\`\`\n${escapeSlack(text.replaceAll("```", `\`${zeroWidthSpace}\`\``))}\n\`\`\``;
}
