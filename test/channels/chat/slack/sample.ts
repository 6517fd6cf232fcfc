// What the contract tests need to know about Slack.
import { under, joined } from "../../../support/channels/shown.ts";
import { type HttpSample, pieceOf } from "../../../support/channels/channel-sample.ts";
import { decodeEntities, type Seen } from "../../../support/channels/read-markup.ts";

const botSettings = { token: "xoxb-1111-2222-s3cretTokenOfSlackBot", channel: "C0123456789" };

export const sample: HttpSample = {
  settings: (origin) => ({ url: `${origin}/services/T0SECRET01/B0SECRET02/s3cretTokenOfSlack` }),
  secrets: ["T0SECRET01", "B0SECRET02", "s3cretTokenOfSlack"],
  okBody: "ok",
  isBodyDecisive: true,
  otherWays: {
    "a bot": {
      settings: (origin) => ({ ...botSettings, apiUrl: `${origin}/api` }),
      secrets: ["s3cretTokenOfSlackBot"],
      okBody: '{"ok":true,"channel":"C0123456789","ts":"1763730000.000100"}',
      isBodyDecisive: true,
    },
  },
  rates: [{ messages: 1, perMs: 1000 }],
  edit: {
    settings: botSettings,
    remembered: { channel: "C123", ts: "1.2", for: "C0123456789" },
    rememberedElsewhere: { channel: "C123", ts: "1.2", for: "C9" },
    isEdit: ({ url }) => url.endsWith("/chat.update"),
  },
  // Not the stars: a run of them costs more where it is split into sections.
  signs: ["x", "😀", "👩‍👩‍👧‍👦", "<", '"'],
  limits: [
    ["title", "title"],
    ["body", "body"],
    ["body", "text of a phone's notification"],
    ["value", "one field"],
  ],
  forms: (body) => [
    joined([...slackTexts(body.blocks), ...slackTexts(body.attachments)].map(readSlackText)),
    joined([readSlack(String(body.text))]),
  ],
  pieces(body) {
    const blocks = (body.attachments as { blocks: { type: string }[] }[]).flatMap((each) => each.blocks);
    const textsOf = (type: string): string[] =>
      blocks.filter((block) => block.type === type).flatMap((block) => under(block, "text"));
    return [
      ...under(body.blocks, "text").map(pieceOf("title")),
      ...textsOf("section").map(pieceOf("one section of the body")),
      ["body", textsOf("section").join("")],
      ...textsOf("context").map(pieceOf("one field")),
      ["text of a phone's notification", String(body.text)],
      ["all text", [String(body.text), ...under({ ...body, text: [] }, "text", "fallback")].join("")],
    ];
  },
};

/** https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
interface SlackText {
  type: "plain_text" | "mrkdwn";
  text: string;
  emoji?: boolean;
}

/** Every text object of Slack's blocks. */
function slackTexts(value: unknown): SlackText[] {
  if (typeof value !== "object" || value === null) return [];
  if ("type" in value && (value.type === "plain_text" || value.type === "mrkdwn")) return [value as SlackText];
  return Object.values(value).flatMap(slackTexts);
}

/**
 * https://docs.slack.dev/messaging/formatting-message-text: entities, `<...>`, pairs of `*`, `_`, `~` and backticks, lines
 * that begin with `>`, however it is written, and `:name:` of a picture.
 */
function readSlack(mrkdwn: string): Seen {
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
function readSlackText({ type, text, emoji }: SlackText): Seen {
  if (type !== "plain_text") return readSlack(text);
  const marks = [
    ...(text.match(/[<>]/g) ?? []),
    ...((emoji === false ? null : text.match(/:[\p{L}\p{M}\p{N}_+'-]+:/gu)) ?? []),
  ];
  return { text: decodeEntities(text, marks), marks };
}
