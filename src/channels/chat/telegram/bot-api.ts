// Telegram's settings, and calls of its Bot API: https://core.telegram.org/bots/api#making-requests
import * as z from "zod";
import { failed, type Failed } from "../../../model/outcome.ts";
import type { Resolved } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import { silentEdit, updateSetting } from "../../session-message.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";

const defaultApiUrl = "https://api.telegram.org";

const chatForms = "expected a chat's id (a number, below zero for groups) or a public channel's @name";

export const telegramSettings = z.strictObject({
  token: secretSetting("The bot's token, as @BotFather shows it", tokenProblem),
  chat: z
    .union([z.int(), z.string().regex(/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/, { error: chatForms })], { error: chatForms })
    .describe("The chat's id, or a public channel's @name"),
  threadId: z.int().positive().optional().describe("The id of a topic in a group that has topics"),
  update: updateSetting("new", silentEdit),
  apiUrl: urlSetting("A Bot API server of your own; default: https://api.telegram.org").optional(),
  allowHttp: allowHttpSetting(),
});
export type TelegramSettings = z.output<typeof telegramSettings>;

/** A method of the Bot API. The token is in the path. */
export function callOf(settings: Resolved<TelegramSettings>, method: string, parameters: object): HttpRequest | Failed {
  const token = settings.token.reveal();
  const problem = tokenProblem(token);
  if (problem !== undefined) return failed("rejected", problem);
  const to = serverUrl(settings.apiUrl?.reveal() ?? defaultApiUrl, `/bot${token}/${method}`);
  return jsonPost(to, settings.allowHttp, parameters);
}

/** Never quotes the token. Other characters in it would lead to another place of the Bot API. */
function tokenProblem(token: string): string | undefined {
  return /^\d+:[\w-]{20,}$/.test(token)
    ? undefined
    : "the token is not a bot's token, which looks like 123456789:AbCd...; @BotFather shows it";
}
