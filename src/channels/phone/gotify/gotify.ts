// Gotify: your own server.
import * as z from "zod";
import { failed, type Failed } from "../../../model/outcome.ts";
import { measures } from "../../../model/text.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { readJsonSuccess } from "../../vendor-answer.ts";
import { jsonPost, probeRequest, serverUrl } from "../../vendor-request.ts";
import { maxContext, toNotification } from "../../rendering/compose.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { objectIn } from "../../../model/json.ts";
import type { Level } from "../../../model/level.ts";

/** hookbell's own limit. */
export const maxTitle = 250;
export const maxBody = 4000;

/** The app is silent at 0, shows 1 to 3 quietly, sounds from 4 on and pops up from 8 on. */
const priorities: Readonly<Record<Level, number>> = { info: 2, success: 4, attention: 6, error: 8 };

const settings = z.strictObject({
  server: urlSetting("Your server's URL, https://gotify.example.org"),
  allowHttp: allowHttpSetting(),
  token: secretSetting("An application's token, A...; not a client's, C..."),
});

export const gotify = defineHttpChannel({
  docs: "https://gotify.net/docs/pushmsg",
  ringsPhone: true,
  settings,
  limits: [
    { what: "title", most: maxTitle, unit: "codePoints", source: "ours" },
    { what: "body", most: maxBody, unit: "codePoints", source: "ours" },
    { what: "fields", most: maxContext, unit: "codePoints", source: "ours" },
  ],
  request({ settings, message, event }) {
    const { title, body } = toNotification(message, event.name, { maxTitle, maxBody, measure: measures.codePoints });
    return jsonPost(
      serverUrl(settings.server.reveal(), "/message"),
      settings.allowHttp,
      {
        title,
        message: body,
        priority: priorities[message.level],
        // https://gotify.net/docs/msgextras: no Markdown, which could hide a link's target.
        extras: {
          "client::display": { contentType: "text/plain" },
          ...(message.link && { "client::notification": { click: { url: message.link } } }),
        },
      },
      { "x-gotify-key": settings.token.reveal() },
    );
  },
  readSuccess: (response) => readJsonSuccess(response, "Gotify", ({ id }) => typeof id === "number"),
  readFailure: readGotifyFailure,
  noticing: {
    how: "see",
    otherwise: [
      "open the app: it must be connected to the server, and Android must keep it running (battery saving off)",
      "let the app notify: the phone's settings, and do not disturb",
    ],
  },
  // Gotify checks the token before the message, and refuses a list as a message.
  probe: ({ server, token, allowHttp }, tools) =>
    probeRequest(
      jsonPost(serverUrl(server.reveal(), "/message"), allowHttp, [], { "x-gotify-key": token.reveal() }),
      tools,
      {
        well: ({ status, body }) =>
          status === 400 && objectIn(body).errorCode === 400 ? "the server accepts the token" : undefined,
        failure: readGotifyFailure,
        fix: 'check "server" and "token"',
      },
    ),
});

function readGotifyFailure({ status }: HttpResponse): Failed | undefined {
  const refuse = (fix: string): string => `Gotify answered ${status}: ${fix}`;
  if (status === 401 || status === 403) {
    return failed("unauthorized", refuse("set the token of an application of this server, which starts with A"));
  }
  return status === 404 ? failed("gone", refuse('no Gotify server answers at this URL; correct "server"')) : undefined;
}
