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
export function withoutMattermostMeaning(text: string): string {
  return meanings.reduce((broken, [pattern, replacement]) => broken.replace(pattern, replacement), text);
}

/**
 * Second half: what has a meaning everywhere. A backslash is enough but for `<`: before it reads any Markdown, the server
 * makes Slack's `<address|text>` a link, and takes `x < 5 || y > 3` for one.
 */
export function escapeMattermost(text: string): string {
  return text.replace(/[\\`*~[\]]/g, "\\$&").replaceAll("<", "&lt;");
}
