// The settings of the Home Assistant app, and what it is sent through its notify action: https://companion.home-assistant.io/docs/notifications/notifications-basic
import * as z from "zod";
import type { WrittenCard } from "../../../model/answer.ts";
import type { Message } from "../../../model/message.ts";
import type { Resolved } from "../../../model/privacy/secret.ts";
import { type Measure, measures } from "../../../model/text.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import type { RichMessage } from "../../channel-type.ts";
import { phoneScreen, writeCard } from "../../rendering/card.ts";
import { toNotification } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import { updateSetting } from "../../session-message.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";
import type { Level } from "../../../model/level.ts";

export const appSettings = z.strictObject({
  server: urlSetting("Your server's URL, https://home.example.org"),
  token: secretSetting(
    "A long-lived access token, made in your profile under Security; answers need an administrator's token",
  ),
  device: z
    .string()
    .regex(/^[a-z0-9_]+$/, { error: 'expected the name of a notify action without "notify.", as mobile_app_pixel_8' })
    .describe("The part of the phone's notify action after notify., such as mobile_app_pixel_8"),
  update: updateSetting("new", "the phone makes a sound for it"),
  allowHttp: allowHttpSetting(),
});
export type AppSettings = z.output<typeof appSettings>;

/** hookbell's own limit: Apple and Google take 4 KB with all that belongs to it. */
export const maxTitle = 200;
export const maxBody = 1500;

const wordJoiner = "\u2060";

/** For Android, which waits otherwise until the phone wakes up. */
const atOnce = { ttl: 0, priority: "high" };

/** https://companion.home-assistant.io/docs/notifications/notifications-basic#interruption-level for iOS, and Android's. */
const looks: Readonly<Record<Level, object>> = {
  // A replaced notification makes no second sound.
  info: { push: { "interruption-level": "passive" }, alert_once: true },
  success: { push: { "interruption-level": "active" } },
  attention: { push: { "interruption-level": "time-sensitive" }, ...atOnce },
  error: { push: { "interruption-level": "time-sensitive" }, ...atOnce },
};

const maxMessage = maxBody - measures.bytes(wordJoiner);

interface NotificationData {
  tag?: string;
  url?: string;
  clickAction?: string;
  actions?: readonly object[];
  action_data?: object;
}

/** iOS reads one, Android the other: https://companion.home-assistant.io/docs/notifications/notifications-basic#opening-a-url */
export function pageToOpen(url: string): NotificationData {
  return { url, clickAction: url };
}

export function notify(
  settings: Resolved<AppSettings>,
  message: RichMessage,
  eventName: string,
  data: NotificationData,
): HttpRequest {
  const { title, body } = toNotification(message, eventName, { maxTitle, maxBody: maxMessage, measure: appBytes });
  return push(settings, forApp(title), forApp(body), message.level, data);
}

export function notifyOfQuestion(
  settings: Resolved<AppSettings>,
  message: Message,
  eventName: string,
  data: NotificationData,
): HttpRequest {
  const title = forApp(fitTitle(message, eventName, maxTitle, appBytes));
  return push(settings, title, renderCard(message).text, message.level, data);
}

export function renderCard(card: Message): WrittenCard {
  return writeCard(card, { most: maxMessage, measure: measures.bytes, escape: forApp, screen: phoneScreen });
}

function push(
  { server, token, device, allowHttp }: Resolved<AppSettings>,
  title: string,
  body: string,
  level: Level,
  data: NotificationData,
): HttpRequest {
  const url = serverUrl(server.reveal(), `/api/services/notify/${encodeURIComponent(device)}`);
  // The app takes some messages for commands: https://companion.home-assistant.io/docs/notifications/notification-commands
  const given = { title, message: `${wordJoiner}${body}`, data: { ...data, ...looks[level] } };
  return jsonPost(url, allowHttp, given, { authorization: `Bearer ${token.reveal()}` });
}

/**
 * Home Assistant fills in templates, and Android's app reads HTML, which iOS shows as it is. Neither has an escape that the
 * other one knows, so signs of another width stand for `<` and `&`, and one of no width splits the others.
 */
export function forApp(text: string): string {
  return text
    .replaceAll("<", "＜")
    .replaceAll("&", "＆")
    .replace(/\{(?=[{%#])/g, `{${wordJoiner}`)
    .replace(/\\(?=[rn])/g, `\\${wordJoiner}`)
    .replace(/ {2,}|(?<=^|\n) /g, (blanks) => "\u00A0".repeat(blanks.length));
}

export const appBytes: Measure = (text) => measures.bytes(forApp(text));
