// Pushover.
import * as z from "zod";
import { failed, type Failed } from "../../../model/outcome.ts";
import { measures, printableLine } from "../../../model/text.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { defineHttpChannel, maxRetryAfterMs, quote } from "../../http-channel.ts";
import { readJsonSuccess, withQuote } from "../../vendor-answer.ts";
import { hasSession, sessionKey } from "../../session-message.ts";
import { jsonPost, probeRequest, serverUrl, withQuery } from "../../vendor-request.ts";
import { maxContext, toNotification } from "../../rendering/compose.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { objectIn } from "../../../model/json.ts";
import type { AgentEvent } from "../../../model/event.ts";
import type { Level } from "../../../model/level.ts";
import { summaryEventName } from "../../../model/own-events.ts";

const docs = "https://pushover.net/api";
const vendorServer = "https://api.pushover.net";
const minPauseMs = 5000;
/** https://pushover.net/api#limits, in characters of UTF-8. */
export const maxTitle = 250;
/** https://pushover.net/api#limits */
export const maxBody = 1024;

/** -1 makes no sound, 1 passes through quiet hours: https://pushover.net/api#priority */
const priorities: Readonly<Record<Level, -1 | 0 | 1>> = { info: -1, success: 0, attention: 1, error: 1 };

/** https://pushover.net/api#priority: at least 30 seconds, at most three hours. */
const retrySeconds = 60;
const expireSeconds = 3600;
const callTimeoutMs = 5000;

const settings = z.strictObject({
  token: secretSetting("The API token of an application that you made at pushover.net/apps/build"),
  user: secretSetting("Your user key, or a group's"),
  device: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,25}$/, { error: "expected a device's name: up to 25 of A-Z, a-z, 0-9, _ and -" })
    .optional()
    .describe("The name of one device; default: all of them"),
  emergency: z
    .boolean()
    .optional()
    .describe(
      "true: questions and errors ring every minute, for an hour, until you acknowledge them in the app, or the session goes on",
    ),
  server: urlSetting(`A relay of your own in place of ${vendorServer}`).optional(),
  allowHttp: allowHttpSetting(),
});

export const pushover = defineHttpChannel({
  ringsPhone: true,
  docs,
  settings,
  limits: [
    { what: "title", most: maxTitle, unit: "codePoints", source: `${docs}#limits` },
    { what: "body", most: maxBody, unit: "codePoints", source: `${docs}#limits` },
    { what: "fields", most: maxContext, unit: "codePoints", source: "ours" },
  ],
  request({ settings, message, event, isSilent }) {
    // What joins another message rings as well: that one falls silent once its own session goes on.
    const isRinging = settings.emergency === true && priorities[message.level] === 1;
    const { title, body } = toNotification(message, event.name, { maxTitle, maxBody, measure: measures.codePoints });
    const atMs = Date.parse(event.at);
    return jsonPost(serverUrl(settings.server?.reveal() ?? vendorServer, "/1/messages.json"), settings.allowHttp, {
      token: settings.token.reveal(),
      user: settings.user.reveal(),
      device: settings.device,
      title,
      message: body,
      priority: isRinging ? 2 : isSilent === true ? priorities.info : priorities[message.level],
      ...(isRinging && { retry: retrySeconds, expire: expireSeconds, tags: tagOf(event) }),
      // https://pushover.net/api#urls
      ...(message.link && { url: message.link, url_title: "Open the session" }),
      timestamp: Number.isNaN(atMs) ? undefined : Math.floor(atMs / 1000),
    });
  },
  readSuccess(response, request) {
    if (isRefusal(response)) return readRefusal(response);
    const outcome = readJsonSuccess(response, "Pushover", isTaken);
    const { receipt } = objectIn(response.body);
    const isAboutSessions = hasSession(request) || request.event.name === summaryEventName;
    if (outcome.status === "failed" || typeof receipt !== "string" || !isAboutSessions) return outcome;
    return { ...outcome, remember: { receipt, tag: tagOf(request.event) } };
  },
  // https://pushover.net/api/receipts; undefined also where Pushover does not say.
  async acknowledged({ token, server, allowHttp }, { receipt = "" }, tools) {
    const path = `/1/receipts/${encodeURIComponent(receipt)}.json`;
    const url = withQuery(serverUrl(server?.reveal() ?? vendorServer, path), { token: token.reveal() });
    const request = { method: "GET", url, isPlainHttpAllowed: allowHttp } as const;
    const answer = await tools.http(request, { timeoutMs: callTimeoutMs, signal: tools.signal });
    if ("failure" in answer || answer.status !== 200) return undefined;
    const { status, acknowledged, acknowledged_by_device: device } = objectIn(answer.body);
    if (status !== 1 || acknowledged !== 1) return undefined;
    return typeof device === "string" && device !== "" ? `acknowledged on ${printableLine(device)}` : "acknowledged";
  },
  // All that rings under the tag: https://pushover.net/api/receipts#cancel
  async retract({ token, server, allowHttp }, { tag = "" }, tools) {
    const path = `/1/receipts/cancel_by_tag/${encodeURIComponent(tag)}.json`;
    const request = jsonPost(serverUrl(server?.reveal() ?? vendorServer, path), allowHttp, { token: token.reveal() });
    const answer = await tools.http(request, { timeoutMs: callTimeoutMs, signal: tools.signal });
    if ("failure" in answer) throw new Error(answer.detail);
    if (!isTaken(objectIn(answer.body))) throw new Error(`Pushover answered ${answer.status} to a cancellation`);
  },
  readFailure(response) {
    if (response.status === 429) return readQuota(response);
    if (response.status >= 500) return readTrouble(response);
    return isRefusal(response) ? readRefusal(response) : undefined;
  },
  noticing: {
    how: "see",
    otherwise: [
      "open the app: signed in with the account of this user key, and with a licence",
      "let the app notify: the phone's settings, do not disturb, and the quiet hours at pushover.net",
    ],
  },
  // https://pushover.net/api#verification
  probe({ token, user, device, server, allowHttp }, tools) {
    const url = serverUrl(server?.reveal() ?? vendorServer, "/1/users/validate.json");
    return probeRequest(jsonPost(url, allowHttp, { token: token.reveal(), user: user.reveal(), device }), tools, {
      well: ({ status, body }) =>
        status === 200 && isTaken(objectIn(body)) ? "Pushover knows the application and the user" : undefined,
      failure: (response) => (isRefusal(response) ? readRefusal(response) : undefined),
      fix: 'check "token", "user" and "device"',
    });
  },
});

/** What rings about a session is ended together, and a summary by itself. */
function tagOf(event: AgentEvent): string {
  return sessionKey(event.name === summaryEventName ? { ...event, session: "" } : event);
}

const isTaken = ({ status }: Readonly<Record<string, unknown>>): boolean => status === 1;

/** `{"token":"invalid","errors":["..."],"status":0}` */
function isRefusal({ status, body }: HttpResponse): boolean {
  return status < 500 && objectIn(body).status === 0;
}

function readRefusal({ status, body }: HttpResponse): Failed {
  const answer = objectIn(body);
  const said = Array.isArray(answer.errors) ? quote(answer.errors.join("; ")) : "";
  const refuse = (fix: string): string => withQuote(`Pushover answered ${status}: ${fix}`, said);
  if (answer.token !== undefined) return failed("unauthorized", refuse("set the application's API token"));
  if (answer.user !== undefined) return failed("unauthorized", refuse("set your user key, as pushover.net shows it"));
  if (answer.device !== undefined) return failed("rejected", refuse("set a device that you have, or none"));
  return failed("rejected", refuse("check this channel's settings; if they are right, please report it"));
}

/** Pushover wants no repetition within 5 s: https://pushover.net/api#friendly */
function readTrouble({ status, headers }: HttpResponse): Failed | undefined {
  if (headers["retry-after"] !== undefined) return undefined;
  return failed("serverError", `Pushover answered ${status}: Pushover has a problem`, minPauseMs);
}

/** Pushover takes no more messages before the next month. */
function readQuota({ headers }: HttpResponse): Failed | undefined {
  if (headers["x-limit-app-remaining"] !== "0") return undefined;
  const waitMs = Number(headers["x-limit-app-reset"]) * 1000 - Date.parse(headers.date ?? "");
  return failed(
    "rateLimited",
    "Pushover answered 429: the month's messages are used up; buy more at pushover.net, or send less",
    waitMs >= 0 ? Math.min(waitMs, maxRetryAfterMs) : maxRetryAfterMs,
  );
}
