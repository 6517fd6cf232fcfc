// What Mattermost is sent: Markdown.
import type { Level } from "../../../model/level.ts";
import type { Message } from "../../../model/message.ts";
import { cut, measures, printableLine } from "../../../model/text.ts";
import { bodyText, fieldLines, titleLine } from "../../compose.ts";
import { levelLooks } from "../../levels.ts";

/** Mattermost splits longer posts: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const maxPost = 16_383;
export const maxTitle = 300;
/** Ours: the rest of a post is for title, fields and what the server adds. */
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

/** https://developers.mattermost.com/integrate/webhooks/incoming/#parameters */
export interface MattermostMessage {
  text: string;
  attachments: MattermostAttachment[];
  priority?: { priority: "important" | "urgent" };
  /** No push and no unread mark. */
  silent?: true;
}
/** https://developers.mattermost.com/integrate/reference/message-attachments/ */
interface MattermostAttachment {
  fallback: string;
  color: string;
  text: string;
}

/** The title is the post; body and fields are an attachment with the level's colour. */
export function toMattermostMessage(message: Message, eventName: string): MattermostMessage {
  const title = titleLine(message, eventName);
  const body = bodyText(message);
  const { colour, isQuiet } = levelLooks[message.level];
  const priority = priorities[message.level];
  const below = [fit(body, maxBody), ...fieldLines(message, maxFields).map((field) => fit(field, maxField))];
  const text = below.filter((part) => part !== "").join("\n");
  return {
    text: `**${fit(title, maxTitle)}**`,
    attachments: text === "" ? [] : [{ fallback: fallback(body || title), color: colour, text }],
    ...(priority && { priority: { priority } }),
    ...(isQuiet && { silent: true }),
  };
}

function fit(text: string, most: number): string {
  // After a cut behind a `_`, that `_` could end an emphasis.
  return cut(withoutMattermostMeaning(text), most, measures.codePoints, escapeMattermost).replace(/_+…$/, "…");
}

/** Shown without Markdown, so without backslashes; mentions would still ping. */
function fallback(text: string): string {
  return cut(withoutMattermostMeaning(printableLine(text.slice(0, 16 * maxFallback))), maxFallback);
}

const zeroWidthSpace = "\u200B";

/** A space of no width breaks a character's meaning; in URLs and names, where it has none, it stays. */
const meanings: readonly [pattern: RegExp, broken: string][] = [
  // A mention; also inside addresses, which would become links.
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
  // A line's start that makes it a heading, a list, a quote, a table, a rule or code.
  [/^(?=[ \t]*(?:[#>+=:|-]|\d{1,9}[.)])|\t| {4})/gm, zeroWidthSpace],
];

/**
 * The first half of the escape: characters whose meaning depends on their neighbours. Mattermost also reads some of Slack's
 * syntax: https://developers.mattermost.com/integrate/webhooks/incoming/#slack-compatibility
 */
function withoutMattermostMeaning(text: string): string {
  return meanings.reduce((broken, [pattern, replacement]) => broken.replace(pattern, replacement), text);
}

/** The second half: characters with a meaning everywhere. The server reads Slack's `<address|text>` before any Markdown. */
function escapeMattermost(text: string): string {
  return text.replace(/[\\`*~[\]]/g, "\\$&").replaceAll("<", "&lt;");
}
