// Feishu, or Lark, as it is called outside China: a custom bot.
import * as z from "zod";
import { defineHttpChannel } from "../../http-channel.ts";
import { jsonPost } from "../../vendor-request.ts";
import { hmacSha256 } from "../../../system/crypto.ts";
import * as feishuCard from "./message.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { type CodedVendor, type Meaning, ourBug, readCodedFailure, readCodedSuccess } from "../../vendor-answer.ts";

const docs = "https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot";
/** Feishu refuses messages at the full and the half hour. */
const throttledMs = 10_000;

const settings = z.strictObject({
  url: urlSetting(
    "The custom bot's webhook, https://open.feishu.cn/open-apis/bot/v2/hook/... (Lark: open.larksuite.com)",
  ),
  secret: secretSetting('The key of the bot\'s security setting "signature verification", if that is on').optional(),
  allowHttp: allowHttpSetting(),
});

export const feishu = defineHttpChannel({
  docs,
  settings,
  isShared: true,
  limits: [
    { what: "the request's body", most: feishuCard.maxRequestBytes, unit: "bytes", source: docs },
    { what: "title, as JSON", most: feishuCard.maxTitleBytes, unit: "bytes", source: "ours" },
    { what: "body, as JSON", most: feishuCard.maxBodyBytes, unit: "bytes", source: "ours" },
    { what: "one field, as JSON", most: feishuCard.maxFieldBytes, unit: "bytes", source: "ours" },
  ],
  // 5 a second and 100 a minute: three at once and three every two seconds never exceed that.
  rate: { messages: 3, perMs: 2000 },
  request({ settings, message, event }, { clock }) {
    const timestampS = Math.floor(clock.now() / 1000);
    const secret = settings.secret?.reveal();
    const signature =
      secret === undefined ? {} : { timestamp: String(timestampS), sign: signFeishu(secret, timestampS) };
    return jsonPost(settings.url.reveal(), settings.allowHttp, {
      ...signature,
      msg_type: "interactive",
      card: feishuCard.toFeishuCard(message, event.name),
    });
  },
  readSuccess: (response) => readCodedSuccess(response, vendor),
  readFailure: (response) => readCodedFailure(response, vendor),
});

/** Time and secret are the key of an empty text. */
export function signFeishu(secret: string, timestampS: number): string {
  return hmacSha256(`${timestampS}\n${secret}`, "");
}

const newWebhook = "copy the webhook from the group's bot settings again, and set it as this channel's url";
const throttled: Meaning = [
  "rateLimited",
  "too many messages; Feishu is busiest at the full and half hour",
  throttledMs,
];

const vendor: CodedVendor = {
  name: "Feishu",
  // StatusCode can be 0 beside an error.
  codeMembers: ["code", "StatusCode"],
  textMembers: ["msg", "StatusMessage"],
  codes: {
    9499: (said) => (/too many/i.test(said) ? throttled : ["rejected", ourBug]),
    11232: throttled,
    19001: ["gone", `there is no bot at this webhook; ${newWebhook}`],
    19002: ["rejected", ourBug],
    19007: ["gone", "the bot is switched off; switch it on in the group's settings, or make a new one and set its url"],
    19021: [
      "unauthorized",
      "the secret is wrong, or this computer's clock is more than an hour off; copy the secret from the bot's security settings again",
    ],
    19022: [
      "unauthorized",
      "the bot accepts messages from certain addresses only; choose signature verification instead, and set secret",
    ],
    19024: [
      "rejected",
      "the bot wants a keyword in every message; choose signature verification instead, and set secret",
    ],
  },
};
