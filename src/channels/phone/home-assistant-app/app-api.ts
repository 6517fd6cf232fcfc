// What the Home Assistant app is sent through its notify action: https://companion.home-assistant.io/docs/notifications/notifications-basic
import type { Level } from "../../../model/level.ts";
import type { Resolved, SecretSource } from "../../../model/privacy/secret.ts";
import { type Measure, measures } from "../../../model/text.ts";
import type { HttpRequest } from "../../../system/network/http.ts";
import type { RichMessage } from "../../channel-type.ts";
import { toPushText } from "../../compose.ts";
import type { Update } from "../../session-message.ts";
import { jsonPost, serverUrl } from "../../vendor-request.ts";

export interface AppSettings {
  server: SecretSource;
  token: SecretSource;
  device: string;
  update?: Update | undefined;
  allowHttp?: boolean | undefined;
}

/** Ours: Apple and Google take 4 KB with all that belongs to it. */
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

export function notify(
  { server, token, device, allowHttp }: Resolved<AppSettings>,
  message: RichMessage,
  eventName: string,
  data: { tag?: string; actions?: readonly object[]; action_data?: object },
): HttpRequest {
  const room = { maxTitle, maxBody: maxBody - measures.bytes(wordJoiner), measure: appBytes };
  const { title, body } = toPushText(message, eventName, room);
  const url = serverUrl(server.reveal(), `/api/services/notify/${encodeURIComponent(device)}`);
  const given = {
    title: forApp(title),
    // The app takes some messages for commands: https://companion.home-assistant.io/docs/notifications/notification-commands
    message: `${wordJoiner}${forApp(body)}`,
    data: { ...data, ...looks[message.level] },
  };
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
