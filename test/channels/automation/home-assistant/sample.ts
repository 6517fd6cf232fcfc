// What the contract tests need to know about Home Assistant.
import { type HttpSample, pieceOf, plainForm } from "../../../support/channels/channel-sample.ts";

export const sample: HttpSample = {
  settings: (origin) => ({ url: `${origin}/api/webhook/-s3cretWebhookId99` }),
  secrets: ["s3cretWebhookId99"],
  okBody: "",
  isBodyDecisive: false,
  probes: [
    {
      settings: (origin) => ({ url: `${origin}/api/webhook/s3cret-hook` }),
      // Not the webhook itself, which would start the automation.
      asks: { method: "GET", path: "/manifest.json" },
      answers: [
        [200, '{"name":"Home Assistant"}', "ok", /Home Assistant answers/],
        [200, "<html>Router</html>", "broken", /not as Home Assistant does/],
      ],
    },
  ],
  limits: [
    ["title", "every other text"],
    ["body", "message"],
  ],
  forms: plainForm("title", "message"),
  pieces: ({ message, ...others }) => [
    ["message", String(message)],
    ...Object.values(others).map(String).map(pieceOf("every other text")),
  ],
};
