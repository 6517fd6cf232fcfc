// Google Chat: an incoming webhook of a space.
import * as z from "zod";
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { defineHttpChannel, quote } from "../../http-channel.ts";
import * as chatMessage from "./message.ts";
import { meaningOf, ourBug, readJsonSuccess, withQuote } from "../../vendor-answer.ts";
import { jsonPost, withQuery } from "../../vendor-request.ts";
import { allowHttpSetting, urlSetting } from "../../settings.ts";
import { listOf, objectIn, objectOf } from "../../../model/json.ts";

const docs = "https://developers.google.com/workspace/chat/quickstart/webhooks";
const referenceDocs = "https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages";

const settings = z.strictObject({
  url: urlSetting("The webhook's URL, https://chat.googleapis.com/v1/spaces/...", chatUrlProblem),
  thread: z
    .enum(["session", "none"])
    .optional()
    .describe('"session" (default): one thread for each session; "none": each message is separate'),
  allowHttp: allowHttpSetting(),
});

export const googleChat = defineHttpChannel({
  docs,
  settings,
  isShared: true,
  limits: [
    { what: "the request", most: chatMessage.maxRequest, unit: "bytes", source: referenceDocs },
    { what: "a thread's key", most: chatMessage.maxThreadKey, unit: "utf16", source: referenceDocs },
    { what: "title", most: chatMessage.maxTitle, unit: "bytes", source: "ours" },
    { what: "body", most: chatMessage.maxBody, unit: "bytes", source: "ours" },
    { what: "one field", most: chatMessage.maxField, unit: "bytes", source: "ours" },
    { what: "fields", most: chatMessage.maxFields, unit: "items", source: "ours" },
    { what: "text of a phone's notification", most: chatMessage.maxFallback, unit: "bytes", source: "ours" },
  ],
  // One a second for all webhooks of a space: https://developers.google.com/workspace/chat/limits.
  rate: { messages: 1, perMs: 1000 },
  isRepeatHarmless: true,
  request({ settings, message, event, deliveryId }) {
    const url = settings.url.reveal();
    const problem = chatUrlProblem(url);
    if (problem !== undefined) return failed("rejected", `the URL ${problem}`);
    const made = chatMessage.toGoogleChatMessage(message, event, settings.thread !== "none");
    const to = withQuery(url, {
      requestId: deliveryId,
      messageReplyOption: made.thread === undefined ? undefined : "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD",
    });
    return jsonPost(to, settings.allowHttp, made);
  },
  readSuccess: (response) => readJsonSuccess(response, "Google Chat", ({ name }) => typeof name === "string"),
  readFailure: readChatFailure,
});

function chatUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, pathname, searchParams } = new URL(text);
  if (hostname === "chat.google.com" || (hostname === "mail.google.com" && pathname.startsWith("/chat"))) {
    return `is that of a page, not a webhook's; ${newWebhook}`;
  }
  if (hostname !== "chat.googleapis.com") return undefined;
  const isWhole =
    /^\/v1\/spaces\/[^/]+\/messages$/.test(pathname) && searchParams.has("key") && searchParams.has("token");
  return isWhole
    ? undefined
    : "is not all of a webhook's URL, which ends in /messages?key=...&token=...; copy it from the space's settings";
}

const newWebhook = "make a new webhook in the space's settings, under Apps & integrations, and set its URL";
const trouble = "Google Chat has a problem";

/** https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const rpcErrors: Record<string, [FailureReason, string]> = {
  INVALID_ARGUMENT: ["rejected", ourBug],
  FAILED_PRECONDITION: ["rejected", "the space does not accept this message now; check its settings"],
  UNAUTHENTICATED: ["unauthorized", `the URL's key or token is wrong; ${newWebhook}`],
  PERMISSION_DENIED: ["unauthorized", `the webhook was removed, or an administrator forbids webhooks; ${newWebhook}`],
  NOT_FOUND: ["gone", `the space or the webhook is gone; ${newWebhook}`],
  RESOURCE_EXHAUSTED: ["rateLimited", "too many messages for this space"],
  ABORTED: ["serverError", trouble],
  DEADLINE_EXCEEDED: ["serverError", trouble],
  INTERNAL: ["serverError", trouble],
  UNAVAILABLE: ["serverError", trouble],
};

function readChatFailure({ body, status }: HttpResponse): Failed | undefined {
  const error = objectOf(objectIn(body).error);
  const details = listOf(error.details);
  const isKeyWrong = details.some((detail) => objectOf(detail).reason === "API_KEY_INVALID");
  const code = isKeyWrong ? "UNAUTHENTICATED" : String(error.status);
  const known = meaningOf(rpcErrors, code);
  if (known === undefined) return undefined;
  const said = typeof error.message === "string" ? quote(error.message) : "";
  return failed(known[0], withQuote(`Google Chat answered ${status} ${code}: ${known[1]}`, said));
}
