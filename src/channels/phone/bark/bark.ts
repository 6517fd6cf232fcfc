// Bark: an iPhone or iPad.
import * as z from "zod";
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import { cut, type Measure, printableLine } from "../../../model/text.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { jsonBytes, maxContext, toNotification } from "../../rendering/compose.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { mayBeReplaced, messageId, updateSetting } from "../../session-message.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { ourBug, readJsonSuccess, unexpectedAnswer } from "../../vendor-answer.ts";
import { jsonPost, probeRequest, serverUrl } from "../../vendor-request.ts";
import { objectIn } from "../../../model/json.ts";
import type { Level } from "../../../model/level.ts";

const docs = "https://github.com/Finb/bark-server/blob/master/docs/API_V2.md";
const publicServer = "https://api.day.app";
/**
 * hookbell's own limits, as the two below: Apple allows 4096 bytes for the whole notification.
 * https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification
 */
export const maxTitle = 400;
export const maxBody = 2800;
export const maxGroup = 200;

/** https://bark.day.app/#/en-us/tutorial: passive does not light the screen, timeSensitive passes through a focus. */
const interruptions: Readonly<Record<Level, "passive" | "active" | "timeSensitive">> = {
  info: "passive",
  success: "active",
  attention: "timeSensitive",
  error: "timeSensitive",
};

const settings = z.strictObject({
  key: secretSetting("The device key that the app shows: the part of its URL after the server's name"),
  server: urlSetting(`The server's URL; default: ${publicServer}`).optional(),
  update: updateSetting("new", "needs Bark 1.5.2 and server 2.2.5"),
  allowHttp: allowHttpSetting(),
});

export const bark = defineHttpChannel({
  ringsPhone: true,
  docs,
  settings,
  limits: [
    { what: "title, as JSON", most: maxTitle, unit: "bytes", source: "ours" },
    { what: "body, as JSON", most: maxBody, unit: "bytes", source: "ours" },
    { what: "group, as JSON", most: maxGroup, unit: "bytes", source: "ours" },
    { what: "fields, as JSON", most: maxContext, unit: "bytes", source: "ours" },
  ],
  // The same id again replaces the notification (https://bark.day.app/#/en-us/tutorial); older servers show it twice.
  isRepeatHarmless: true,
  showsList: () => "joined",
  request(request) {
    const { settings, message, event, isSilent } = request;
    const { title, body } = toNotification(message, event.name, { maxTitle, maxBody, measure: appleBytes });
    return jsonPost(serverUrl(settings.server?.reveal() ?? publicServer, "/push"), settings.allowHttp, {
      device_key: settings.key.reveal(),
      title,
      body,
      level: interruptions[isSilent === true ? "info" : message.level],
      group: cut(printableLine(event.project) || "hookbell", maxGroup, appleBytes),
      id: messageId(request),
      url: message.link,
    });
  },
  readSuccess(response, request) {
    const outcome = readJsonSuccess(response, "Bark", ({ code }) => code === 200);
    if (outcome.status === "failed" || !mayBeReplaced(request)) return outcome;
    return { ...outcome, remember: { id: messageId(request) } };
  },
  readFailure: readBarkFailure,
  noticing: {
    how: "see",
    otherwise: ["let Bark notify: the device's settings, and its focus", "open Bark and compare the key that it shows"],
  },
  // https://github.com/Finb/bark-server/blob/master/route_register.go
  probe: ({ key, server, allowHttp }, tools) => {
    const url = serverUrl(server?.reveal() ?? publicServer, `/register/${encodeURIComponent(key.reveal())}`);
    return probeRequest({ method: "GET", url, isPlainHttpAllowed: allowHttp }, tools, {
      well(answer) {
        if (isOlderServer(answer)) return "the server answers, but it is too old to say whether it knows the device";
        return answer.status === 200 && objectIn(answer.body).code === 200 ? "the server knows the device" : undefined;
      },
      failure: (answer) =>
        answer.status === 400
          ? failed("gone", `the server does not know this device; ${newKey}`)
          : unexpectedAnswer(answer, "Bark"),
      fix: 'check "key" and "server"',
    });
  },
});

/** Go writes each of these characters with six. */
export const appleBytes: Measure = (text) =>
  jsonBytes(text) + [...text.matchAll(/[<>&]/g)].length * 5 + [...text.matchAll(/[\u2028\u2029]/g)].length * 3;

const newKey = "open the app on it, copy the key that it shows, and set that";

/** The server's words, and Apple's: https://github.com/Finb/bark-server/blob/master/route_push.go */
const barkErrors: [RegExp, FailureReason, string][] = [
  [/device key is empty|failed to get device token/, "gone", `the server does not know this device; ${newKey}`],
  [
    /BadDeviceToken|Unregistered|ExpiredToken|DeviceTokenNotForTopic/,
    "gone",
    `the device is no longer registered with Bark; ${newKey}`,
  ],
  [/PayloadTooLarge/, "rejected", `the message is too large for Apple; ${ourBug}`],
];

function readBarkFailure({ status, body }: HttpResponse): Failed | undefined {
  const { message } = objectIn(body);
  const known = typeof message === "string" ? barkErrors.find(([words]) => words.test(message)) : undefined;
  return known && failed(known[1], `Bark answered ${status}: ${known[2]}`);
}

/** An older server takes the request for a message to a device called `register`. */
function isOlderServer({ status, body }: HttpResponse): boolean {
  const { message } = objectIn(body);
  return status === 400 && typeof message === "string" && message.includes("[register]");
}
