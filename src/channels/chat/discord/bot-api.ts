// Discord's settings, and calls of its HTTP API, for bots: https://discord.com/developers/docs/reference#http-api
import * as z from "zod";
import { failed, type Failed } from "../../../model/outcome.ts";
import type { Resolved } from "../../../model/privacy/secret.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import { silentEdit, updateSetting } from "../../session-message.ts";
import { allowHttpSetting, alternative, secretSetting, urlSetting } from "../../settings.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";

const defaultApiUrl = "https://discord.com/api/v10";

const ids = /^\d{15,20}$/;

export const discordSettings = z
  .strictObject({
    url: urlSetting("A webhook's URL, https://discord.com/api/webhooks/...", discordUrlProblem).optional(),
    threadId: z
      .string()
      .regex(ids, { error: "expected a thread's id: 15 to 20 digits, as text" })
      .optional()
      .describe("With url: the id of a thread or forum post to write into"),
    token: secretSetting("A bot's token, for answers, too", tokenProblem).optional(),
    channel: z
      .string()
      .regex(ids, { error: "expected a channel's id: 15 to 20 digits, as text" })
      .optional()
      .describe("With token: the id of the channel or thread; add the bot to the server"),
    update: updateSetting("new", silentEdit),
    apiUrl: urlSetting("With token: another place of Discord's API; default: https://discord.com/api/v10").optional(),
    allowHttp: allowHttpSetting(),
  })
  .superRefine(({ url, threadId, token, channel, apiUrl }, context) => {
    const wrong = (path: string[], message: string): void => context.addIssue({ code: "custom", path, message });
    if (url === undefined && token === undefined)
      wrong([], 'needs "url" (a webhook), or "token" and "channel" (a bot)');
    if (url !== undefined && token !== undefined) wrong(["token"], 'expected either "url" or "token", got both');
    if (token !== undefined && channel === undefined) wrong([], '"token" needs "channel", too');
    if (token !== undefined && threadId !== undefined) wrong(["threadId"], 'goes with "url" only: set it as "channel"');
    if (url === undefined || token !== undefined) return;
    if (channel !== undefined) wrong(["channel"], 'goes with "token" only: a webhook has its channel already');
    if (apiUrl !== undefined) wrong(["apiUrl"], 'goes with "token" only');
  })
  .meta({
    anyOf: [
      alternative("A webhook: simple, for one channel", ["url"], ["threadId", "update"]),
      alternative("A bot: its messages can have buttons", ["token", "channel"], ["update", "apiUrl"]),
    ],
  });
export type DiscordSettings = z.output<typeof discordSettings>;

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
function tokenProblem(token: string): string | undefined {
  return /^[\w-]{18,}\.[\w-]+\.[\w-]{20,}$/.test(token)
    ? undefined
    : "the token is not a bot's token, three parts with dots between; the app's page shows it once, under Bot";
}

export function discordUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, pathname } = new URL(text);
  if (!/(^|\.)discord(?:(?:app)?\.com|\.gg)$/.test(hostname)) return undefined;
  if (/\/(slack|github)\/?$/.test(pathname)) {
    return "ends in /slack or /github, where Discord expects another format; remove that end";
  }
  if (/^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+\/?$/.test(pathname)) return undefined;
  return (
    "is not a webhook's URL, which looks like https://discord.com/api/webhooks/NUMBER/TOKEN; " +
    "copy it from the channel's settings, under Integrations"
  );
}
