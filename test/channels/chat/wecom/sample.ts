// What the contract tests need to know about WeCom.
import { type HttpSample, plainPieces } from "../../../support/channels/channel-sample.ts";
import { under } from "../../../support/channels/shown.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ url: `${origin}/cgi-bin/webhook/send?key=s3cret00-key-of-wecom` }),
  secrets: ["s3cret00-key-of-wecom"],
  okBody: '{"errcode":0,"errmsg":"ok"}',
  isBodyDecisive: true,
  rates: [{ messages: 20, perMs: 60_000 }],
  limits: [
    ["title", "title of a plain text"],
    ["body", "text"],
    ["value", "one field of a plain text"],
  ],
  forms: (body) => under(body, "content").map((text) => ({ text, marks: text.match(/<(?!\u200B)/g) ?? [] })),
  pieces: (body, sent) => under(body, "content").flatMap((text) => plainPieces("text", text, sent)),
};
