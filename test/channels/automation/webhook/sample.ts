// What the contract tests need to know about webhooks.
import { type HttpSample, pieceOf } from "../../../support/channels/channel-sample.ts";
import { readPlain } from "../../../support/channels/read-markup.ts";
import { under } from "../../../support/channels/shown.ts";

const texts = "title, body and every other text";

export const sample: HttpSample = {
  isPassedOn: true,
  settings: (origin) => ({
    url: `${origin}/in/s3cretPath99?key=s3cretQuery99`,
    secret: [
      "whsec_c2lnbmluZyBzZWNyZXQgbnVtYmVyIDEsIGxvbmcgZW5vdWdo",
      "whsec_c2lnbmluZyBzZWNyZXQgbnVtYmVyIDIsIGxvbmcgZW5vdWdo",
    ],
    headers: { Authorization: "Bearer s3cretHeader99" },
  }),
  secrets: ["s3cretPath99", "s3cretQuery99", "s3cretHeader99", "c2lnbmluZyBzZWNyZXQ"],
  okBody: "",
  isBodyDecisive: false,
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  idempotencyKey: ({ headers }) => headers?.["webhook-id"],
  limits: [
    ["title", texts],
    ["body", texts],
    ["value", texts],
  ],
  otherLimits: ["one attribute of a CloudEvent", "the agent's payload"],
  forms: (body) => [readPlain(under((body.data as { message: unknown }).message, "title", "body", "value").join("\n"))],
  pieces(body) {
    const { message, event } = body.data as { message: object; event: object };
    const sent = [...under(message, "title", "body", "label", "value"), ...Object.values(event).map(String)];
    return sent.map(pieceOf(texts));
  },
};
