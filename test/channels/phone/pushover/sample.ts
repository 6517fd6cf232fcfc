// What the contract tests need to know about Pushover.
import { type HttpSample, pushLimits, pushPieces, plainForm } from "../../../support/channels/channel-sample.ts";

export const sample: HttpSample = {
  settings: (origin) => ({
    server: origin,
    token: "aS3cretAppTokenOfPushover00001",
    user: "uS3cretUserKeyOfPushover000002",
  }),
  secrets: ["aS3cretAppToken", "uS3cretUserKey"],
  pauseAfterTroubleMs: 5000,
  okBody: '{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}',
  isBodyDecisive: true,
  loudness: ({ priority }) => Number(priority),
  probes: [
    {
      settings: (server) => ({ token: "a".repeat(30), user: "u".repeat(30), server }),
      asks: { method: "POST", path: "/1/users/validate.json" },
      answers: [
        [200, '{"status":1,"devices":["phone"],"request":"r"}', "ok", /knows the application and the user/],
        [400, '{"user":"invalid","errors":["user key is invalid"],"status":0}', "broken", /set your user key/],
        [400, '{"token":"invalid","errors":["application token is invalid"],"status":0}', "broken", /API token/],
      ],
    },
  ],
  limits: pushLimits(),
  forms: plainForm("title", "message"),
  pieces: ({ title, message }, sent) => pushPieces([String(title), String(message)], sent),
};
