// What Mattermost is sent: Markdown.
import { markdownSyntax, type Syntax } from "../../../model/rich-text/render.ts";
import type { RichMessage } from "../../channel-type.ts";
import { cut, measures } from "../../../model/text.ts";
import { bodyLine, fieldLines, fitBody } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import { levelLooks } from "../../rendering/levels.ts";
import type { Level } from "../../../model/level.ts";

/** Mattermost splits longer posts: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const maxPost = 16_383;
export const maxTitle = 300;
/** hookbell's own limit. */
export const maxBody = 12_000;
export const maxFallback = 1000;
export const maxField = 150;
export const maxFields = 10;

/** https://developers.mattermost.com/integrate/reference/message-priority/ */
const priorities = {
  info: undefined,
  success: undefined,
  attention: "important",
  error: "urgent",
} as const satisfies Record<Level, string | undefined>;

/**
 * https://developers.mattermost.com/integrate/webhooks/incoming/#parameters and
 * https://developers.mattermost.com/integrate/reference/message-attachments/
 */
export function toMattermostMessage(message: RichMessage, eventName: string) {
  const { colour, isQuiet } = levelLooks[message.level];
  const priority = priorities[message.level];
  const body = fitBody(message, maxBody, measures.codePoints, mattermostSyntax);
  const fields = fieldLines(message, maxFields).map((field) =>
    closed(cut(withoutMattermostMeaning(field), maxField, measures.codePoints, escapeMattermost)),
  );
  const text = [body, fields.join("\n")].filter((part) => part !== "").join("\n\n");
  // Shown without Markdown; mentions would still ping.
  const fallback =
    bodyLine(message, maxFallback, measures.codePoints, withoutMattermostMeaning) ||
    fitTitle(message, eventName, maxFallback, measures.codePoints, withoutMattermostMeaning);
  return {
    text: `**${fitTitle(message, eventName, maxTitle, measures.codePoints, escapeText)}**`,
    attachments: text === "" ? [] : [{ fallback, color: colour, text }],
    ...(priority && { priority: { priority } }),
    ...(isQuiet && { silent: true }),
  };
}

/** The character could otherwise end an emphasis. */
function closed(text: string): string {
  return text.replace(/(?<!_)_+…/g, "…");
}

const zeroWidthSpace = "\u200B";

/** Breaks a character's meaning; in URLs and names, it stays. */
const meanings: readonly [pattern: RegExp, broken: string][] = [
  [/@(?=[\p{L}\p{N}_.-])/gu, `@${zeroWidthSpace}`],
  // <!channel>, <@id>
  [/<(?=\S)/g, `<${zeroWidthSpace}`],
  // &#64;channel
  [/&(?=#?\w{1,31};)/g, `&${zeroWidthSpace}`],
  // #hashtag, but not the fragment of a URL.
  [/(?<![\w/])#(?=\p{L})/gu, `#${zeroWidthSpace}`],
  // :tada:, but not 12:30:45.
  [/:(?=\d{0,8}[A-Za-z_+-][\w+-]{0,64}:)/g, `:${zeroWidthSpace}`],
  // _emphasis_, but not snake_case.
  [/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, `${zeroWidthSpace}$&${zeroWidthSpace}`],
  // The signs that start a block at the beginning of a line.
  [/^(?=[ \t]*(?:[#>+=:|-]|\d{1,9}[.)])|\t| {4})/gm, zeroWidthSpace],
];

/**
 * The first half of the escape: characters whose meaning depends on their neighbours. Mattermost also reads some of Slack's
 * syntax: https://developers.mattermost.com/integrate/webhooks/incoming/#slack-compatibility
 */
function withoutMattermostMeaning(text: string): string {
  return meanings.reduce((broken, [pattern, replacement]) => broken.replace(pattern, replacement), text);
}

/** The server reads Slack's `<address|text>` before any Markdown. */
function escapeMattermost(text: string): string {
  return text.replace(/[\\`*~[\]]/g, "\\$&").replaceAll("<", "&lt;");
}

function escapeText(text: string): string {
  return closed(escapeMattermost(withoutMattermostMeaning(text)));
}

const mattermostSyntax: Syntax = {
  ...markdownSyntax,
  text: escapeText,
  code: (text) => markdownSyntax.code(withoutMention(text)),
  // An address in a label would become a link itself.
  link: (inner, url, aside) =>
    aside === "" ? url : `[${inner.replaceAll("://", `:${zeroWidthSpace}//`)}](${url})${aside}`,
  codeBlock: (text, language) => markdownSyntax.codeBlock(withoutMention(text), language),
};

/** The server reads `<!channel>` before it reads any code. */
function withoutMention(text: string): string {
  return text.replace(/<(?=\S)/g, `<${zeroWidthSpace}`);
}
