// What the contract tests need to know about Matrix.
import {
  aboveFields,
  fieldLines,
  type HttpSample,
  json,
  pieceOf,
  plainPieces,
} from "../../../support/channels/channel-sample.ts";
import { readHtml } from "../../../support/channels/read-markup.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ homeserver: origin, room: "!room:example.org", token: "syt_s3cretTokenOfMatrix" }),
  secrets: ["s3cretTokenOfMatrix"],
  okBody: '{"event_id":"$1:example.org"}',
  isBodyDecisive: true,
  // https://spec.matrix.org/latest/client-server-api/#transaction-identifiers
  idempotencyKey: ({ url }) => url.split("/").at(-1),
  limits: [
    ["title", "title of a plain text, as JSON"],
    ["title", "the title in HTML, as JSON"],
    ["body", "the plain form, as JSON"],
    ["body", "the body in HTML, as JSON"],
    ["value", "one field of a plain text, as JSON"],
    ["value", "one field in HTML, as JSON"],
  ],
  forms: (body) => [
    readHtml(String(body.formatted_body), ["<strong>", "</strong>", "<span", "</span>"]),
    { text: String(body.body), marks: String(body.body).match(/@(?!\u200B)/g) ?? [] },
  ],
  pieces(body, sent) {
    const [, title = "", rest = ""] =
      /<strong>([^]*?)<\/strong>(?:<br>)?([^]*)/.exec(String(body.formatted_body)) ?? [];
    const fields = fieldLines(rest, sent.message, "<br>");
    return [
      ["the event", sent.whole],
      ...plainPieces("the plain form, as JSON", String(body.body), sent, true),
      ["the title in HTML, as JSON", json(title)],
      ["the body in HTML, as JSON", json(aboveFields(rest, fields, "<br>"))],
      ...fields.map(json).map(pieceOf("one field in HTML, as JSON")),
    ];
  },
};
