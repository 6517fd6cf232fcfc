// What the contract tests need to know about Gotify.
import { type HttpSample, pushLimits, pushPieces, plainForm } from "../../../support/channels/channel-sample.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ server: `${origin}/gotify/`, token: "A.s3cretGotify1" }),
  secrets: ["s3cretGotify1"],
  okBody: '{"id":25,"appid":5,"message":"..."}',
  isBodyDecisive: true,
  loudness: ({ priority }) => Number(priority),
  probes: [
    {
      settings: (server) => ({ server, token: "A.s3cret" }),
      // A list is not a message, so nothing is stored.
      asks: { method: "POST", path: "/message", body: "[]" },
      answers: [
        [400, '{"error":"Bad Request","errorCode":400,"errorDescription":"json: ..."}', "ok", /accepts the token/],
        [401, '{"error":"Unauthorized","errorCode":401}', "broken", /set the token of an application/],
        [404, "", "broken", /no Gotify/],
        [400, "<html>", "broken", /answered 400/],
      ],
    },
  ],
  limits: pushLimits(),
  forms: plainForm("title", "message"),
  pieces: ({ title, message }, sent) => pushPieces([String(title), String(message)], sent),
};
