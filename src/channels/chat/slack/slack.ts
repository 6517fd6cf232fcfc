// Slack: an incoming webhook, or a bot, which can edit what it wrote.
import { delivered, failed } from "../../../model/outcome.ts";
import { printableLine } from "../../../model/text.ts";
import type { SendRequest } from "../../channel-type.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { mayBeReplaced, replacingEarlier, takesPlace } from "../../session-message.ts";
import { readPlainOk, unexpectedAnswer } from "../../vendor-answer.ts";
import { jsonPost, probeRequest } from "../../vendor-request.ts";
import * as slackMessage from "./message.ts";
import { slackAnswers } from "./answers.ts";
import {
  callSlack,
  isEarlierGone,
  openConnection,
  readAppTokenFailure,
  readSlackFailure,
  type SlackSettings,
  slackSettings,
} from "./web-api.ts";
import { readWebhookFailure, webhookDocs, slackUrlProblem } from "./errors.ts";
import { objectIn } from "../../../model/json.ts";

const blocksDocs = "https://docs.slack.dev/reference/block-kit/blocks";

export const slack = replacingEarlier(
  defineHttpChannel<SlackSettings>({
    docs: webhookDocs,
    settings: slackSettings,
    isShared: true,
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
    // https://docs.slack.dev/apis/web-api/rate-limits: one a second, short bursts tolerated.
    rate: { messages: 1, perMs: 1000 },
    request(request) {
      const { settings, message, event, question } = request;
      const { url, token, ...own } = settings;
      if (question !== undefined) {
        const asked = slackMessage.toSlackQuestion(message, event.name, question);
        return callSlack(settings, "chat.postMessage", { channel: own.channel, ...asked });
      }
      const { unfurl_links, unfurl_media, ...shown } = slackMessage.toSlackMessage(message, event.name);
      const unfurls = { unfurl_links, unfurl_media };
      if (token !== undefined) {
        const earlier = earlierOf(request);
        return earlier !== undefined
          ? callSlack({ ...own, token }, "chat.update", { channel: earlier.channel, ts: earlier.ts, ...shown })
          : callSlack({ ...own, token }, "chat.postMessage", { channel: own.channel, ...shown, ...unfurls });
      }
      const to = url?.reveal() ?? "";
      const problem = slackUrlProblem(to);
      if (problem !== undefined) return failed("rejected", `the URL ${problem}`);
      return jsonPost(to, own.allowHttp, { ...shown, ...unfurls });
    },
    readSuccess(response, request) {
      const { settings, question } = request;
      if (settings.token === undefined) return readPlainOk(response, "Slack");
      const { ok, channel, ts } = objectIn(response.body);
      if (ok !== true) return readSlackFailure(response) ?? unexpectedAnswer(response, "Slack");
      const place = typeof channel === "string" && typeof ts === "string" ? { channel, ts } : undefined;
      if (question !== undefined) return delivered({ remember: place });
      const isKept = place !== undefined && mayBeReplaced(request);
      return delivered(isKept ? { remember: { ...place, for: settings.channel ?? "" } } : {});
    },
    readFailure: (response, { token }) =>
      token === undefined ? readWebhookFailure(response) : readSlackFailure(response),
    answers: slackAnswers,
    // A webhook cannot edit what it wrote.
    showsList: ({ token }) => (token === undefined ? undefined : "joined"),
    // Whether Slack knows the bot and lets it write: https://docs.slack.dev/reference/methods/auth.test. A webhook cannot be asked.
    async probe(settings, tools) {
      if (settings.token === undefined)
        return { status: "ok", detail: "its settings are complete; `hookbell test` sends a message" };
      const result = await probeRequest(callSlack(settings, "auth.test", {}), tools, {
        well(answer) {
          const { ok, user, team } = objectIn(answer.body);
          if (ok !== true) return undefined;
          const scopes = answer.headers["x-oauth-scopes"]?.split(",").map((scope) => scope.trim());
          if (scopes?.includes(neededScope) !== false)
            return printableLine(`Slack knows the bot as ${String(user)} of ${String(team)}`);
          return {
            status: "broken",
            detail: `the bot may not write: its token has no scope ${neededScope}`,
            fix: `give the app the scope ${neededScope} under OAuth & Permissions, and install it again`,
          };
        },
        failure: readSlackFailure,
        fix: 'check "token"',
      });
      if (result.status !== "ok" || settings.appToken === undefined) return result;
      return await probeRequest(openConnection(settings), tools, {
        well: ({ body }) => (objectIn(body).ok === true ? `${result.detail}, and brings answers back` : undefined),
        failure(answer) {
          const refusal = readAppTokenFailure(answer);
          return refusal === undefined ? readSlackFailure(answer) : failed("unauthorized", refusal);
        },
        fix: 'check "appToken"',
      });
    },
  }),
  (answer) => (isEarlierGone(answer) ? "gone" : undefined),
  (request) => earlierOf(request) !== undefined,
);

function earlierOf(request: SendRequest<SlackSettings>): SendRequest<SlackSettings>["remembered"] {
  const { settings, remembered } = request;
  return takesPlace(request) && remembered?.for === settings.channel ? remembered : undefined;
}

/** The right that sending a message needs: https://docs.slack.dev/reference/scopes/chat.write */
const neededScope = "chat:write";
