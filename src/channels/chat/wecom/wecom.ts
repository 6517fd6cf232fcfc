// WeCom (Enterprise WeChat): a group bot.
import * as z from "zod";
import { measures } from "../../../model/text.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { jsonPost } from "../../vendor-request.ts";
import { plainLimits, toPlainMessage, withoutTags } from "../../rendering/compose.ts";
import { allowHttpSetting, urlSetting } from "../../settings.ts";
import { type CodedVendor, type Meaning, ourBug, readCodedFailure, readCodedSuccess } from "../../vendor-answer.ts";

const docs = "https://developer.work.weixin.qq.com/document/path/91770";
const maxContentBytes = 2048;
const throttledMs = 60_000;

const settings = z.strictObject({
  url: urlSetting("The group bot's webhook, https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=..."),
  allowHttp: allowHttpSetting(),
});

/** WeCom's Markdown has no escape, so messages are plain text, whose only syntax is `<@userid>`. */
export const wecom = defineHttpChannel({
  docs,
  settings,
  isShared: true,
  limits: [{ what: "text", most: maxContentBytes, unit: "bytes", source: docs }, ...plainLimits(maxContentBytes)],
  // 20 a minute: five at once and one every four seconds never exceed that.
  rate: { messages: 5, perMs: 20_000 },
  request({ settings, message, event }) {
    const content = toPlainMessage(message, event.name, maxContentBytes, measures.bytes, withoutTags);
    return jsonPost(settings.url.reveal(), settings.allowHttp, { msgtype: "text", text: { content } });
  },
  readSuccess: (response) => readCodedSuccess(response, vendor),
  readFailure: (response) => readCodedFailure(response, vendor),
});

const newWebhook = "copy the webhook from the group's bot settings again, and set it as this channel's url";
const throttled: Meaning = ["rateLimited", "more than 20 messages in a minute", throttledMs];

/** https://developer.work.weixin.qq.com/document/path/90313 */
const vendor: CodedVendor = {
  name: "WeCom",
  codeMembers: ["errcode"],
  textMembers: ["errmsg"],
  codes: {
    "-1": ["serverError", "WeCom is busy"],
    45009: throttled,
    45033: throttled,
    93000: (said) =>
      /exceed/i.test(said) ? ["rejected", ourBug] : ["gone", `there is no bot with this key; ${newWebhook}`],
    40008: ["rejected", ourBug],
    40058: ["rejected", ourBug],
    44004: ["rejected", ourBug],
    45002: ["rejected", ourBug],
  },
};
