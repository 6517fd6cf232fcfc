// Calls of Telegram's Bot API: https://core.telegram.org/bots/api#making-requests
import { failed, type Failed } from "../../../model/outcome.ts";
import type { Resolved, SecretSource } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import type { Update } from "../../session-message.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";

const defaultApiUrl = "https://api.telegram.org";

export interface TelegramSettings {
  token: SecretSource;
  chat: number | string;
  threadId?: number | undefined;
  update?: Update | undefined;
  apiUrl?: SecretSource | undefined;
  allowHttp?: boolean | undefined;
}

/** A method of the Bot API. The token is in the path. */
export function callOf(settings: Resolved<TelegramSettings>, method: string, parameters: object): HttpRequest | Failed {
  const token = settings.token.reveal();
  const problem = tokenProblem(token);
  if (problem !== undefined) return failed("rejected", problem);
  const to = serverUrl(settings.apiUrl?.reveal() ?? defaultApiUrl, `/bot${token}/${method}`);
  return jsonPost(to, settings.allowHttp, parameters);
}

/** Never quotes the token. Other characters in it would lead to another place of the Bot API. */
export function tokenProblem(token: string): string | undefined {
  return /^\d+:[\w-]{20,}$/.test(token)
    ? undefined
    : "the token is not a bot's token, which looks like 123456789:AbCd...; @BotFather shows it";
}
