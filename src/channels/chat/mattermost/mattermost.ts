// Mattermost: an incoming webhook.
import * as z from "zod";
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { defineHttpChannel, parseRetryAfter } from "../../http-channel.ts";
import { jsonPost } from "../../vendor-request.ts";
import * as mattermostMessage from "./message.ts";
import { allowHttpSetting, urlSetting } from "../../settings.ts";
import { meaningOf, ourBug, readPlainOk } from "../../vendor-answer.ts";
import { objectIn } from "../../../model/json.ts";

const docs = "https://developers.mattermost.com/integrate/webhooks/incoming/";

const settings = z.strictObject({
  url: urlSetting("The incoming webhook's URL, https://your-server/hooks/...", mattermostUrlProblem),
  allowHttp: allowHttpSetting(),
});

export const mattermost = defineHttpChannel({
  docs,
  settings,
  isShared: true,
  limits: [
    { what: "one post", most: mattermostMessage.maxPost, unit: "codePoints", source: docs },
    { what: "title", most: mattermostMessage.maxTitle, unit: "codePoints", source: "ours" },
    { what: "body", most: mattermostMessage.maxBody, unit: "codePoints", source: "ours" },
    { what: "one field", most: mattermostMessage.maxField, unit: "codePoints", source: "ours" },
    { what: "fields", most: mattermostMessage.maxFields, unit: "items", source: "ours" },
    {
      what: "text of a phone's notification",
      most: mattermostMessage.maxFallback,
      unit: "codePoints",
      source: "ours",
    },
  ],
  request({ settings, message, event }) {
    const url = settings.url.reveal();
    const problem = mattermostUrlProblem(url);
    if (problem !== undefined) return failed("rejected", `the URL ${problem}`);
    return jsonPost(url, settings.allowHttp, mattermostMessage.toMattermostMessage(message, event.name));
  },
  readSuccess: (response) => readPlainOk(response, "Mattermost"),
  readFailure: readMattermostFailure,
});

const newWebhook = "make a new incoming webhook and set its URL";

/** `web.incoming_webhook.NAME.app_error` of https://github.com/mattermost/mattermost */
const mattermostErrors: Record<string, readonly [FailureReason, string]> = {
  invalid: ["gone", `this webhook was removed; ${newWebhook}`],
  channel: ["gone", `the webhook's channel is gone; ${newWebhook}`],
  user: ["gone", `the user who made this webhook is gone; ${newWebhook}`],
  disabled: ["unauthorized", "incoming webhooks are switched off; ask the server's administrator to allow them"],
  channel_locked: ["unauthorized", `this webhook may not post there; ${newWebhook}`],
  permissions: ["unauthorized", `the user who made this webhook may not post there any more; ${newWebhook}`],
  decode: ["rejected", ourBug],
  parse: ["rejected", ourBug],
  text: ["rejected", ourBug],
  attachment: ["rejected", ourBug],
  split_props_length: ["rejected", ourBug],
};

/** Newer servers call all of them `general`. */
const nameOfStatus: Record<number, string> = { 400: "invalid", 403: "permissions", 404: "channel", 501: "disabled" };

function readMattermostFailure(response: HttpResponse): Failed | undefined {
  const { id } = objectIn(response.body);
  const said = typeof id === "string" ? /^web\.incoming_webhook\.(\w+)\.app_error$/.exec(id)?.[1] : undefined;
  const name = said === "general" ? nameOfStatus[response.status] : said;
  const known = meaningOf(mattermostErrors, name);
  if (known !== undefined) return failed(known[0], `Mattermost answered ${response.status} ${said}: ${known[1]}`);
  const reset = response.headers["retry-after"] === undefined ? response.headers["x-ratelimit-reset"] : undefined;
  if (response.status !== 429 || reset === undefined) return undefined;
  return failed("rateLimited", "the server's limit of requests is reached", parseRetryAfter(reset, undefined, 0));
}

/** A team's pages are below its name, or below the server's own folder. */
function mattermostUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { pathname } = new URL(text);
  const isPage =
    /\/(?:channels|messages|pl|threads|integrations)(?:\/|$)/.test(pathname) && !pathname.includes("/hooks/");
  return isPage
    ? "is that of a page, not a webhook's, which ends in /hooks/...; make one under Integrations, Incoming Webhooks, and set its URL"
    : undefined;
}
