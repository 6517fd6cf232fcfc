// ntfy: a topic at ntfy.sh, or on a server of your own.
import type { Level } from "../../../model/level.ts";
import * as z from "zod";
import { delivered, failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { Secret, SecretSource } from "../../../model/privacy/secret.ts";
import { measures } from "../../../model/text.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { type ChannelTools, lifetimeMs, type ProbeResult } from "../../channel-type.ts";
import { maxFieldLine, toPushText } from "../../compose.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { hasSession, sessionKey, updateSetting } from "../../session-message.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { meaningOf, readJsonObject, readJsonSuccess, unexpectedAnswer } from "../../vendor-answer.ts";
import { jsonPost, probeRequest, serverUrl } from "../../vendor-request.ts";

const docs = "https://docs.ntfy.sh/publish/#publish-as-json";
const publicServer = "https://ntfy.sh";
/** Ours; the vendor allows 1024 bytes since v2.28. */
const maxTitle = 250;
/** Ours: in the server's 8192 bytes of JSON, a text of quotation marks is twice as long as the 4096 allowed. */
export const maxBody = 3500;

/** https://docs.ntfy.sh/publish/#message-priority, and short codes of https://docs.ntfy.sh/emojis/ */
const looks: Readonly<Record<Level, { priority: 1 | 2 | 3 | 4 | 5; tags: readonly string[] }>> = {
  info: { priority: 2, tags: [] },
  success: { priority: 3, tags: ["white_check_mark"] },
  attention: { priority: 4, tags: ["warning"] },
  error: { priority: 5, tags: ["rotating_light"] },
};

const settings = z.strictObject({
  topic: secretSetting("The topic. It is a password: anyone who knows it can read your messages", topicProblem),
  server: urlSetting(
    `The server's URL; default: ${publicServer}. A server of your own, named here, gets a summary of the agent's words`,
  ).optional(),
  allowHttp: allowHttpSetting(),
  token: secretSetting("An access token, tk_..., for a topic that is not public").optional(),
  update: updateSetting("new", "needs server 2.16 and Android 1.22; an iPhone shows every message"),
});

/** Published as JSON to the server's root, which takes any Unicode; headers do not. */
export const ntfy = defineHttpChannel({
  docs,
  settings,
  limits: [
    { what: "title", most: maxTitle, unit: "bytes", source: "ours" },
    { what: "body", most: maxBody, unit: "bytes", source: "ours" },
    { what: "fields", most: maxFieldLine, unit: "bytes", source: "ours" },
  ],
  // https://docs.ntfy.sh/publish/#limitations: 60 at once, then one every 5 s.
  rate: { messages: 60, perMs: 60 * 5000 },
  // The same sequence_id again replaces the message on Android and in browsers; an iPhone shows it twice.
  isRepeatHarmless: true,
  // Anyone who guesses the name of a topic of ntfy.sh can read it.
  content: "none",
  contentFor: ({ server }) => (mayBePublic(server) ? "none" : "summary"),
  request({ settings, message, event, deliveryId }) {
    const topic = settings.topic.reveal();
    const problem = topicProblem(topic);
    if (problem !== undefined) return failed("rejected", problem);
    const headers: Record<string, string> =
      settings.token === undefined ? {} : { authorization: `Bearer ${settings.token.reveal()}` };
    const { title, body } = toPushText(message, event.name, { maxTitle, maxBody, measure: measures.bytes });
    return jsonPost(
      serverUrl(settings.server?.reveal() ?? publicServer, "/"),
      settings.allowHttp,
      {
        topic,
        title,
        message: body,
        ...looks[message.level],
        sequence_id: settings.update === "replace" && hasSession(event) ? sessionKey(event) : deliveryId,
      },
      headers,
    );
  },
  readSuccess(response, { settings }) {
    const outcome = readJsonSuccess(response, "ntfy", ({ id }) => typeof id === "string");
    if (outcome.status === "failed" || settings.update !== "replace") return outcome;
    // A server that knows sequences repeats the sequence_id; an older one shows the message beside the others.
    const { sequence_id: sequence } = readJsonObject(response.body);
    const note = "it replaces no message: the server is older than 2.16";
    return typeof sequence === "string" ? outcome : delivered({ detail: `${outcome.detail}, but ${note}` });
  },
  readFailure: readNtfyFailure,
  setUp: {
    propose: { topic: (id) => `hookbell-${id}` },
    subscribe: ({ topic, server }) => ({
      link: serverUrl(server?.reveal() ?? publicServer, `/${topic.reveal()}`),
      advice: `Subscribe on your phone: scan this code, or add the topic in the ntfy app. Anyone who knows the topic can read your messages, so keep it secret.`,
    }),
  },
  noticing: {
    how: "see",
    otherwise: [
      "subscribe to the topic in the phone's app, on the same server: ntfy accepts messages without any subscriber",
      "let the app notify: the phone's settings, do not disturb, and battery saving on Android",
      "on an iPhone, a server of your own needs upstream-base-url: https://docs.ntfy.sh/config/#ios-instant-notifications",
    ],
  },
  probe: ({ server, ...own }, tools) =>
    probeNtfy({ ...own, url: (path) => serverUrl(server?.reveal() ?? publicServer, path) }, tools, readNtfyFailure),
});

/** A URL that is not in the rules file is known only when sending, so it may be the public server's. */
function mayBePublic(server: SecretSource | undefined): boolean {
  if (server?.from !== "literal") return true;
  const { hostname } = new URL(server.value.reveal());
  return /(?:^|\.)ntfy\.sh\.?$/.test(hostname);
}

function topicProblem(topic: string): string | undefined {
  return /^[-_A-Za-z0-9]{1,64}$/.test(topic) ? undefined : "the topic must have 1 to 64 of A-Z, a-z, 0-9, - and _";
}

const untilTomorrow = "nothing more is sent until midnight UTC; use an account or a server of your own";

/** https://github.com/binwiederhier/ntfy/blob/main/server/errors.go */
const ntfyErrors: Record<number, [FailureReason, string]> = {
  40009: ["rejected", "it does not allow this topic name; choose another topic"],
  40010: ["rejected", "this topic name is reserved; choose another topic"],
  40101: ["unauthorized", "it does not know the token; make a new one and set it"],
  40301: [
    "unauthorized",
    "the topic belongs to another user; set a token that may write to it, or choose another topic",
  ],
  42905: ["rateLimited", `the day's bandwidth is used up; ${untilTomorrow}`],
  42908: ["rateLimited", `the day's messages are used up; ${untilTomorrow}`],
  42909: ["unauthorized", "too many attempts with a wrong token came from this address; set the right one"],
};
const errorsOfTheDay: readonly unknown[] = [42905, 42908];

function readNtfyFailure(response: HttpResponse): Failed | undefined {
  const { code } = readJsonObject(response.body);
  const known = meaningOf(ntfyErrors, code);
  if (known === undefined) return undefined;
  const detail = `ntfy answered ${response.status} ${String(code)}: ${known[1]}`;
  return failed(known[0], detail, errorsOfTheDay.includes(code) ? untilMidnightMs(response.headers.date) : undefined);
}

/** By the server's own clock: its counters start again at 00:00 UTC. */
function untilMidnightMs(date: string | undefined): number {
  const atMs = Date.parse(date ?? "");
  return Number.isNaN(atMs) || atMs < 0 ? lifetimeMs.chat : lifetimeMs.day - (atMs % lifetimeMs.day);
}

/** With a token, whether the server knows it; else whether the server is healthy. Publishes nothing. */
function probeNtfy(
  {
    url,
    token,
    allowHttp,
  }: { url: (path: string) => string; token?: Secret | undefined; allowHttp?: boolean | undefined },
  tools: Pick<ChannelTools, "http" | "signal">,
  readFailure: (response: HttpResponse) => Failed | undefined,
): Promise<ProbeResult> {
  const untold = "only `hookbell test` shows whether hookbell may write to the topic";
  const failure = (answer: HttpResponse): Failed => readFailure(answer) ?? unexpectedAnswer(answer, "ntfy");
  const request = { method: "GET", isPlainHttpAllowed: allowHttp } as const;
  if (token === undefined) {
    // https://docs.ntfy.sh/config/#health-checks
    return probeRequest({ ...request, url: url("/v1/health") }, tools, {
      well: ({ body }) => (readJsonObject(body).healthy === true ? `the server is healthy; ${untold}` : undefined),
      failure,
      fix: 'check "server"',
    });
  }
  const headers = { authorization: `Bearer ${token.reveal()}` };
  return probeRequest({ ...request, url: url("/v1/account"), headers }, tools, {
    well: ({ status, body }) =>
      status === 200 && typeof readJsonObject(body).username === "string"
        ? `the server accepts the token; ${untold}`
        : undefined,
    failure,
    fix: 'check "server" and "token"',
  });
}
