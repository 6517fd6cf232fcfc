// How a person answers in Telegram: buttons below the message, or a reply. https://core.telegram.org/bots/api#getting-updates
import type { OnReply, ReceivedReply, ShownQuestion } from "../../../model/answer.ts";
import { printableLine } from "../../../model/text.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import type { AnswerTransport } from "../../channel-type.ts";
import { callVendor } from "../../vendor-request.ts";
import { readTelegramFailure } from "./errors.ts";
import { callOf, type TelegramSettings } from "./bot-api.ts";
import { renderCard, toTelegramQuestion } from "./message.ts";
import { objectIn, objectOf, objectsOf } from "../../../model/json.ts";

/** Telegram holds the request so long when nothing happens. */
const pollSeconds = 25;
const pollTimeoutMs = (pollSeconds + 15) * 1000;
const callTimeoutMs = 10_000;
const maxUpdateBytes = 1024 * 1024;
/** https://core.telegram.org/bots/api#answercallbackquery */
const maxToast = 200;
/** Characters: about what one reads in two seconds. */
const readAtOnce = 40;

/** Below a question; `callback_data` holds 64 bytes, a nonce has 22. Each option has a row, since its label may be long, and so has what is no answer. */
export function keyboardOf({ buttons, snooze }: Pick<ShownQuestion, "buttons" | "snooze">): object {
  const options = buttons.filter(({ choice }) => choice === "reply");
  const others = buttons.filter(({ choice }) => choice !== "reply");
  const rows = [...options.map((button) => [button]), others, snooze === undefined ? [] : [snooze]];
  const keys = rows.map((row) => row.map(({ label, nonce }) => ({ text: label, callback_data: nonce })));
  return { inline_keyboard: keys.filter((row) => row.length > 0) };
}

/**
 * Names the chat by its number, since a public channel's name in the settings is not in what comes back, and the bot,
 * since each bot numbers its messages to the same person from 1.
 */
export function placeOfResult(result: unknown, token: Secret): Record<string, string> | undefined {
  const { message_id: message, chat } = objectOf(result);
  const { id } = objectOf(chat);
  return typeof message === "number" && typeof id === "number"
    ? { bot: botOf(token), message: String(message), chat: String(id) }
    : undefined;
}

/** https://core.telegram.org/bots/features#botfather: a token begins with the bot's id. */
function botOf(token: Secret): string {
  return token.reveal().split(":")[0] ?? "";
}

export const telegramAnswers: AnswerTransport<TelegramSettings> = {
  render: renderCard,
  maxButtons: 8,
  takesReplies: true,
  namesSender: true,
  showsSnooze: true,
  pairing: "write any message to the bot in Telegram",
  credentialOf: ({ token }) => token.reveal(),
  async listen(settings, onReply, tools) {
    let offset: number | undefined;
    const ask = async (method: string, parameters: object, timeoutMs: number, signal?: AbortSignal) => {
      const request = callOf(settings, method, parameters);
      if ("status" in request) return { detail: request.detail };
      const answer = await tools.http(
        { ...request, maxResponseBytes: maxUpdateBytes },
        { timeoutMs, signal, keepsConnection: true },
      );
      if ("failure" in answer) return { detail: answer.detail };
      const { ok, result } = objectIn(answer.body);
      if (ok === true) return { result };
      // https://core.telegram.org/bots/api#getupdates: one listener for each bot, and none beside a webhook.
      if (answer.status === 409) return { detail: twoListeners };
      return { detail: readTelegramFailure(answer)?.detail ?? `answered ${answer.status}` };
    };
    const tell = async (method: string, parameters: object): Promise<void> => {
      await ask(method, parameters, callTimeoutMs);
    };
    try {
      for (;;) {
        const wanted = { timeout: pollSeconds, offset, allowed_updates: ["message", "callback_query"] };
        const got = await ask("getUpdates", wanted, pollTimeoutMs, tools.signal);
        if (tools.signal.aborted) return "";
        if (got.detail !== undefined) return got.detail;
        for (const update of objectsOf(got.result)) {
          if (typeof update.update_id === "number") offset = update.update_id + 1;
          await takeUpdate(update, botOf(settings.token), onReply, tell);
        }
      }
    } finally {
      // The next listener would otherwise get the last ones again.
      if (offset !== undefined) await ask("getUpdates", { timeout: 0, limit: 1, offset }, callTimeoutMs);
    }
  },
  async close(settings, { message, chat }, card, tools) {
    const request = callOf(settings, "editMessageText", {
      chat_id: chat,
      message_id: Number(message),
      text: toTelegramQuestion(card, "PermissionRequest"),
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
    });
    const answer = await callVendor(request, tools);
    if ("detail" in answer) throw new Error(answer.detail);
    const failure = readTelegramFailure(answer);
    if (failure !== undefined) throw new Error(failure.detail);
  },
};

const twoListeners =
  "Telegram answered 409: another program or computer reads this bot's messages, or it has a webhook; give hookbell a bot of its own on each computer";

async function takeUpdate(
  update: Readonly<Record<string, unknown>>,
  bot: string,
  onReply: OnReply,
  tell: (method: string, parameters: object) => Promise<void>,
): Promise<void> {
  const query = objectOf(update.callback_query);
  if (typeof query.id === "string") {
    const nonce = typeof query.data === "string" ? query.data : "";
    const said = onReply({ sender: senderOf(query.from), nonce }) ?? "";
    // The button keeps turning until Telegram has this answer.
    const text = said.slice(0, maxToast);
    // A toast goes after two seconds; what takes longer to read stays until it is closed.
    await tell("answerCallbackQuery", { callback_query_id: query.id, text, show_alert: text.length > readAtOnce });
    return;
  }
  const message = objectOf(update.message);
  const { id: chat } = objectOf(message.chat);
  const { message_id: answered } = objectOf(message.reply_to_message);
  if (typeof chat !== "number" || typeof message.text !== "string") return;
  const to: Record<string, string> =
    typeof answered === "number" ? { bot, message: String(answered), chat: String(chat) } : {};
  const said = onReply({ sender: senderOf(message.from), reply: { text: message.text, to } });
  if (said === undefined) return;
  await tell("sendMessage", { chat_id: chat, reply_parameters: { message_id: message.message_id }, text: said });
}

/** The person, never the chat, a channel or an anonymous admin. */
function senderOf(from: unknown): ReceivedReply["sender"] {
  const { id, first_name: first, username, is_bot: isBot } = objectOf(from);
  if (typeof id !== "number" || isBot === true) return undefined;
  const name = [first, username].filter((each) => typeof each === "string").find((each) => each !== "");
  return { id: String(id), name: printableLine(name ?? String(id)) };
}
