// What the contract tests need to know about ntfy.
import { type HttpSample, pushLimits, pushPieces, plainForm } from "../../../support/channels/channel-sample.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ server: `${origin}/push`, topic: "s3cretTopic_of-ntfy", token: "tk_s3cretTokenOfNtfy" }),
  secrets: ["s3cretTopic", "s3cretTokenOfNtfy"],
  okBody: '{"id":"hwQ2YpKdmg","event":"message"}',
  isBodyDecisive: true,
  // A bucket at the vendor, too: 60, and one more every five seconds.
  rates: [{ messages: 60 + 720, perMs: 60 * 60_000 }],
  // https://docs.ntfy.sh/publish/#updating-deleting-notifications
  idempotencyKey: ({ body = "{}" }) => (JSON.parse(body) as Record<string, unknown>).sequence_id,
  loudness: ({ priority }) => Number(priority),
  probes: [
    {
      settings: (server) => ({ topic: "agents", server }),
      asks: { method: "GET", path: "/v1/health" },
      answers: [
        [200, '{"healthy":true}', "ok", /the server is healthy/],
        [200, '{"healthy":false}', "broken", /not as ntfy does/],
        [200, "<html>Sign in</html>", "broken", /not as ntfy does/],
        [404, "not found", "broken", /not as ntfy does/],
      ],
    },
    {
      settings: (server) => ({ topic: "agents", server: `${server}/below/`, token: "tk_s3cret" }),
      asks: { method: "GET", path: "/below/v1/account" },
      answers: [
        [200, '{"username":"phil","role":"user"}', "ok", /accepts the token/],
        [401, '{"code":40101,"http":401,"error":"unauthorized"}', "broken", /does not know the token/],
      ],
    },
  ],
  limits: pushLimits(),
  forms: plainForm("title", "message"),
  pieces: ({ title, message }, sent) => pushPieces([String(title), String(message)], sent),
};
