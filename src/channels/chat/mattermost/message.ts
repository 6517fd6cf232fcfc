import type { Level } from "../../../model/level.ts";
import type { Message } from "../../../model/message.ts";
import { cut, measures, printableLine } from "../../../model/text.ts";
import { bodyText, fieldLines, titleLine } from "../../compose.ts";
import { levelLooks } from "../../levels.ts";

/** What Mattermost would make several posts of: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const maxPost = 16_383;
/** Ours: a title stays a line or two. */
export const maxTitle = 300;
/** Ours: as much as a post may have, less title, fields and room for what the server adds. */
export const maxBody = 12_000;
/** Ours: what a phone's notification shows. */
export const maxFallback = 1000;
/** Ours: a label with its value. */
export const maxField = 150;
export const maxFields = 10;

/** https://developers.mattermost.com/integrate/reference/message-priority/ */
const priorities = {
  info: undefined,
  success: undefined,
  attention: "important",
  error: "urgent",
} as const satisfies Record<Level, string | undefined>;

/** What an incoming webhook is sent: https://developers.mattermost.com/integrate/webhooks/incoming/#parameters */
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

/** The title is the post, the body and the fields hang below it with the level's colour. */
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

/** Measured in code points, which the server counts; escaped first. */
function fit(text: string, most: number): string {
  // A cut right behind a `_`, where its second space of no width or the rest of a name was, would let it end an emphasis.
  return cut(withoutMattermostMeaning(text), most, measures.codePoints, escapeMattermost).replace(/_+…$/, "…");
}

/** Shown as it stands, so without backslashes; mentions are broken all the same. */
function fallback(text: string): string {
  return cut(withoutMattermostMeaning(printableLine(text.slice(0, 16 * maxFallback))), maxFallback);
}

const zeroWidthSpace = "\u200B";

/** Where a space of no width takes the meaning out of a character, and leaves it where it has none, as in URLs and names. */
const meanings: readonly [pattern: RegExp, broken: string][] = [
  // A mention: people, @here, @channel, @all, groups; also within addresses, which would become links.
  [/@(?=[\p{L}\p{N}_.-])/gu, `@${zeroWidthSpace}`],
  // <!channel>, <@id>, in what has no escape, too.
  [/<(?=\S)/g, `<${zeroWidthSpace}`],
  // &#64;channel, which is read as @channel.
  [/&(?=#?\w{1,31};)/g, `&${zeroWidthSpace}`],
  // #hashtag, but not the fragment of a URL.
  [/(?<![\w/])#(?=\p{L})/gu, `#${zeroWidthSpace}`],
  // :tada:, but not 12:30:45.
  [/:(?=\d{0,8}[A-Za-z_+-][\w+-]{0,64}:)/g, `:${zeroWidthSpace}`],
  // _emphasis_, but not snake_case.
  [/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, `${zeroWidthSpace}$&${zeroWidthSpace}`],
  // What makes a heading, a list, a quote, a table, a rule or code of a line that starts with it.
  [/^(?=[ \t]*(?:[#>+=:|-]|\d{1,9}[.)])|\t| {4})/gm, zeroWidthSpace],
];

/**
 * Mattermost's text is Markdown with mentions, and takes some of Slack's syntax as well:
 * https://developers.mattermost.com/integrate/webhooks/incoming/#slack-compatibility
 * First half of the escape: what depends on its neighbours. A cut may fall anywhere in what this adds but for what it adds
 * behind a `_`.
 */
function withoutMattermostMeaning(text: string): string {
  return meanings.reduce((broken, [pattern, replacement]) => broken.replace(pattern, replacement), text);
}

/**
 * Second half: what has a meaning everywhere. A backslash is enough but for `<`: before it reads any Markdown, the server
 * makes Slack's `<address|text>` a link, and takes `x < 5 || y > 3` for one.
 */
function escapeMattermost(text: string): string {
  return text.replace(/[\\`*~[\]]/g, "\\$&").replaceAll("<", "&lt;");
}
