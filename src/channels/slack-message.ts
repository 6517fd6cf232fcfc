import type { Message } from "../model/message.ts";
import { cut } from "../model/text.ts";
import { levelLooks } from "./level-look.ts";
import { bodyText, fieldLines, lineOfAll, titleLine } from "./message-lines.ts";
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
interface HeaderBlock {
  type: "header";
  text: { type: "plain_text"; text: string; emoji: false };
}
interface MrkdwnText {
  type: "mrkdwn";
  text: string;
  /** Leaves names, addresses and `@here` alone, which Slack would otherwise look for in the text. */
  verbatim: true;
}
interface SectionBlock {
  type: "section";
  text: MrkdwnText;
}
interface ContextBlock {
  type: "context";
  elements: MrkdwnText[];
}

/**
 * The title stands above as a header, the body with the level's colour in an attachment. Top-level `text` is what
 * phones and screen readers get; beside `blocks` Slack does not show it in the channel a second time.
 */
export function toSlackMessage(message: Message, eventName: string): SlackMessage {
  const header = cut(titleLine(message, eventName), maxHeader, slackMeasure, escapeSlack);
  const summary = lineOfAll(message, eventName, maxFallback);
  const blocks = [...toSections(bodyText(message)), ...toContext(message)];
  return {
    text: cut(withoutMrkdwn(summary), maxFallback, slackMeasure, escapeSlack),
    blocks: [{ type: "header", text: { type: "plain_text", text: header, emoji: false } }],
    attachments: blocks.length === 0 ? [] : [{ color: levelLooks[message.level].colour, fallback: header, blocks }],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function toSections(body: string): SectionBlock[] {
  const escaped = cut(withoutMrkdwn(body), maxBody, slackMeasure, escapeSlack);
  return splitEscaped(escaped, maxSection)
    .slice(0, maxBlocks - 2)
    .map((text) => ({ type: "section", text: mrkdwn(text) }));
}

function toContext(message: Message): ContextBlock[] {
  const elements = fieldLines(message, maxContextElements).map((line) =>
    mrkdwn(cut(withoutMrkdwn(line), maxField, slackMeasure, escapeSlack)),
  );
  return elements.length === 0 ? [] : [{ type: "context", elements }];
}

function mrkdwn(text: string): MrkdwnText {
  return { type: "mrkdwn", text, verbatim: true };
}
