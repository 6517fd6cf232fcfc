// What the contract tests need to know about PagerDuty.
import { type HttpSample, pieceOf } from "../../../support/channels/channel-sample.ts";
import { readPlain } from "../../../support/channels/read-markup.ts";
import { under } from "../../../support/channels/shown.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ server: origin, routingKey: "s3cretRoutingKeyOfPagerDuty00001" }),
  secrets: ["s3cretRoutingKey"],
  okBody: '{"status":"success","message":"Event processed","dedup_key":"hookbell-1"}',
  isBodyDecisive: true,
  rates: [{ messages: 120, perMs: 60_000 }],
  // https://developer.pagerduty.com/docs/send-alert-event: the session's, whose incident it opens or ends.
  idempotencyKey: ({ body = "{}" }) => (JSON.parse(body) as Record<string, unknown>).dedup_key,
  loudness: ({ payload }) =>
    ["warning", "error"].indexOf((payload as { severity: string } | undefined)?.severity ?? "none"),
  limits: [
    ["title", "summary"],
    ["body", "summary"],
    ["body", "message among the details"],
    ["value", "every other text"],
  ],
  forms: (body) => [readPlain([...under(body, "summary"), ...Object.values(detailsOf(body))].join("\n"))],
  pieces(body) {
    const { message = "", ...facts } = detailsOf(body);
    return [
      ...under(body, "summary").map(pieceOf("summary")),
      ["message among the details", message],
      ...[...Object.keys(facts), ...Object.values(facts)].map(pieceOf("every other text")),
      ...under(body, "source", "component", "group", "class", "dedup_key").map(pieceOf("every other text")),
    ];
  },
};

function detailsOf(body: Record<string, unknown>): Record<string, string> {
  return (body.payload as { custom_details: Record<string, string> }).custom_details;
}
