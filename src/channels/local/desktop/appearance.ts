import * as z from "zod";
import type { AgentEvent } from "../../../model/event.ts";
import { cut, measures, printable, printableLine } from "../../../model/text.ts";
import type { NotificationServer } from "../../../system/desktop/dbus-notifications.ts";
import { escapeMarkupAndQuotes } from "../../compose.ts";
import { hasSession, type Update, updateSetting } from "../../session-message.ts";
import { durationSetting } from "../../settings.ts";

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

/** Of the notification service: https://specifications.freedesktop.org/notification-spec/latest/urgency-levels.html */
export const urgencies = { low: 0, normal: 1, critical: 2 } as const;

export const desktopSettings = z.strictObject({
  displayFor: durationSetting(
    "how long it stays on the screen, where the desktop lets us say; else it decides",
  ).optional(),
  update: updateSetting("replace"),
  urgency: z
    .enum(["low", "normal", "critical"])
    .describe("instead of the one that goes with the level; critical ones stay until they are closed")
    .optional(),
  daemonSound: z.boolean().default(false).describe("let the desktop play its own sound with it"),
});
export type DesktopSettings = z.infer<typeof desktopSettings>;

/** Usual here, unlike elsewhere: what replaces a notification on the screen is shown anew, and a session fills no screen. */
export function replacesEarlier({ update }: { update?: Update | undefined }, event: AgentEvent): boolean {
  return (update ?? "replace") === "replace" && hasSession(event);
}
