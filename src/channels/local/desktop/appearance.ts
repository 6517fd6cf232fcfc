// How a notification looks on a desktop, and the settings for it.
import * as z from "zod";
import type { AgentEvent } from "../../../model/event.ts";
import { cut, measures, printable, printableLine } from "../../../model/text.ts";
import type { NotificationServer } from "../../../system/desktop/dbus-notifications.ts";
import { escapeMarkupAndQuotes } from "../../compose.ts";
import { hasSession, type Update, updateSetting } from "../../session-message.ts";
import { durationSetting } from "../../settings.ts";

export const appName = "hookbell";

/** Code points. Daemons show about 40 of a title and a few lines of a body. */
export const titleLimit = 100;
/** Code points, after escaping. */
export const bodyLimit = 1000;

/** dunst renders markup by default, but does not list `body-markup`. */
const markupServersThatDoNotSay = new Set(["dunst"]);

/**
 * A daemon that renders markup gets the body escaped. Another one might show `&lt;`, so there each `<` gets a zero-width
 * space after it, which ends any tag.
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

/** Titles are plain text in the protocol. */
export function writeTitle(title: string): string {
  return cut(printableLine(title), titleLimit) || appName;
}

/** https://specifications.freedesktop.org/notification-spec/latest/urgency-levels.html */
export const urgencies = { low: 0, normal: 1, critical: 2 } as const;

export const desktopSettings = z.strictObject({
  displayFor: durationSetting("How long it stays on the screen; many desktops ignore it").optional(),
  update: updateSetting("replace"),
  urgency: z
    .enum(["low", "normal", "critical"])
    .describe("Instead of the level's urgency; critical ones stay until you close them")
    .optional(),
  daemonSound: z.boolean().default(false).describe("Let the desktop play its own sound"),
});
export type DesktopSettings = z.infer<typeof desktopSettings>;

/** The default on a desktop: a notification that replaces another one appears again, and sessions do not fill the screen. */
export function replacesEarlier({ update }: { update?: Update | undefined }, event: AgentEvent): boolean {
  return (update ?? "replace") === "replace" && hasSession(event);
}
