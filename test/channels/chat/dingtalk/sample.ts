// What the contract tests need to know about DingTalk.
import { type HttpSample, plainPieces } from "../../../support/channels/channel-sample.ts";
import { readPlain } from "../../../support/channels/read-markup.ts";
import { under } from "../../../support/channels/shown.ts";

export const sample: HttpSample = {
  settings: (origin) => ({
    url: `${origin}/robot/send?access_token=s3cretAccessOfDingtalk1`,
    secret: "SECs3cretSigningOfDingtalk",
  }),
  secrets: ["s3cretAccessOfDingtalk1", "s3cretSigningOfDingtalk"],
  okBody: '{"errcode":0,"errmsg":"ok"}',
  isBodyDecisive: true,
  rates: [{ messages: 20, perMs: 60_000 }],
  limits: [
    ["title", "title of a plain text, as JSON"],
    ["body", "text, as JSON"],
    ["value", "one field of a plain text, as JSON"],
  ],
  forms: (body) => under(body, "content").map(readPlain),
  pieces: (body, sent) => under(body, "content").flatMap((text) => plainPieces("text, as JSON", text, sent, true)),
};
