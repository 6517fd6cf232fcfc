import type { NotificationServer } from "../../../system/desktop/dbus-notifications.ts";
import { escapeMarkupAndQuotes } from "../../escape-markup.ts";
import { cut, measures, printable, printableLine } from "../../../model/text.ts";

export const appName = "hookbell";

/** Code points. Daemons show about 40 of a title and a few lines of a body; the rest only costs them time. */
export const titleLimit = 100;
/** Code points, after escaping. */
export const bodyLimit = 1000;

/** dunst renders markup by default and yet does not list `body-markup`. */
const markupServersThatDoNotSay = new Set(["dunst"]);

/**
 * The body such that every character of it is seen as it is. A daemon that renders markup gets it escaped; from one
 * that does not say so, `&lt;` might be seen, so each `<` gets a zero-width space behind it, which is no tag to anybody.
 */
export function writeBody(body: string, server: Pick<NotificationServer, "name" | "capabilities">): string {
  const rendersMarkup = server.capabilities.includes("body-markup") || markupServersThatDoNotSay.has(server.name);
  return cut(
    printable(body).trim(),
    bodyLimit,
    measures.codePoints,
    rendersMarkup ? escapeMarkupAndQuotes : defuseMarkup,
  );
}

function defuseMarkup(text: string): string {
  return text.replaceAll("<", "<\u200B");
}

/** Titles are plain text in the protocol and are never escaped. */
export function writeTitle(title: string): string {
  return cut(printableLine(title), titleLimit) || appName;
}
