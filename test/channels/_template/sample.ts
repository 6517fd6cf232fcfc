// What the contract tests need to know about the template; a new channel type has such a file.
import { type HttpSample, pushLimits, pushPieces, plainForm } from "../../support/channels/channel-sample.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ server: origin, token: "s3cretTokenOfTemplate" }),
  secrets: ["s3cretTokenOfTemplate"],
  okBody: '{"id":"1"}',
  isBodyDecisive: true,
  loudness: ({ priority }) => Number(priority),
  probes: [
    {
      settings: (server) => ({ server, token: "s3cret" }),
      asks: { method: "GET", path: "/me" },
      answers: [
        [200, '{"name":"me"}', "ok", /accepts the token/],
        [401, "", "broken", /answered 401/],
      ],
    },
  ],
  limits: pushLimits(),
  forms: plainForm("title", "body"),
  pieces: ({ title, body }, sent) => pushPieces([String(title), String(body)], sent),
};
