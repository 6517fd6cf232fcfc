// Discord: a webhook, or a bot, which brings answers back.
import { delivered, failed } from "../../../model/outcome.ts";
import type { SendRequest } from "../../channel-type.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { componentsOf, discordAnswers } from "./answers.ts";
import { callDiscord, discordSettings, type DiscordSettings as Settings, discordUrlProblem } from "./bot-api.ts";
import * as discordMessage from "./message.ts";
import { isEarlierGone, readDiscordFailure } from "./errors.ts";
import { mayBeReplaced, replacingEarlier, takesPlace } from "../../session-message.ts";
import { unexpectedAnswer } from "../../vendor-answer.ts";
import { jsonPost, probeRequest, serverUrl, withQuery } from "../../vendor-request.ts";
import { objectIn } from "../../../model/json.ts";

const docs = "https://discord.com/developers/docs/resources/webhook";
const embedDocs = "https://discord.com/developers/docs/resources/message#embed-object-embed-limits";

/** The place of the earlier message: a bot's channel, or a webhook's thread. */
function placeOf({ channel, threadId }: Pick<Settings, "channel" | "threadId">): string {
  return channel ?? threadId ?? "";
}

function earlierOf(request: SendRequest<Settings>): string | undefined {
  const { settings, remembered } = request;
  const isHere = takesPlace(request) && (remembered?.thread ?? "") === placeOf(settings);
  return isHere ? remembered?.message : undefined;
}

/** `wait=true` makes Discord report a message that it drops. */
export const discord = replacingEarlier(
  defineHttpChannel<Settings>({
    docs,
    settings: discordSettings,
    isShared: true,
    limits: [
      { what: "title", most: discordMessage.maxTitle, unit: "utf16", source: embedDocs },
      { what: "body", most: discordMessage.maxDescription, unit: "utf16", source: embedDocs },
      { what: "fields of an embed", most: discordMessage.maxFields, unit: "items", source: embedDocs },
      { what: "a field's name", most: discordMessage.maxFieldName, unit: "utf16", source: embedDocs },
      { what: "a field's value", most: discordMessage.maxFieldValue, unit: "utf16", source: embedDocs },
      { what: "all text", most: discordMessage.maxTotal, unit: "utf16", source: embedDocs },
      { what: "fields", most: discordMessage.maxFieldCount, unit: "items", source: "ours" },
      { what: "a shown field's name", most: discordMessage.maxFieldNameLength, unit: "utf16", source: "ours" },
      { what: "a shown field's value", most: discordMessage.maxFieldValueLength, unit: "utf16", source: "ours" },
    ],
    // Observed: 5 in 2 s for a webhook, about 30 a minute for a channel (discord-api-docs#1454, #4043). Five at once and
    // one every 2.4 seconds never exceed that.
    rate: { messages: 5, perMs: 12_000 },
    request(request) {
      const { settings, message, event, question, isSilent } = request;
      const earlier = earlierOf(request);
      const quietly = isSilent === true && earlier === undefined ? { flags: discordMessage.suppressNotifications } : {};
      if (settings.token !== undefined) {
        const path = ["channels", settings.channel ?? "", "messages"];
        if (question !== undefined) {
          const asked = discordMessage.toDiscordQuestion(message, event.name);
          return callDiscord(settings, "POST", path, {
            ...asked,
            ...quietly,
            components: componentsOf(question),
          });
        }
        const shown = discordMessage.toDiscordMessage(message, event.name, earlier !== undefined);
        return earlier === undefined
          ? callDiscord(settings, "POST", path, { ...shown, ...quietly })
          : callDiscord(settings, "PATCH", [...path, earlier], shown);
      }
      const url = settings.url?.reveal() ?? "";
      const problem = discordUrlProblem(url);
      if (problem !== undefined) return failed("rejected", `the URL ${problem}`);
      const parameters = { wait: earlier === undefined ? "true" : undefined, thread_id: settings.threadId };
      const to = earlier === undefined ? url : serverUrl(url, `/messages/${encodeURIComponent(earlier)}`);
      const body = { ...discordMessage.toDiscordMessage(message, event.name, earlier !== undefined), ...quietly };
      return {
        ...jsonPost(withQuery(to, parameters), settings.allowHttp, body),
        method: earlier === undefined ? "POST" : "PATCH",
      };
    },
    readSuccess(response, request) {
      const { settings, question } = request;
      const { id, channel_id: channel } = objectIn(response.body);
      if (typeof id !== "string" || id === "") return unexpectedAnswer(response, "Discord");
      if (question !== undefined) return delivered({ remember: { message: id, channel: String(channel) } });
      return delivered(mayBeReplaced(request) ? { remember: { message: id, thread: placeOf(settings) } } : {});
    },
    readFailure: readDiscordFailure,
    answers: discordAnswers,
    probe(own, tools) {
      if (own.token !== undefined) {
        return probeRequest(callDiscord(own, "GET", ["channels", own.channel ?? ""]), tools, {
          well: ({ status, body }) =>
            status === 200 && objectIn(body).id === own.channel ? "the bot sees the channel" : undefined,
          failure: (answer) => readDiscordFailure(answer, own),
          fix: 'check "token" and "channel"',
        });
      }
      // https://discord.com/developers/docs/resources/webhook#get-webhook-with-token
      return probeRequest({ method: "GET", url: own.url?.reveal() ?? "", isPlainHttpAllowed: own.allowHttp }, tools, {
        well: ({ status, body }) =>
          status === 200 && typeof objectIn(body).id === "string" ? "Discord knows the webhook" : undefined,
        failure: readDiscordFailure,
        fix: "check the webhook's URL",
      });
    },
  }),
  (answer) => (isEarlierGone(answer) ? "gone" : undefined),
  (request: SendRequest<Settings>) => earlierOf(request) !== undefined,
);
