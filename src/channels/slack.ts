import * as z from "zod";
import { delivered, failed } from "../model/outcome.ts";
import type { SecretSource } from "../model/secret.ts";
import { defineHttpChannel } from "./define-http-channel.ts";
import { replacingEarlier, updateSetting } from "./earlier-message.ts";
import { notTheVendor, readPlainOk } from "./own-answer.ts";
import { jsonPost } from "./server-request.ts";
import { secretSetting } from "./setting-types.ts";
import { callSlack, isEarlierGone, readSlackFailure, tokenProblem } from "./slack-api.ts";
import * as slackMessage from "./slack-message.ts";
import { probeSlack } from "./slack-probe.ts";
import { readWebhookFailure, webhookDocs, workflowProblem } from "./slack-webhook-errors.ts";
import { allowHttpSetting, urlSetting } from "./url-setting.ts";
import { readJsonObject } from "./vendor-code.ts";

const blocksDocs = "https://docs.slack.dev/reference/block-kit/blocks";
const expiresAfterMs = 4 * 60 * 60 * 1000;

const channelForms = "expected a channel's id (C..., G... or D...), a person's (U...), or a public channel's #name";

interface Settings {
  url?: SecretSource | undefined;
  token?: SecretSource | undefined;
  channel?: string | undefined;
  update?: "new" | "replace" | undefined;
  apiUrl?: SecretSource | undefined;
  allowHttp?: boolean | undefined;
}

const settings: z.ZodType<Settings> = z
  .strictObject({
    url: urlSetting("An incoming webhook's URL, https://hooks.slack.com/services/...", workflowProblem).optional(),
    token: secretSetting("Instead of url: a bot's token, xoxb-..., with the scope chat:write")
      .superRefine((source, context) => {
        const problem = source.from === "literal" ? tokenProblem(source.value.reveal()) : undefined;
        if (problem !== undefined) context.addIssue({ code: "custom", message: `the token ${problem}` });
      })
      .optional(),
    channel: z
      .string()
      .regex(/^([CDGUW][A-Z0-9]{2,30}|#[^\s#@<>&|]{1,80})$/, { error: channelForms })
      .optional()
      .describe("With token: the channel's id or #name; invite the bot there"),
    update: updateSetting(),
    apiUrl: urlSetting("With token: another place of Slack's Web API, https://slack-gov.com/api").optional(),
    allowHttp: allowHttpSetting(),
  })
  .superRefine(({ url, token, channel, update, apiUrl }, context) => {
    const wrong = (path: string[], message: string): void => context.addIssue({ code: "custom", path, message });
    if (url === undefined && token === undefined)
      wrong([], 'needs "url" (a webhook), or "token" and "channel" (a bot)');
    if (url !== undefined && token !== undefined) wrong(["token"], 'expected either "url" or "token", came both');
    if (token !== undefined && channel === undefined) wrong([], '"token" needs "channel", too');
    if (url === undefined || token !== undefined) return;
    if (channel !== undefined) wrong(["channel"], 'goes with "token" only: a webhook has its channel already');
    if (update === "replace") wrong(["update"], 'goes with "token" only: a webhook cannot edit what it wrote');
    if (apiUrl !== undefined) wrong(["apiUrl"], 'goes with "token" only');
  });

/** A Slack incoming webhook, or a receiver that takes the same (Rocket.Chat); or a bot, which can edit what it wrote. */
export const slack = replacingEarlier(
  defineHttpChannel<Settings>({
    type: "slack",
    summary: "A Slack channel, through an incoming webhook or a bot",
    docs: webhookDocs,
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
    summaryFrom: 4,
    // Neither a webhook nor chat.postMessage has an idempotency key: sent again, the message stands there twice.
    isRepeatHarmless: false,
    content: "summary",
    passesPayload: false,
    request({ settings, message, event, remembered }) {
      const { url, token, ...own } = settings;
      const { unfurl_links, unfurl_media, ...shown } = slackMessage.toSlackMessage(message, event.name);
      const unfurls = { unfurl_links, unfurl_media };
      if (token !== undefined) {
        // An edit needs the channel's id, which is remembered, whatever the person calls the channel.
        const earlier = own.update === "replace" && remembered?.for === own.channel ? remembered : undefined;
        return earlier !== undefined
          ? callSlack({ ...own, token }, "chat.update", { channel: earlier.channel, ts: earlier.ts, ...shown })
          : callSlack({ ...own, token }, "chat.postMessage", { channel: own.channel, ...shown, ...unfurls });
      }
      const to = url?.reveal() ?? "";
      const problem = workflowProblem(to);
      if (problem !== undefined) return failed("rejected", `the URL ${problem}`);
      return jsonPost(to, own.allowHttp, { ...shown, ...unfurls });
    },
    readSuccess(response, { settings }) {
      if (settings.token === undefined) return readPlainOk(response, "Slack");
      const { ok, channel, ts } = readJsonObject(response.body);
      if (ok !== true) return readSlackFailure(response) ?? notTheVendor(response, "Slack");
      const canEdit = settings.update === "replace" && typeof channel === "string" && typeof ts === "string";
      return delivered(canEdit ? { remember: { channel, ts, for: settings.channel ?? "" } } : {});
    },
    readFailure: (response, { token }) =>
      token === undefined ? readWebhookFailure(response) : readSlackFailure(response),
    probe: probeSlack,
  }),
  (answer) => (isEarlierGone(answer) ? "gone" : undefined),
);
