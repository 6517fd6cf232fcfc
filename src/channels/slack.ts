import * as z from "zod";
import { failed, type Failed, type FailureReason } from "../model/outcome.ts";
import type { HttpResponse } from "../system/http.ts";
import { defineHttpChannel } from "./define-http-channel.ts";
import * as slackMessage from "./slack-message.ts";
import { allowHttpSetting, urlSetting } from "./url-setting.ts";
import { readPlainOk } from "./own-answer.ts";

const docs = "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks";
const blocksDocs = "https://docs.slack.dev/reference/block-kit/blocks";
const expiresAfterMs = 4 * 60 * 60 * 1000;

const settings = z.strictObject({
  url: urlSetting("The incoming webhook's URL, https://hooks.slack.com/services/...", workflowProblem),
  allowHttp: allowHttpSetting(),
});

/** A Slack incoming webhook, or a receiver that takes the same (Rocket.Chat). */
export const slack = defineHttpChannel({
  type: "slack",
  summary: "A Slack channel, through an incoming webhook",
  docs,
  settings,
  limits: [
    { what: "title", most: slackMessage.maxHeader, unit: "utf16", source: `${blocksDocs}/header-block` },
    {
      what: "one section of the body",
      most: slackMessage.maxSection,
      unit: "utf16",
      source: `${blocksDocs}/section-block`,
    },
    { what: "blocks", most: slackMessage.maxBlocks, unit: "items", source: blocksDocs },
    { what: "fields", most: slackMessage.maxContextElements, unit: "items", source: `${blocksDocs}/context-block` },
    {
      what: "all text",
      most: slackMessage.maxTotal,
      unit: "utf16",
      source: "https://github.com/slackapi/bolt-js/issues/2509",
    },
    { what: "body", most: slackMessage.maxBody, unit: "utf16", source: "ours" },
    { what: "one field", most: slackMessage.maxField, unit: "utf16", source: "ours" },
    { what: "text of a phone's notification", most: slackMessage.maxFallback, unit: "utf16", source: "ours" },
  ],
  expiresAfterMs,
  // https://docs.slack.dev/apis/web-api/rate-limits: one a second, short bursts tolerated.
  rate: { messages: 1, perMs: 1000 },
  // A webhook has no idempotency key: sent again, the message stands there twice.
  summaryFrom: 4,
  isRepeatHarmless: false,
  content: "summary",
  passesPayload: false,
  request({ settings, message, event }) {
    const url = settings.url.reveal();
    const problem = workflowProblem(url);
    if (problem !== undefined) return failed("rejected", `the URL ${problem}`);
    return {
      method: "POST",
      url,
      isPlainHttpAllowed: settings.allowHttp,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify(slackMessage.toSlackMessage(message, event.name)),
    };
  },
  readSuccess: (response) => readPlainOk(response, "Slack"),
  readFailure: readSlackFailure,
});

/** https://hooks.slack.com/triggers/ and /workflows/ start a workflow, whose fields its author made up. */
function workflowProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^hooks\.slack(-gov)?\.com$/.test(url.hostname) || !/^\/(triggers|workflows)\//.test(url.pathname))
    return undefined;
  return (
    "starts a Slack workflow, which takes fields of its author's own; make an incoming webhook " +
    `(${docs}) or use a channel of type webhook`
  );
}

const newWebhook = "make a new incoming webhook and set its URL";
const ourBug = "that is a mistake of hookbell's; please report it";

/** Slack's plain-text errors: https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks */
const slackErrors: Record<string, [FailureReason, string]> = {
  no_service: ["gone", `this webhook was removed; ${newWebhook}`],
  no_service_id: ["gone", `this is not a whole webhook URL; ${newWebhook}`],
  no_active_hooks: ["gone", `this webhook is switched off; ${newWebhook}`],
  no_team: ["gone", `the workspace is gone; ${newWebhook}`],
  team_disabled: ["gone", `the workspace is disabled; ${newWebhook}`],
  channel_not_found: ["gone", `the webhook's channel is gone; ${newWebhook}`],
  channel_is_archived: ["gone", `the webhook's channel is archived; ${newWebhook}, or bring the channel back`],
  user_not_found: ["gone", `the person the webhook writes to is gone; ${newWebhook}`],
  invalid_token: ["unauthorized", `the last part of the webhook's URL is wrong; ${newWebhook}`],
  action_prohibited: ["unauthorized", "an administrator of the workspace has forbidden it; ask them to allow the app"],
  posting_to_general_channel_denied: ["unauthorized", "only administrators may post there; choose another channel"],
  invalid_payload: ["rejected", ourBug],
  invalid_blocks: ["rejected", ourBug],
  invalid_blocks_format: ["rejected", ourBug],
  invalid_attachments: ["rejected", ourBug],
  too_many_attachments: ["rejected", ourBug],
  no_text: ["rejected", ourBug],
  missing_text_or_fallback_or_attachments: ["rejected", ourBug],
  msg_blocks_too_long: ["rejected", ourBug],
  rollup_error: ["serverError", "Slack had a problem of its own"],
};

function readSlackFailure(response: HttpResponse): Failed | undefined {
  const code = response.body.trim();
  const known = Object.hasOwn(slackErrors, code) ? slackErrors[code] : undefined;
  return known === undefined ? undefined : failed(known[0], `Slack answered ${response.status} ${code}: ${known[1]}`);
}
