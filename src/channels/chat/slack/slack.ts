import { delivered, failed } from "../../../model/outcome.ts";
import type { SendRequest } from "../../channel-type.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { replacingEarlier } from "../../session-message.ts";
import { notTheVendor, readPlainOk } from "../../own-answer.ts";
import { jsonPost } from "../../vendor-request.ts";
import { callSlack, isEarlierGone, readSlackFailure } from "./web-api.ts";
import * as slackMessage from "./message.ts";
import { probeSlack } from "./slack-probe.ts";
import { slackSettings, type SlackSettings } from "./slack-settings.ts";
import { readWebhookFailure, webhookDocs, workflowProblem } from "./webhook-errors.ts";
import { readJsonObject } from "../../vendor-answer.ts";

const blocksDocs = "https://docs.slack.dev/reference/block-kit/blocks";
const expiresAfterMs = 4 * 60 * 60 * 1000;

/** A Slack incoming webhook; or a bot, which can edit what it wrote. */
export const slack = replacingEarlier(
  defineHttpChannel<SlackSettings>({
    type: "slack",
    summary: "A Slack channel, through an incoming webhook or a bot",
    docs: webhookDocs,
    settings: slackSettings,
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
        const earlier = earlierOf({ settings, remembered });
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
  (request) => earlierOf(request) !== undefined,
);

/** The session's message to edit, where it stands in the channel that the settings name. */
function earlierOf({
  settings: { update, channel },
  remembered,
}: Pick<SendRequest<SlackSettings>, "settings" | "remembered">): SendRequest<SlackSettings>["remembered"] {
  return update === "replace" && remembered?.for === channel ? remembered : undefined;
}
