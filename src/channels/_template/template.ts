// A channel type to start from: copy this folder and test/channels/_template, then follow CONTRIBUTING.md.
import * as z from "zod";
import { failed, type Failed } from "../../model/outcome.ts";
import { measures } from "../../model/text.ts";
import type { HttpResponse } from "../../system/network/http.ts";
import { maxContext, toNotification } from "../rendering/compose.ts";
import { defineHttpChannel } from "../http-channel.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../settings.ts";
import { readJsonSuccess } from "../vendor-answer.ts";
import { jsonPost, probeRequest, serverUrl } from "../vendor-request.ts";
import { objectIn } from "../../model/json.ts";
import type { Level } from "../../model/level.ts";

/** Name each limit, with its unit and its source. */
const docs = "https://vendor.example/docs/messages";
const maxTitle = 250;
const maxBody = 4000;

/** Each level is at least as loud as the one before. */
const priorities: Readonly<Record<Level, number>> = { info: 1, success: 2, attention: 3, error: 4 };

// JSON Schema, `hookbell channels` and docs/reference/CHANNELS.md come from it.
const settings = z.strictObject({
  server: urlSetting("The server's URL, https://vendor.example"),
  token: secretSetting("An access token, as the vendor's settings page shows it"),
  allowHttp: allowHttpSetting(),
});

// The rest is in `httpDefaults` of http-channel.ts.
export const template = defineHttpChannel({
  docs,
  // Its messages reach a phone, so `channels add` asks when it should ring.
  ringsPhone: true,
  settings,
  limits: [
    { what: "title", most: maxTitle, unit: "codePoints", source: docs },
    { what: "body", most: maxBody, unit: "codePoints", source: docs },
    { what: "fields", most: maxContext, unit: "codePoints", source: "ours" },
  ],
  // A text with markup is escaped first: see the chat channels' message.ts.
  request({ settings: { server, token, allowHttp }, message, event, deliveryId }) {
    const text = toNotification(message, event.name, { maxTitle, maxBody, measure: measures.codePoints });
    const body = { ...text, priority: priorities[message.level], id: deliveryId };
    return jsonPost(serverUrl(server.reveal(), "/messages"), allowHttp, body, {
      authorization: `Bearer ${token.reveal()}`,
    });
  },
  // A hotel's sign-in page answers 200 as well.
  readSuccess: (response) => readJsonSuccess(response, "Template", ({ id }) => typeof id === "string"),
  readFailure: readTemplateFailure,
  probe: ({ server, token, allowHttp }, tools) =>
    probeRequest(
      {
        method: "GET",
        url: serverUrl(server.reveal(), "/me"),
        isPlainHttpAllowed: allowHttp,
        headers: { authorization: `Bearer ${token.reveal()}` },
      },
      tools,
      {
        well: ({ body }) => (typeof objectIn(body).name === "string" ? "the server accepts the token" : undefined),
        failure: readTemplateFailure,
        fix: 'check "server" and "token"',
      },
    ),
});

/** Each sentence names the setting to change. */
function readTemplateFailure({ status, body }: HttpResponse): Failed | undefined {
  if (objectIn(body).error !== "quota") return undefined;
  return failed("rateLimited", `Template answered ${status}: the day's messages are used up`);
}
