// What the contract tests need to know about Telegram.
import { fieldLines, type HttpSample, pieceOf } from "../../../support/channels/channel-sample.ts";
import { readHtml, type Seen } from "../../../support/channels/read-markup.ts";

const token = "123456789:s3cretTokenOfTelegram_01234-x";

export const sample: HttpSample = {
  settings: (origin) => ({ token, chat: -1001234567890, apiUrl: origin }),
  secrets: ["s3cretTokenOfTelegram_01234-x"],
  okBody: '{"ok":true,"result":{"message_id":7,"chat":{"id":-1001234567890,"type":"supergroup"},"date":1}}',
  isBodyDecisive: true,
  rates: [{ messages: 20, perMs: 60_000 }],
  loudness: ({ disable_notification: isSilent }) => (isSilent === true ? 0 : 1),
  edit: {
    settings: { token, chat: 5 },
    remembered: { message: "6", chat: "5" },
    rememberedElsewhere: { message: "6", chat: "9" },
    isEdit: ({ url }) => url.endsWith("/editMessageText"),
  },
  limits: [
    ["title", "title"],
    ["body", "all text"],
    ["value", "one field"],
  ],
  forms: (body) => [readTelegram(String(body.text))],
  // Counted once it is parsed.
  pieces(body, { message }) {
    const { text } = readTelegram(String(body.text));
    const title = /<b>([^]*?)<\/b>/.exec(String(body.text))?.[1] ?? "";
    return [
      ["all text", text],
      ["title", readTelegram(title).text],
      ...fieldLines(text, message).map(pieceOf("one field")),
    ];
  },
};

/** Telegram's HTML, in which it also looks for names, commands and its own addresses. */
function readTelegram(html: string): Seen {
  const { text, marks } = readHtml(html, ["<b>", "</b>"]);
  return {
    text,
    marks: [...marks, ...(text.match(/(?<!\w)@\w+|(?<![\w/<>])\/\w+(?![\w/<>])|\b(?:tg|ton):\/\//gi) ?? [])],
  };
}
