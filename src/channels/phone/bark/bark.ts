import * as z from "zod";
import { failed, type Failed, type FailureReason } from "../../../model/outcome.ts";
import { cut, printableLine, type Measure } from "../../../model/text.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { probeBark } from "./bark-probe.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { hasSession, updateSetting } from "../../session-message.ts";
import { readJsonSuccess } from "../../json-answer.ts";
import { jsonBytes } from "../../json-bytes.ts";
import { levelLooks } from "../../levels.ts";
import { maxFieldLine, toPushText } from "../../push-text.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";
import { sessionKey } from "../../session-key.ts";
import { secretSetting } from "../../settings.ts";
import { allowHttpSetting, urlSetting } from "../../url-setting.ts";
import { readJsonObject } from "../../vendor-answer.ts";

const docs = "https://github.com/Finb/bark-server/blob/master/docs/API_V2.md";
const publicServer = "https://api.day.app";
const expiresAfterMs = 4 * 60 * 60 * 1000;
/**
 * Apple takes 4096 bytes for all of a notification: title, body, group, and what the server adds to them.
 * https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification
 */
export const maxTitle = 400;
/** Ours: a part of Apple's 4096. */
export const maxBody = 2800;
/** Ours: a part of Apple's 4096. */
export const maxGroup = 200;

const settings = z.strictObject({
  key: secretSetting("The device key that the app shows: the part of its URL behind the server's name"),
  server: urlSetting(`The server's URL; ${publicServer} unless said otherwise`).optional(),
  update: updateSetting("new", "from Bark 1.5.2 and server 2.2.5 on"),
  allowHttp: allowHttpSetting(),
});

/** Bark. Only `markdown` has a syntax there, and `body` is sent. */
export const bark = defineHttpChannel({
  type: "bark",
  summary: "An iPhone or iPad through Bark",
  docs,
  settings,
  limits: [
    { what: "title, as JSON", most: maxTitle, unit: "bytes", source: "ours" },
    { what: "body, as JSON", most: maxBody, unit: "bytes", source: "ours" },
    { what: "group, as JSON", most: maxGroup, unit: "bytes", source: "ours" },
    { what: "fields, as JSON", most: maxFieldLine, unit: "bytes", source: "ours" },
  ],
  expiresAfterMs,
  summaryFrom: 4,
  // Pushed again with the same id, it replaces itself (https://bark.day.app/#/en-us/tutorial); on older servers it is seen twice.
  isRepeatHarmless: true,
  content: "summary",
  passesPayload: false,
  request({ settings, message, event, deliveryId }) {
    const { title, body } = toPushText(message, event.name, { maxTitle, maxBody, measure: appleBytes });
    return jsonPost(serverUrl(settings.server?.reveal() ?? publicServer, "/push"), settings.allowHttp, {
      device_key: settings.key.reveal(),
      title,
      body,
      level: levelLooks[message.level].barkLevel,
      group: cut(printableLine(event.project) || "hookbell", maxGroup, appleBytes),
      id: settings.update === "replace" && hasSession(event) ? sessionKey(event) : deliveryId,
    });
  },
  readSuccess: (response) => readJsonSuccess(response, "Bark", ({ code }) => code === 200),
  readFailure: readBarkFailure,
  noticing: {
    how: "see",
    otherwise: ["let Bark notify: the device's settings, and its focus", "open Bark and compare the key that it shows"],
  },
  probe: ({ key, server, allowHttp }, tools) => {
    const url = serverUrl(server?.reveal() ?? publicServer, `/register/${encodeURIComponent(key.reveal())}`);
    return probeBark({ url, allowHttp, newKey }, tools);
  },
});

/** Bytes of a text in the JSON that reaches Apple: the server is written in Go, which writes these five in six each. */
export const appleBytes: Measure = (text) =>
  jsonBytes(text) + [...text.matchAll(/[<>&]/g)].length * 5 + [...text.matchAll(/[\u2028\u2029]/g)].length * 3;

const newKey = "open the app on it, copy the key that it shows, and set that";

/** What the server says in words, of its own or of Apple's: https://github.com/Finb/bark-server/blob/master/route_push.go */
const barkErrors: [RegExp, FailureReason, string][] = [
  [/device key is empty|failed to get device token/, "gone", `the server does not know this device; ${newKey}`],
  [/BadDeviceToken|Unregistered|ExpiredToken|DeviceTokenNotForTopic/, "gone", `the device has left Bark; ${newKey}`],
  [/PayloadTooLarge/, "rejected", "the message is too large for Apple; please report it, that is hookbell's mistake"],
];

function readBarkFailure({ status, body }: HttpResponse): Failed | undefined {
  const { message } = readJsonObject(body);
  const known = typeof message === "string" ? barkErrors.find(([words]) => words.test(message)) : undefined;
  return known && failed(known[1], `Bark answered ${status}: ${known[2]}`);
}
