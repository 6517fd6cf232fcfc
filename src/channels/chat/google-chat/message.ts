// What Google Chat is sent: a card.
import type { AgentEvent } from "../../../model/event.ts";
import { plainSyntax, type Syntax } from "../../../model/rich-text/render.ts";
import type { RichMessage } from "../../channel-type.ts";
import { cut } from "../../../model/text.ts";
import {
  escapeMarkup,
  escapeMarkupAndQuotes,
  fieldLines,
  fitBody,
  jsonBytes,
  lineOfAll,
  withoutTags,
} from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import { levelLooks } from "../../rendering/levels.ts";
import { sessionKey } from "../../session-message.ts";

/** Text and cards together: https://developers.google.com/workspace/chat/create-messages */
export const maxRequest = 32_000;
/** https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages#thread */
export const maxThreadKey = 4000;
/** hookbell's own limit. */
export const maxTitle = 1000;
export const maxBody = 24_000;
export const maxField = 300;
export const maxFields = 10;
export const maxFallback = 1000;

/**
 * https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages; plain messages have no escape for
 * `<users/all>` and `*bold*`.
 */
export function toGoogleChatMessage(message: RichMessage, event: AgentEvent, isThreaded: boolean) {
  const fields = fieldLines(message, maxFields).map((line) => cut(line, maxField, jsonBytes, escapeParagraph));
  const shownTitle = fitTitle(message, event.name, maxTitle, jsonBytes, escapeParagraph);
  const texts = [
    `<b><font color="${levelLooks[message.level].textColour}">${shownTitle}</font></b>`,
    fitBody(message, maxBody, jsonBytes, paragraphSyntax),
    fields.join("<br>"),
  ];
  const widgets = texts.filter((text) => text !== "").map((text) => ({ textParagraph: { text } }));
  return {
    // Phones show it in place of the card.
    fallbackText: lineOfAll(message, event.name, maxFallback, jsonBytes, withoutTags),
    cardsV2: [{ cardId: "hookbell", card: { sections: [{ widgets }] } }],
    ...(isThreaded && event.session !== "" ? { thread: { threadKey: `hookbell-${sessionKey(event)}` } } : {}),
  };
}

/** https://developers.google.com/workspace/chat/format-messages#card-formatting */
function escapeParagraph(text: string): string {
  return escapeMarkup(text).replaceAll("\n", "<br>");
}

const paragraphSyntax: Syntax = {
  ...plainSyntax,
  text: escapeParagraph,
  break: "<br>",
  strong: (inner) => `<b>${inner}</b>`,
  emphasis: (inner) => `<i>${inner}</i>`,
  strike: (inner) => `<s>${inner}</s>`,
  code: escapeParagraph,
  link: (inner, url, aside) => `<a href="${escapeMarkupAndQuotes(url)}">${inner}</a>${aside}`,
  heading: (inner) => `<b>${inner}</b>`,
  codeBlock: (text) => escapeParagraph(text.replace(/^ +/gm, (blanks) => "\u00A0".repeat(blanks.length))),
  quote: (inner) => `&gt; ${inner.replaceAll("<br>", "<br>&gt; ")}`,
  list(items, start) {
    const asLines = items.map((item) => item.replaceAll("<br>", "\n"));
    return plainSyntax.list(asLines, start).replaceAll("\n", "<br>");
  },
  table: (rows, texts) => plainSyntax.table(rows, texts).replaceAll("\n", "<br>"),
  gap: "<br><br>",
};
