import type { Message } from "../../../model/message.ts";
import { cut } from "../../../model/text.ts";
import { levelLooks } from "../../levels.ts";
import { bodyText, fieldLines, lineOfAll, titleLine } from "../../compose.ts";
import { escapeSlack, slackMeasure, splitEscaped, withoutMrkdwn } from "./slack-text.ts";

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
