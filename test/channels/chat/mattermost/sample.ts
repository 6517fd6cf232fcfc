// What the contract tests need to know about Mattermost.
import { HtmlRenderer, Parser } from "commonmark";
import { Marked } from "marked";
import { aboveFields, fieldLines, type HttpSample, pieceOf } from "../../../support/channels/channel-sample.ts";
import { readHtml, type Seen } from "../../../support/channels/read-markup.ts";
import { joined, under } from "../../../support/channels/shown.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ url: `${origin}/hooks/s3cretHookOfMattermost1` }),
  secrets: ["s3cretHookOfMattermost1"],
  okBody: "ok",
  isBodyDecisive: true,
  loudness: ({ silent, priority }) => (silent === true ? 0 : priority === undefined ? 1 : loudnessOf(priority)),
  limits: [
    ["title", "title"],
    ["body", "body"],
    ["body", "text of a phone's notification"],
    ["value", "one field"],
  ],
  forms(body) {
    const shown = [String(body.text), ...under(body.attachments, "text")].map(readMattermost);
    return [0, 1].map((which) => joined(shown.flatMap((seen) => seen[which] ?? [])));
  },
  pieces(body, { message }) {
    const [text = ""] = under(body.attachments, "text");
    const fields = fieldLines(text, message);
    return [
      ["one post", String(body.text)],
      ["one post", text],
      ["title", String(body.text).slice(2, -2)],
      ["body", aboveFields(text, fields).replace(/\n$/, "")],
      ...fields.map(pieceOf("one field")),
      ...under(body.attachments, "fallback").map(pieceOf("text of a phone's notification")),
    ];
  },
};

/** https://developers.mattermost.com/integrate/reference/message-priority/ */
function loudnessOf(priority: unknown): number {
  return 2 + ["important", "urgent"].indexOf((priority as { priority: string }).priority);
}

/**
 * What the server makes of a webhook's text before it stores it, for those who come from Slack: ParseSlackLinksToMarkdown
 * and ProcessSlackText of https://github.com/mattermost/mattermost. A link may go over several lines.
 */
export function storedByMattermost(text: string): string {
  return text.replace(/<!(channel|here|all)>/g, "@$1").replace(/<([^<|]+)\|([^>]+)>/g, "[$2]($1)");
}

/** Mattermost's Markdown by CommonMark and by GitHub's dialect, and its own mentions, emoji and tags. */
function readMattermost(sent: string): Seen[] {
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
