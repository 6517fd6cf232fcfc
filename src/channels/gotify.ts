import * as z from "zod";
import type { Level } from "../model/level.ts";
import { failed } from "../model/outcome.ts";
import { measures } from "../model/text.ts";
import { defineHttpChannel } from "./define-http-channel.ts";
import { readJsonSuccess } from "./json-answer.ts";
import { maxFieldLine, toPushText } from "./push-text.ts";
import { jsonPost, serverUrl } from "./server-request.ts";
import { secretSetting } from "./setting-types.ts";
import { allowHttpSetting, urlSetting } from "./url-setting.ts";

const expiresAfterMs = 4 * 60 * 60 * 1000;
/** Ours; the server has no limit. */
export const maxTitle = 250;
/** Ours; the server has no limit. */
export const maxBody = 4000;

const settings = z.strictObject({
  server: urlSetting("Your server's URL, https://gotify.example.org"),
  allowHttp: allowHttpSetting(),
  token: secretSetting("An application's token, A...; not a client's, C..."),
});

/** The Android app is silent at 0, shows 1 to 3 quietly, sounds from 4 on and pops up from 8 on. */
const priorities: Record<Level, number> = { info: 2, success: 4, attention: 6, error: 8 };

/** A Gotify server, which its owner runs. */
export const gotify = defineHttpChannel({
  type: "gotify",
  summary: "A phone through your own Gotify server",
  docs: "https://gotify.net/docs/pushmsg",
  settings,
  limits: [
    { what: "title", most: maxTitle, unit: "codePoints", source: "ours" },
    { what: "body", most: maxBody, unit: "codePoints", source: "ours" },
    { what: "fields", most: maxFieldLine, unit: "codePoints", source: "ours" },
  ],
  expiresAfterMs,
  summaryFrom: 4,
  isRepeatHarmless: false,
  content: "summary",
  passesPayload: false,
  request({ settings, message, event }) {
    const { title, body } = toPushText(message, event.name, { maxTitle, maxBody, measure: measures.codePoints });
    return jsonPost(
      serverUrl(settings.server.reveal(), "/message"),
      settings.allowHttp,
      {
        title,
        message: body,
        priority: priorities[message.level],
        // https://gotify.net/docs/msgextras: no Markdown, which could hide a link's target.
        extras: { "client::display": { contentType: "text/plain" } },
      },
      { "x-gotify-key": settings.token.reveal() },
    );
  },
  readSuccess: (response) => readJsonSuccess(response, "Gotify", ({ id }) => typeof id === "number"),
  readFailure({ status }) {
    const refuse = (mend: string): string => `Gotify answered ${status}: ${mend}`;
    if (status === 401 || status === 403) {
      return failed("unauthorized", refuse("set the token of an application of this server, which starts with A"));
    }
    return status === 404
      ? failed("gone", refuse("there is no Gotify at the server's URL; set the right one"))
      : undefined;
  },
});
