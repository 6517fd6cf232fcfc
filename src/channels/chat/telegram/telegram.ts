// Telegram: a bot. It is silent for the level "info".
import { delivered } from "../../../model/outcome.ts";
import type { SendRequest } from "../../channel-type.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { mayBeReplaced, replacingEarlier, takesPlace } from "../../session-message.ts";
import { levelLooks } from "../../rendering/levels.ts";
import { unexpectedAnswer } from "../../vendor-answer.ts";
import { probeRequest } from "../../vendor-request.ts";
import * as telegramMessage from "./message.ts";
import { callOf, telegramSettings, type TelegramSettings as Settings } from "./bot-api.ts";
import { keyboardOf, placeOfResult, telegramAnswers } from "./answers.ts";
import { chatFinder } from "./find-chat.ts";
import { followingMigration, readTelegramFailure } from "./errors.ts";
import { objectIn, objectOf } from "../../../model/json.ts";

const docs = "https://core.telegram.org/bots/api#sendmessage";

const sendingOnce = replacingEarlier(
  defineHttpChannel<Settings>({
    docs,
    settings: telegramSettings,
    // Groups and channels have ids below zero, or a name.
    isShared: ({ chat }) => !(Number(chat) > 0),
    limits: [
      { what: "all text", most: telegramMessage.maxText, unit: "utf16", source: docs },
      { what: "title", most: telegramMessage.maxTitle, unit: "utf16", source: "ours" },
      { what: "one field", most: telegramMessage.maxField, unit: "utf16", source: "ours" },
      { what: "fields", most: telegramMessage.maxFields, unit: "items", source: "ours" },
    ],
    // 20 a minute in a group, and about one a second with short bursts: https://core.telegram.org/bots/faq. Five at once
    // and one every four seconds never exceed that.
    rate: { messages: 5, perMs: 20_000 },
    request(request) {
      const { settings, message, event, question, isSilent } = request;
      const earlier = earlierOf(request);
      return callOf(settings, earlier === undefined ? "sendMessage" : "editMessageText", {
        chat_id: settings.chat,
        ...(earlier !== undefined
          ? { message_id: earlier }
          : {
              message_thread_id: settings.threadId,
              disable_notification: isSilent === true || levelLooks[message.level].isQuiet,
            }),
        ...(question === undefined
          ? { text: telegramMessage.toTelegramText(message, event.name) }
          : {
              text: telegramMessage.toTelegramQuestion(message, event.name),
              reply_markup: keyboardOf(question),
            }),
        parse_mode: "HTML",
        link_preview_options: { is_disabled: true },
      });
    },
    readSuccess(response, request) {
      const { settings, question } = request;
      const { ok, result } = objectIn(response.body);
      if (ok !== true) return readTelegramFailure(response) ?? unexpectedAnswer(response, "Telegram");
      if (question !== undefined) return delivered({ remember: placeOfResult(result, settings.token) });
      const { message_id: message } = objectOf(result);
      const isKept = mayBeReplaced(request) && typeof message === "number";
      return delivered(isKept ? { remember: { message: String(message), chat: placeOf(settings) } } : {});
    },
    readFailure: readTelegramFailure,
    answers: telegramAnswers,
    ringsPhone: true,
    setUp: { find: { chat: chatFinder } },
    // https://core.telegram.org/bots/api#getchat
    probe: (own, tools) =>
      probeRequest(callOf(own, "getChat", { chat_id: own.chat }), tools, {
        well: ({ body }) => (objectIn(body).ok === true ? "the bot knows the chat" : undefined),
        failure: readTelegramFailure,
        fix: 'check "token" and "chat"',
      }),
  }),
  (answer) => {
    const { description } = objectIn(answer.body);
    const said = typeof description === "string" ? description : "";
    if (/message is not modified/i.test(said)) return "unchanged";
    return /message (to edit not found|can't be edited)|MESSAGE_ID_INVALID/i.test(said) ? "gone" : undefined;
  },
  (request: SendRequest<Settings>) => earlierOf(request) !== undefined,
);

export const telegram = followingMigration(sendingOnce);

function placeOf({ chat, threadId }: Pick<Settings, "chat" | "threadId">): string {
  return threadId === undefined ? String(chat) : `${chat}/${threadId}`;
}

function earlierOf(request: SendRequest<Settings>): number | undefined {
  const { settings, remembered } = request;
  const isHere = takesPlace(request) && remembered?.chat === placeOf(settings);
  return isHere ? Number(remembered.message) : undefined;
}
