// What Google Chat is sent: a card.
import type { AgentEvent } from "../../../model/event.ts";
import type { Message } from "../../../model/message.ts";
import { cut } from "../../../model/text.ts";
import { bodyText, escapeMarkup, fieldLines, jsonBytes, lineOfAll, titleLine } from "../../compose.ts";
import { levelLooks } from "../../levels.ts";
import { sessionKey } from "../../session-message.ts";

/** Text and cards together: https://developers.google.com/workspace/chat/create-messages */
export const maxRequest = 32_000;
/** https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages#thread */
export const maxThreadKey = 4000;
/** Ours: with the card around them, below `maxRequest`. */
export const maxTitle = 1000;
export const maxBody = 24_000;
export const maxField = 300;
export const maxFields = 10;
export const maxFallback = 1000;

/** https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages */
export interface GoogleChatMessage {
  /** Phones show it instead of the card; plain text. */
  fallbackText: string;
  cardsV2: [{ cardId: string; card: { sections: [{ widgets: { textParagraph: { text: string } }[] }] } }];
  thread?: { threadKey: string };
}

/** A card, because its text has an escape; plain messages have none for `<users/all>` and `*bold*`. */
export function toGoogleChatMessage(message: Message, event: AgentEvent, isThreaded: boolean): GoogleChatMessage {
  const title = titleLine(message, event.name);
  const body = bodyText(message);
  const fields = fieldLines(message, maxFields).map((line) => cut(line, maxField, jsonBytes, escapeParagraph));
  const summary = lineOfAll(message, event.name, maxFallback);
  const shownTitle = cut(title, maxTitle, jsonBytes, escapeParagraph);
  const texts = [
    `<b><font color="${levelLooks[message.level].textColour}">${shownTitle}</font></b>`,
    cut(body, maxBody, jsonBytes, escapeParagraph),
    fields.join("<br>"),
  ];
  const widgets = texts.filter((text) => text !== "").map((text) => ({ textParagraph: { text } }));
  return {
    fallbackText: cut(summary, maxFallback, jsonBytes, withoutMention),
    cardsV2: [{ cardId: "hookbell", card: { sections: [{ widgets }] } }],
    ...(isThreaded && event.session !== "" ? { thread: { threadKey: `hookbell-${sessionKey(event)}` } } : {}),
  };
}

/** `<users/all>` is a mention in plain text. */
function withoutMention(text: string): string {
  return text.replaceAll("<", "<\u200B");
}

/** https://developers.google.com/workspace/chat/format-messages#card-formatting */
function escapeParagraph(text: string): string {
  return escapeMarkup(text).replaceAll("\n", "<br>");
}
