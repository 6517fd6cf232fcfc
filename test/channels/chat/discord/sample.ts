// What the contract tests need to know about Discord.
import { type HttpSample, pieceOf } from "../../../support/channels/channel-sample.ts";
import type { Seen } from "../../../support/channels/read-markup.ts";
import { joined, under } from "../../../support/channels/shown.ts";

const botSettings = {
  token: "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.s3cretTokenOfDiscordBot",
  channel: "998877665544332211",
};

export const sample: HttpSample = {
  settings: (origin) => ({ url: `${origin}/api/webhooks/112233445566778899/s3cretTokenOfDiscord` }),
  secrets: ["112233445566778899", "s3cretTokenOfDiscord"],
  okBody: '{"id":"1330000000000000001","channel_id":"1330000000000000000"}',
  isBodyDecisive: true,
  otherWays: {
    "a bot": {
      settings: (origin) => ({ ...botSettings, apiUrl: `${origin}/api` }),
      secrets: ["s3cretTokenOfDiscordBot"],
      okBody: '{"id":"1330000000000000001","channel_id":"998877665544332211"}',
      isBodyDecisive: true,
    },
  },
  rates: [
    { messages: 5, perMs: 2000 },
    { messages: 30, perMs: 60_000 },
  ],
  edit: {
    settings: { url: "https://discord.com/api/webhooks/112233445566778899/s3cret" },
    remembered: { message: "133", thread: "" },
    rememberedElsewhere: { message: "133", thread: "998877665544332211" },
    isEdit: ({ method }) => method === "PATCH",
  },
  limits: [
    ["title", "title"],
    ["body", "body"],
    ["value", "a shown field's value"],
  ],
  forms: (body) => [joined(under(body.embeds, "title", "description", "name", "value").map(readDiscord))],
  pieces: (body) => [
    ...under(body, "title").map(pieceOf("title")),
    ...under(body, "description").map(pieceOf("body")),
    ...under(body, "name").flatMap((text) => [pieceOf("a field's name")(text), pieceOf("a shown field's name")(text)]),
    ...under(body, "value").flatMap((text) => [
      pieceOf("a field's value")(text),
      pieceOf("a shown field's value")(text),
    ]),
    ["all text", under(body, "title", "description", "name", "value").join("")],
  ],
};

/** Discord's Markdown: a backslash takes the meaning of every sign that has one; one without is a mark. */
function readDiscord(markdown: string): Seen {
  const marks: string[] = [];
  const text = markdown.replace(/\\([!-/:-@[-`{-~])|[\\*_~`|>#\-+[\]()<@:.]/g, (sign, plain: string | undefined) => {
    if (plain === undefined) marks.push(sign);
    return plain ?? sign;
  });
  return { text, marks };
}
