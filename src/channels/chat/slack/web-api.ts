// Slack's settings, the calls of its Web API, for bots, and what its errors mean.
import * as z from "zod";
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { Resolved, Secret } from "../../../model/privacy/secret.ts";
import type { HttpRequest, HttpResponse } from "../../../system/network/http.ts";
import { quote } from "../../http-channel.ts";
import { silentEdit, updateSetting } from "../../session-message.ts";
import { allowHttpSetting, alternative, secretSetting, urlSetting } from "../../settings.ts";
import { meaningOf, ourBug, withQuote } from "../../vendor-answer.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";
import { slackUrlProblem } from "./errors.ts";
import { objectIn, objectOf } from "../../../model/json.ts";

/** https://docs.slack.dev/reference/methods */
const defaultApiUrl = "https://slack.com/api";

const channelForms = "expected a channel's id (C..., G... or D...), a person's (U...), or a public channel's #name";

export const slackSettings = z
  .strictObject({
    url: urlSetting("An incoming webhook's URL, https://hooks.slack.com/services/...", slackUrlProblem).optional(),
    token: secretSetting("A bot's token, xoxb-..., with the scope chat:write", tokenProblem).optional(),
    channel: z
      .string()
      .regex(/^([CDGUW][A-Z0-9]{2,30}|#[^\s#@<>&|]{1,80})$/, { error: channelForms })
      .optional()
      .describe("With token: the channel's id or #name; invite the bot there"),
    appToken: secretSetting(
      "With token, for answers: an app-level token, xapp-..., with the scope connections:write",
      appTokenProblem,
    ).optional(),
    update: updateSetting("new", silentEdit),
    apiUrl: urlSetting("With token: another place of Slack's Web API, https://slack-gov.com/api").optional(),
    allowHttp: allowHttpSetting(),
  })
  .superRefine(({ url, token, channel, appToken, update, apiUrl }, context) => {
    const wrong = (path: string[], message: string): void => context.addIssue({ code: "custom", path, message });
    if (url === undefined && token === undefined)
      wrong([], 'needs "url" (a webhook), or "token" and "channel" (a bot)');
    if (url !== undefined && token !== undefined) wrong(["token"], 'expected either "url" or "token", got both');
    if (token !== undefined && channel === undefined) wrong([], '"token" needs "channel", too');
    if (url === undefined || token !== undefined) return;
    if (channel !== undefined) wrong(["channel"], 'goes with "token" only: a webhook has its channel already');
    if (update === "replace") wrong(["update"], 'goes with "token" only: a webhook cannot edit what it wrote');
    if (appToken !== undefined) wrong(["appToken"], 'goes with "token" only: a webhook brings no answers back');
    if (apiUrl !== undefined) wrong(["apiUrl"], 'goes with "token" only');
  })
  .meta({
    anyOf: [
      alternative("An incoming webhook: simple, for one channel", ["url"]),
      alternative(
        "A bot: posts to any channel, and can edit its messages",
        ["token", "channel"],
        ["update", "appToken", "apiUrl"],
      ),
    ],
  });
export type SlackSettings = z.output<typeof slackSettings>;

export type SlackApi = Pick<Resolved<SlackSettings>, "token" | "appToken" | "apiUrl" | "allowHttp">;

export function callSlack(api: SlackApi, method: string, parameters: object): HttpRequest | Failed {
  return call(api, api.token, tokenProblem, method, parameters);
}

/** For Socket Mode, whose tokens are the app's: https://docs.slack.dev/reference/methods/apps.connections.open */
export function openConnection(api: SlackApi): HttpRequest | Failed {
  return call(api, api.appToken, appTokenProblem, "apps.connections.open", {});
}

function call(
  { apiUrl, allowHttp }: SlackApi,
  secret: Secret | undefined,
  problemOf: (token: string) => string | undefined,
  method: string,
  parameters: object,
): HttpRequest | Failed {
  const token = secret?.reveal() ?? "";
  const problem = problemOf(token);
  if (problem !== undefined) return failed("rejected", problem);
  const url = serverUrl(apiUrl?.reveal() ?? defaultApiUrl, `/${method}`);
  return jsonPost(url, allowHttp, parameters, { authorization: `Bearer ${token}` });
}

function appTokenProblem(token: string): string | undefined {
  return /^xapp-[\w-]+$/.test(token)
    ? undefined
    : "the token is not an app-level one, which looks like xapp-...; create it on the app's page, under Basic Information";
}

function tokenProblem(token: string): string | undefined {
  if (token.startsWith("xapp-"))
    return "the token is an app-level one; copy the Bot User OAuth Token, xoxb-..., from OAuth & Permissions";
  return /^(xoxe\.)?xox[bp]-[\w-]+$/.test(token)
    ? undefined
    : "the token is not a bot's token, which looks like xoxb-...; copy it from the app's page, under OAuth & Permissions";
}

const newToken = "install the app again and set its new token";
const elsewhere = 'correct "channel"';

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors and chat.update's. */
const meanings: Record<string, [FailureReason, string]> = {
  not_authed: ["unauthorized", newToken],
  invalid_auth: ["unauthorized", `the token is wrong; ${newToken}`],
  account_inactive: ["unauthorized", `the bot or its workspace is gone; ${newToken}`],
  token_expired: ["unauthorized", `the token has expired; ${newToken}, without token rotation`],
  token_revoked: ["unauthorized", `the token was revoked; ${newToken}`],
  not_allowed_token_type: ["unauthorized", "this kind of token may not write; set the bot's, xoxb-..."],
  no_permission: ["unauthorized", `the app may not do that; ${newToken}`],
  missing_scope: ["unauthorized", "give the app the scope chat:write, and install it again"],
  org_login_required: ["unauthorized", "the workspace is being moved to another organisation; wait for its end"],
  ekm_access_denied: ["unauthorized", "an administrator of the workspace has suspended access"],
  access_denied: ["unauthorized", "an administrator of the workspace has forbidden it"],
  enterprise_is_restricted: ["unauthorized", "the token is not for this enterprise"],
  team_access_not_granted: ["unauthorized", "the app is not installed in this workspace; install it there"],
  restricted_action: ["unauthorized", `the workspace does not let the bot write there; ask, or ${elsewhere}`],
  restricted_action_read_only_channel: ["unauthorized", `that channel is read-only; ${elsewhere}`],
  restricted_action_thread_locked: ["unauthorized", `that thread is locked; ${elsewhere}`],
  restricted_action_thread_only_channel: ["unauthorized", `that channel allows threads only; ${elsewhere}`],
  restricted_action_non_threadable_channel: [
    "unauthorized",
    `that channel does not allow this kind of message; ${elsewhere}`,
  ],
  messages_tab_disabled: [
    "unauthorized",
    "the app does not accept direct messages; allow them under App Home, Messages Tab",
  ],
  not_in_channel: ["unauthorized", "invite the bot into the channel: /invite @its-name"],
  as_user_not_supported: ["rejected", ourBug],
  channel_not_found: ["gone", `there is no such channel for this bot; invite it, or ${elsewhere}`],
  is_archived: ["gone", `that channel is archived; bring it back, or ${elsewhere}`],
  team_not_found: ["gone", "the workspace is gone"],
  user_not_found: ["gone", `there is no such person; ${elsewhere}`],
  cannot_dm_bot: ["gone", `bots cannot write to bots; ${elsewhere}`],
  invalid_arguments: ["rejected", ourBug],
  invalid_blocks: ["rejected", ourBug],
  invalid_blocks_format: ["rejected", ourBug],
  no_text: ["rejected", ourBug],
  msg_too_long: ["rejected", ourBug],
  msg_blocks_too_long: ["rejected", ourBug],
  too_many_attachments: ["rejected", ourBug],
  attachment_payload_limit_exceeded: ["rejected", ourBug],
  ratelimited: ["rateLimited", "too many messages"],
  rate_limited: ["rateLimited", "too many messages for this channel"],
  message_limit_exceeded: ["rateLimited", "the workspace has used up its messages of this hour"],
  internal_error: ["serverError", "Slack has a problem"],
  fatal_error: ["serverError", "Slack has a problem"],
  service_unavailable: ["serverError", "Slack is not available"],
  request_timeout: ["serverError", "Slack did not receive the whole message"],
  team_added_to_org: ["serverError", "the workspace is being moved to an organisation"],
};

/** Slack mostly answers a failure with status 200. */
export function readSlackFailure({ body, status }: HttpResponse): Failed | undefined {
  const { ok, error, needed, response_metadata: more } = objectIn(body);
  if (ok !== false || typeof error !== "string") return undefined;
  const known = meaningOf(meanings, error);
  const { messages } = objectOf(more);
  const said = [needed, ...(Array.isArray(messages) ? (messages as unknown[]) : [])]
    .filter((each) => typeof each === "string")
    .join("; ");
  if (known === undefined) {
    return status < 300
      ? failed("rejected", withQuote(`Slack refused the message: ${quote(error)}`, quote(said)))
      : undefined;
  }
  return failed(known[0], withQuote(`Slack answered ${status} ${error}: ${known[1]}`, quote(said)));
}

/** Why the app's token opens no connection, where that stays so. */
export function readAppTokenFailure({ body }: Pick<HttpResponse, "body">): string | undefined {
  const { error } = objectIn(body);
  const [reason] = meaningOf(meanings, error) ?? [];
  return reason === "unauthorized" || reason === "gone"
    ? `Slack answered ${String(error)} to "appToken": create an app-level token with the scope connections:write, and switch Socket Mode on`
    : undefined;
}

/** Errors of chat.update that are about the earlier message: https://docs.slack.dev/reference/methods/chat.update#errors */
const goneErrors: readonly unknown[] = [
  "message_not_found",
  "cant_update_message",
  "edit_window_closed",
  "is_inactive",
  "block_mismatch",
];

export function isEarlierGone(answer: HttpResponse): boolean {
  const { ok, error } = objectIn(answer.body);
  return ok === false && goneErrors.includes(error);
}
