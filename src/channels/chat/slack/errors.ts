// What the errors of a Slack incoming webhook mean.
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { meaningOf, ourBug } from "../../vendor-answer.ts";

export const webhookDocs = "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks";

const newWebhook = "make a new incoming webhook and set its URL";

/** Slack's plain-text errors: https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks */
const meanings: Record<string, [FailureReason, string]> = {
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
  rollup_error: ["serverError", "Slack has a problem"],
};

export function readWebhookFailure(response: HttpResponse): Failed | undefined {
  const code = response.body.trim();
  const known = meaningOf(meanings, code);
  return known === undefined ? undefined : failed(known[0], `Slack answered ${response.status} ${code}: ${known[1]}`);
}

const newUrl = "copy it from api.slack.com/apps: your app, Incoming Webhooks";

/** The address of a page is what people copy first, and a workflow's author chose its fields. */
export function slackUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, pathname } = new URL(text);
  if (!/(^|\.)slack(-gov)?\.com$/.test(hostname)) return undefined;
  if (!hostname.startsWith("hooks.")) {
    return `is that of a page, not a webhook's, which looks like https://hooks.slack.com/services/...; ${newUrl}`;
  }
  if (!/^\/(triggers|workflows)\//.test(pathname)) return undefined;
  return (
    "starts a Slack workflow, whose author chose its fields; make an incoming webhook " +
    `(${webhookDocs}) or use a channel of type webhook`
  );
}
