// Calls of Discord's HTTP API, for bots: https://discord.com/developers/docs/reference#http-api
import { failed, type Failed } from "../../../model/outcome.ts";
import type { Resolved, SecretSource } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import type { Update } from "../../session-message.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";

const defaultApiUrl = "https://discord.com/api/v10";

export interface DiscordSettings {
  url?: SecretSource | undefined;
  threadId?: string | undefined;
  token?: SecretSource | undefined;
  channel?: string | undefined;
  update?: Update | undefined;
  apiUrl?: SecretSource | undefined;
  allowHttp?: boolean | undefined;
}

/** Each part of the path is escaped. */
export function callDiscord(
  { token: secret, apiUrl, allowHttp }: Resolved<DiscordSettings>,
  method: HttpRequest["method"],
  path: readonly string[],
  body: object = {},
): HttpRequest | Failed {
  const token = secret?.reveal() ?? "";
  const problem = tokenProblem(token);
  if (problem !== undefined) return failed("rejected", problem);
  const url = serverUrl(apiUrl?.reveal() ?? defaultApiUrl, `/${path.map(encodeURIComponent).join("/")}`);
  const headers = { authorization: `Bot ${token}` };
  if (method === "GET") return { method, url, headers, isPlainHttpAllowed: allowHttp };
  return { ...jsonPost(url, allowHttp, body, headers), method };
}

/** Never quotes the token. */
export function tokenProblem(token: string): string | undefined {
  return /^[\w-]{18,}\.[\w-]+\.[\w-]{20,}$/.test(token)
    ? undefined
    : "the token is not a bot's token, three parts with dots between; the app's page shows it once, under Bot";
}
