// Strict readers of what vendors make of a text: what a person sees, and every mark that is no text.
import { createRequire } from "node:module";
import type * as adaptiveCardsModule from "adaptivecards";
import { HtmlRenderer, Parser } from "commonmark";
import { Marked } from "marked";

/** What a person sees of a text, and what in it is more than text: a link, a mention, a format. */
export interface Seen {
  text: string;
  marks: string[];
}

export function readPlain(text: string): Seen {
  return { text, marks: [] };
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function decodeEntities(text: string, marks: string[]): string {
  return text.replace(/&(?:(amp|lt|gt|quot|#39);)?/g, (whole, name: string | undefined) => {
    if (name === undefined) marks.push(whole);
    return entities[name ?? "amp"] ?? "";
  });
}

/** HTML with nothing in it but these tags, each written as it is here, and the entities that have to be there. */
export function readHtml(html: string, tags: readonly string[]): Seen {
  const marks: string[] = [];
  const text = html.replace(/<[^<>]*>|[<>]/g, (tag) => {
    if (tag === "<br>") return "\n";
    if (!tags.some((each) => tag === each || tag.startsWith(`${each} `))) marks.push(tag);
    return "";
  });
  return { text: decodeEntities(text, marks), marks };
}

/**
 * https://docs.slack.dev/messaging/formatting-message-text: entities, `<...>`, pairs of `*`, `_`, `~` and backticks, lines
 * that begin with `>`, however it is written, and `:name:` of a picture.
 */
export function readSlack(mrkdwn: string): Seen {
  const marks = mrkdwn.match(/[<>]|([*_~`])(?![\s\u200B])[^\n\u200B]*?(?<![\s\u200B])\1(?![\p{L}\p{N}])/gu) ?? [];
  const inWords = /[\p{L}\p{N}][*_~]/u;
  const formats = marks.filter(
    (mark) => !inWords.test(mrkdwn.slice(mrkdwn.indexOf(mark) - 1, mrkdwn.indexOf(mark) + 1)),
  );
  const others = mrkdwn.match(/^[^\S\n]*&gt;|:[\p{L}\p{M}\p{N}_+'-]+:/gmu) ?? [];
  const all = [...formats, ...others];
  return { text: decodeEntities(mrkdwn, all), marks: all };
}

/** A text object of a block: in `plain_text` entities are read, and pictures unless `emoji` is false. */
export function readSlackText({ type, text, emoji }: SlackText): Seen {
  if (type !== "plain_text") return readSlack(text);
  const marks = [
    ...(text.match(/[<>]/g) ?? []),
    ...((emoji === false ? null : text.match(/:[\p{L}\p{M}\p{N}_+'-]+:/gu)) ?? []),
  ];
  return { text: decodeEntities(text, marks), marks };
}

/** https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
export interface SlackText {
  type: "plain_text" | "mrkdwn";
  text: string;
  emoji?: boolean;
}

/** Discord's Markdown: a backslash takes the meaning of every sign that has one; one without is a mark. */
export function readDiscord(markdown: string): Seen {
  const marks: string[] = [];
  const text = markdown.replace(/\\([!-/:-@[-`{-~])|[\\*_~`|>#\-+[\]()<@:.]/g, (sign, plain: string | undefined) => {
    if (plain === undefined) marks.push(sign);
    return plain ?? sign;
  });
  return { text, marks };
}

/** Telegram's HTML, in which it also looks for names, commands and its own addresses. */
export function readTelegram(html: string): Seen {
  const { text, marks } = readHtml(html, ["<b>", "</b>"]);
  return {
    text,
    marks: [...marks, ...(text.match(/(?<!\w)@\w+|(?<![\w/<>])\/\w+(?![\w/<>])|\b(?:tg|ton):\/\//gi) ?? [])],
  };
}

/**
 * What the server makes of a webhook's text before it stores it, for those who come from Slack: ParseSlackLinksToMarkdown
 * and ProcessSlackText of https://github.com/mattermost/mattermost. A link may go over several lines.
 */
export function storedByMattermost(text: string): string {
  return text.replace(/<!(channel|here|all)>/g, "@$1").replace(/<([^<|]+)\|([^>]+)>/g, "[$2]($1)");
}

/** Mattermost's Markdown by CommonMark and by GitHub's dialect, and its own mentions, emoji and tags. */
export function readMattermost(sent: string): Seen[] {
  const markdown = storedByMattermost(sent);
  const own =
    markdown.match(/@[\p{L}\p{N}_.-]|<[!@#]|&(?!lt;)#?\w+;|(?<![\w/\u200B])#\p{L}|:[a-z_+-][\w+-]*:/giu) ?? [];
  const commonmark = new HtmlRenderer().render(new Parser().parse(markdown));
  const github = new Marked({ gfm: true, breaks: true }).parse(markdown, { async: false });
  return [commonmark, github].map((html) => {
    // A bare address becomes a link to what it says; that hides nothing.
    const honest = html.replace(/<a href="[^"]*">((?:https?:|www\.|[\w.+-]+@)[^<]*)<\/a>/g, "$1");
    const { text, marks } = readHtml(honest.replace(/<\/p>|<br ?\/?>/g, "<br>"), ["<p>", "<strong>", "</strong>"]);
    return { text, marks: [...marks, ...own] };
  });
}

// The package's own entry cannot be imported by Node; its bundle can be required.
const adaptiveCards = createRequire(import.meta.url)(
  "adaptivecards/dist/adaptivecards.js",
) as typeof adaptiveCardsModule;

/** What Adaptive Cards' own parser and validator have against a card. */
export function problemsOfCard(card: unknown): string[] {
  const context = new adaptiveCards.SerializationContext(adaptiveCards.Versions.v1_4);
  const parsed = new adaptiveCards.AdaptiveCard();
  parsed.parse(card, context);
  const found = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
  return [...found, ...parsed.validateProperties().validationEvents.map(({ message: said }) => said)];
}

/** Pango's markup, as notification daemons take it. */
export function readPango(markup: string): Seen {
  return readHtml(markup, []);
}

/** OSC 9, 777 and 99, one after the other; anything else is a mark. */
export function readTerminal(bytes: string): Seen {
  const marks: string[] = [];
  const texts: string[] = [];
  const rest = bytes.replace(
    /\u001B\]9;(?!\d)([^\u0000-\u001F\u007F-\u009F]*)\u0007|\u001B\]777;notify;([^;\u0000-\u001F\u007F-\u009F]*);([^;\u0000-\u001F\u007F-\u009F]*)\u0007|\u001B\]99;[\w:=+/-]*;([A-Za-z0-9+/=]*)\u001B\\|\u0007/g,
    (_, nine: string | undefined, title: string | undefined, body: string | undefined, encoded: string | undefined) => {
      texts.push(nine ?? "", title ?? "", body ?? "", Buffer.from(encoded ?? "", "base64").toString("utf8"));
      return "";
    },
  );
  if (rest !== "") marks.push(rest);
  return { text: texts.filter((text) => text !== "").join("\n"), marks };
}
