// What the contract tests need to know about the Home Assistant app.
import { type HttpSample, pushLimits, pushPieces } from "../../../support/channels/channel-sample.ts";
import type { Seen } from "../../../support/channels/read-markup.ts";
import { joined } from "../../../support/channels/shown.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ server: origin, token: "eyJhbGci.s3cretTokenOfHome", device: "mobile_app_pixel_8" }),
  secrets: ["s3cretTokenOfHome"],
  okBody: "[]",
  isBodyDecisive: true,
  loudness: ({ data }) => levelsOf.indexOf((data as { push: Record<string, string> }).push["interruption-level"] ?? ""),
  probes: [
    {
      settings: (server) => ({ server, token: "eyJhbGci.s3cret", device: "mobile_app_pixel_8" }),
      asks: { method: "GET", path: "/api/services" },
      answers: [
        [200, '[{"domain":"notify","services":{"mobile_app_pixel_8":{}}}]', "ok", /knows the phone/],
        [200, '[{"domain":"notify","services":{"mobile_app_i":{},"x":{}}}]', "broken", /it has mobile_app_i$/],
        [200, '[{"domain":"light","services":{}},{"domain":"notify"}]', "broken", /it has no phone with the app/],
        [200, "[]", "broken", /not as Home Assistant/],
        [401, "401: Unauthorized", "broken", /create a long-lived access token/],
        [404, "", "broken", /correct "server"/],
      ],
    },
  ],
  idempotencyKey: ({ body = "" }) => (JSON.parse(body) as { data: { tag: string } }).data.tag.slice("hookbell-".length),
  limits: pushLimits(),
  forms: ({ title, message }) => [joined([String(title), String(message)].map(readApp))],
  pieces: ({ title, message }, sent) => pushPieces([String(title), String(message)], sent),
};

const levelsOf = ["passive", "active", "time-sensitive"];

/** Templates, HTML and what the app makes a line break of; each would have a meaning. */
function readApp(text: string): Seen {
  const marks = text.match(/\{[{%#]|[<&]|\\[rn]/g) ?? [];
  return {
    text: text.replaceAll("＜", "<").replaceAll("＆", "&").replaceAll("\u00A0", " ").replaceAll("\u2060", ""),
    marks,
  };
}
