// What Feishu is sent: a card.
import type { Level } from "../../../model/level.ts";
import type { Message } from "../../../model/message.ts";
import { cut } from "../../../model/text.ts";
import { bodyText, fieldLines, jsonBytes, titleLine } from "../../compose.ts";

/** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot says 20 KB. */
export const maxRequestBytes = 20_000;
/** Ours: with the card around them, below that. */
export const maxTitleBytes = 600;
export const maxFieldBytes = 500;
const maxFields = 10;
export const maxBodyBytes = maxRequestBytes - maxTitleBytes - maxFields * (maxFieldBytes + 100) - 1000;

/** https://open.feishu.cn/document/common-capabilities/message-card/message-cards-content/card-header */
const templates: Readonly<Record<Level, string>> = {
  info: "blue",
  success: "green",
  attention: "orange",
  error: "red",
};

interface PlainText {
  tag: "plain_text";
  content: string;
}
interface Division {
  tag: "div";
  text?: PlainText;
  fields?: { is_short: boolean; text: PlainText }[];
}

/** https://open.feishu.cn/document/common-capabilities/message-card/message-cards-content */
export interface FeishuCard {
  header: { title: PlainText; template: string };
  elements: Division[];
}

/** All texts are `plain_text`, in which Feishu reads no markup and no mentions. */
export function toFeishuCard(message: Message, eventName: string): FeishuCard {
  const body = bodyText(message);
  const fields = fieldLines(message, maxFields);
  const elements: Division[] = [];
  if (body !== "") elements.push({ tag: "div", text: plainText(body, maxBodyBytes) });
  if (fields.length > 0) {
    elements.push({
      tag: "div",
      fields: fields.map((field) => ({ is_short: true, text: plainText(field, maxFieldBytes) })),
    });
  }
  return {
    header: {
      title: plainText(titleLine(message, eventName), maxTitleBytes),
      template: templates[message.level],
    },
    elements,
  };
}

function plainText(text: string, most: number): PlainText {
  return { tag: "plain_text", content: cut(withoutFeishuEmoji(text), most, jsonBytes, withoutFeishuMention) };
}

/** `<at user_id="all">` is a mention in Feishu's other kinds of text. */
function withoutFeishuMention(text: string): string {
  return text.replaceAll("<", "<\u200B");
}

/** `:OK:` is a picture even in `plain_text`. */
function withoutFeishuEmoji(text: string): string {
  return text.replace(/:(?=[A-Za-z_]{1,30}:)/g, ":\u200B");
}
