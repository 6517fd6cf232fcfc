// What the contract tests need to know about Feishu.
import { type HttpSample, json, pieceOf, plainForm } from "../../../support/channels/channel-sample.ts";
import { under } from "../../../support/channels/shown.ts";

export const sample: HttpSample = {
  settings: (origin) => ({
    url: `${origin}/open-apis/bot/v2/hook/s3cret00-hook-of-feishu`,
    secret: "s3cretSigningOfFeishu",
  }),
  secrets: ["s3cret00-hook-of-feishu", "s3cretSigningOfFeishu"],
  okBody: '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}',
  isBodyDecisive: true,
  rates: [
    { messages: 5, perMs: 1000 },
    { messages: 100, perMs: 60_000 },
  ],
  limits: [
    ["title", "title, as JSON"],
    ["body", "body, as JSON"],
    ["value", "one field, as JSON"],
  ],
  forms: plainForm("content"),
  pieces(body, { whole }) {
    const { header, elements } = body.card as { header: unknown; elements: { text?: unknown; fields?: unknown }[] };
    const piecesOf = (value: unknown, limit: string) => under(value, "content").map(json).map(pieceOf(limit));
    return [
      ["the request's body", whole],
      ...piecesOf(header, "title, as JSON"),
      ...elements.flatMap(({ text }) => piecesOf(text, "body, as JSON")),
      ...elements.flatMap(({ fields }) => piecesOf(fields, "one field, as JSON")),
    ];
  },
};
