// What the contract tests need to know about Bark.
import {
  type HttpSample,
  json,
  pieceOf,
  pushLimits,
  pushPieces,
  plainForm,
} from "../../../support/channels/channel-sample.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ server: origin, key: "s3cretDeviceKey999" }),
  secrets: ["s3cretDeviceKey999"],
  okBody: '{"code":200,"message":"success","timestamp":1700000000}',
  isBodyDecisive: true,
  // https://bark.day.app/#/en-us/tutorial
  idempotencyKey: ({ body = "{}" }) => (JSON.parse(body) as Record<string, unknown>).id,
  loudness: ({ level }) => ["passive", "active", "timeSensitive"].indexOf(String(level)),
  probes: [
    {
      settings: (server) => ({ key: "s3cretKey", server }),
      asks: { method: "GET", path: "/register/s3cretKey" },
      answers: [
        [200, '{"code":200,"message":"success"}', "ok", /knows the device/],
        [400, '{"code":400,"message":"failed to get [s3cretKey] device token"}', "broken", /does not know this device/],
        [400, '{"code":400,"message":"failed to get [register] device token"}', "ok", /too old to say/],
        [200, "<html>", "broken", /not as Bark does/],
      ],
    },
  ],
  limits: pushLimits(", as JSON"),
  forms: plainForm("title", "body"),
  pieces: ({ title, body, group }, sent) => [
    ...pushPieces([String(title), String(body)], sent, goJson, ", as JSON"),
    pieceOf("group, as JSON")(goJson(String(group))),
  ],
};

/** JSON as the server writes it, in Go. */
const goJson = (text: string): string =>
  json(text).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
