// DingTalk: a custom bot of a group.
import * as z from "zod";
import { defineHttpChannel } from "../../http-channel.ts";
import { jsonPost, withQuery } from "../../vendor-request.ts";
import { jsonBytes, plainLimits, toPlainMessage } from "../../rendering/compose.ts";
import { allowHttpSetting, secretSetting, urlSetting } from "../../settings.ts";
import { type CodedVendor, type Meaning, readCodedFailure, readCodedSuccess } from "../../vendor-answer.ts";
import { hmacSha256 } from "../../../system/crypto.ts";

const docs = "https://open.dingtalk.com/document/orgapp/custom-bots-send-group-messages";
/** 500 bytes are for everything but the text. */
const maxBodyBytes = 20_000;
const maxTextBytes = maxBodyBytes - 500;
/** DingTalk mutes a bot that sends more for ten minutes. */
const mutedMs = 10 * 60 * 1000;

const settings = z.strictObject({
  url: urlSetting("The custom bot's webhook, https://oapi.dingtalk.com/robot/send?access_token=..."),
  secret: secretSetting('The key of the bot\'s security setting "signature", SEC..., if that is on').optional(),
  allowHttp: allowHttpSetting(),
});

/** DingTalk's Markdown has no escape, so messages are plain text, in which nothing is a mention. */
export const dingtalk = defineHttpChannel({
  docs,
  settings,
  isShared: true,
  limits: [
    { what: "text, as JSON", most: maxTextBytes, unit: "bytes", source: docs },
    ...plainLimits(maxTextBytes, ", as JSON"),
  ],
  // 20 a minute: five at once and one every four seconds never exceed that.
  rate: { messages: 5, perMs: 20_000 },
  request({ settings, message, event }, { clock }) {
    const url = settings.url.reveal();
    const secret = settings.secret?.reveal();
    const nowMs = clock.now();
    const signed =
      secret === undefined ? url : withQuery(url, { timestamp: String(nowMs), sign: signDingtalk(secret, nowMs) });
    const content = toPlainMessage(message, event.name, maxTextBytes, jsonBytes);
    return jsonPost(signed, settings.allowHttp, {
      msgtype: "text",
      text: { content },
      at: { atMobiles: [], isAtAll: false },
    });
  },
  readSuccess: (response) => readCodedSuccess(response, vendor),
  readFailure: (response) => readCodedFailure(response, vendor),
});

export function signDingtalk(secret: string, timestampMs: number): string {
  return hmacSha256(secret, `${timestampMs}\n${secret}`);
}

const newWebhook = "copy the webhook from the group's bot settings again, and set it as this channel's url";
const rateLimited: Meaning = ["rateLimited", "more than 20 messages in a minute; the bot is muted for ten", mutedMs];
const noSuchToken: Meaning = ["gone", `there is no bot with this access_token; ${newWebhook}`];

const vendor: CodedVendor = {
  name: "DingTalk",
  codeMembers: ["errcode"],
  textMembers: ["errmsg"],
  codes: {
    "-1": ["serverError", "DingTalk is busy"],
    40035: ["unauthorized", `the URL is incomplete; ${newWebhook}`],
    130101: rateLimited,
    410100: rateLimited,
    660026: rateLimited,
    300001: noSuchToken,
    300005: noSuchToken,
    400101: noSuchToken,
    400106: noSuchToken,
    400013: ["gone", "the group was dissolved; make a bot in another one and set its url"],
    400102: [
      "gone",
      "the bot is switched off; switch it on in the group's settings, or make a new one and set its url",
    ],
    310000: readSecurity,
    430101: ["rejected", "DingTalk considers a link in the text unsafe"],
    430102: ["rejected", "DingTalk considers the text improper"],
    430103: ["rejected", "DingTalk considers an image improper"],
    430104: ["rejected", "DingTalk considers the text improper"],
  },
};

/** The words tell which security setting refused. */
function readSecurity(said: string): Meaning {
  if (/sign/i.test(said))
    return ["unauthorized", "the secret is wrong; copy it from the bot's security settings again"];
  if (/timestamp/i.test(said)) return ["unauthorized", "this computer's clock is more than an hour off; set it right"];
  if (/keyword/i.test(said)) {
    return ["rejected", "the bot wants a keyword in every message; choose the signature instead, and set secret"];
  }
  if (/\bip\b|whitelist/i.test(said)) {
    return ["unauthorized", "the bot accepts messages from certain addresses only; choose the signature instead"];
  }
  return ["unauthorized", "the bot's security settings forbid it; choose the signature, and set secret"];
}
