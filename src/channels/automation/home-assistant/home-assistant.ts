// Home Assistant: the webhook trigger of an automation, directly or through Nabu Casa.
import * as z from "zod";
import { delivered, failed } from "../../../model/outcome.ts";
import { cut, measures, printableLine } from "../../../model/text.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { fitBody } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import { unexpectedAnswer } from "../../vendor-answer.ts";
import { jsonPost, probeRequest } from "../../vendor-request.ts";
import { allowHttpSetting, urlSetting } from "../../settings.ts";

const docs = "https://www.home-assistant.io/docs/automation/trigger/#webhook-trigger";
/** hookbell's own limit. */
export const maxText = 255;
/** hookbell's own limit. */
export const maxMessage = 4000;

const settings = z.strictObject({
  url: urlSetting("The webhook trigger's URL, https://home.example.org/api/webhook/...; its last part is the secret"),
  allowHttp: allowHttpSetting(),
});

export const homeAssistant = defineHttpChannel({
  docs,
  settings,
  limits: [
    { what: "message", most: maxMessage, unit: "codePoints", source: "ours" },
    { what: "every other text", most: maxText, unit: "codePoints", source: "ours" },
  ],
  isUnfitForNotices: true,
  isForPrograms: true,
  request({ settings, message, event, deliveryId }) {
    const line = (text: string): string => cut(printableLine(text), maxText);
    // An automation reads it as `trigger.json`, and evaluates no templates in it.
    return jsonPost(settings.url.reveal(), settings.allowHttp, {
      // The same for every attempt.
      id: deliveryId,
      title: fitTitle(message, event.name, maxText),
      message: fitBody(message, maxMessage, measures.codePoints),
      level: message.level,
      event: line(event.name),
      agent: line(event.agent),
      project: line(event.project),
      host: line(event.host),
      session: line(event.session),
      at: line(event.at),
    });
  },
  // Every mistake answers 200 as well.
  readSuccess({ status }) {
    const caveat =
      "Home Assistant gives this answer for any webhook, even an unknown one; the automation's traces show whether it ran";
    return delivered({ detail: `answered ${status}, but ${caveat}` });
  },
  readFailure({ status }) {
    if (status !== 404 && status !== 405) return undefined;
    const fix = "set the URL with /api/webhook/ and the trigger's id, and allow POST in the trigger";
    return failed(status === 404 ? "gone" : "rejected", `Home Assistant answered ${status}: ${fix}`);
  },
  noticing: {
    how: "see",
    otherwise: [
      "look at the automation's traces: if there is none, the last part of the URL is not the trigger's webhook id",
      'switch "Only accessible from the local network" off in the trigger if this computer is elsewhere',
    ],
  },
  // A request to the webhook itself could start the automation; a wrong login to the API counts as an attack.
  async probe({ url, allowHttp }, tools) {
    const own = url.reveal();
    if (!URL.canParse(own) || !new URL(own).pathname.includes("/api/webhook/")) {
      return { status: "ok", detail: "its settings are complete; `hookbell test` sends a message" };
    }
    const manifest = new URL("/manifest.json", own).href;
    return await probeRequest({ method: "GET", url: manifest, isPlainHttpAllowed: allowHttp }, tools, {
      well: ({ status, body }) =>
        status === 200 && body.includes("Home Assistant")
          ? "Home Assistant answers; only `hookbell test` shows whether it knows the webhook"
          : undefined,
      failure: (answer) => unexpectedAnswer(answer, "Home Assistant"),
      fix: 'check "url"',
    });
  },
});
