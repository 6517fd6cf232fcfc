// What the contract tests need to know about Google Chat.
import { type HttpSample, json, pieceOf } from "../../../support/channels/channel-sample.ts";
import { readHtml } from "../../../support/channels/read-markup.ts";
import { joined, under } from "../../../support/channels/shown.ts";

export const sample: HttpSample = {
  settings: (origin) => ({
    url: `${origin}/v1/spaces/AAAAs3cretSpace/messages?key=s3cretKeyOfGoogle&token=s3cretTokenOfGoogle%3D`,
  }),
  secrets: ["AAAAs3cretSpace", "s3cretKeyOfGoogle", "s3cretTokenOfGoogle"],
  okBody: '{"name":"spaces/AAAA/messages/BBBB.BBBB","thread":{"name":"spaces/AAAA/threads/BBBB"}}',
  isBodyDecisive: true,
  rates: [{ messages: 1, perMs: 1000 }],
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create
  idempotencyKey: ({ url }) => new URL(url).searchParams.get("requestId"),
  limits: [
    ["title", "title"],
    ["body", "body"],
    ["body", "text of a phone's notification"],
    ["value", "one field"],
  ],
  forms: (body) => [
    joined(under(body.cardsV2, "text").map((html) => readHtml(html, ["<b>", "</b>", "<font", "</font>"]))),
    { text: String(body.fallbackText), marks: String(body.fallbackText).match(/<(?!\u200B)/g) ?? [] },
  ],
  pieces(body, { whole, message }) {
    const [title = "", ...rest] = under(body.cardsV2, "text");
    const fields = message.fields.length === 0 ? undefined : rest.pop();
    return [
      ["the request", whole],
      ["title", json(title.replace(/<\/?(?:b|font)\b[^>]*>/g, ""))],
      ...rest.map(json).map(pieceOf("body")),
      ...(fields?.split("<br>") ?? []).map(json).map(pieceOf("one field")),
      ["text of a phone's notification", json(String(body.fallbackText))],
      ...under(body.thread, "threadKey").map(pieceOf("a thread's key")),
    ];
  },
};
