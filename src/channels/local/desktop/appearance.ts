// How a notification looks on a desktop, and the settings for it.
import * as z from "zod";
import type { WrittenCard } from "../../../model/answer.ts";
import type { Message } from "../../../model/message.ts";
import { measures } from "../../../model/text.ts";
import type { NotificationServer } from "../../../system/desktop/dbus-notifications.ts";
import { type Screen, writeCard } from "../../rendering/card.ts";
import type { RichMessage, SendRequest } from "../../channel-type.ts";
import { escapeMarkupAndQuotes, toNotification, withoutTags } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";
import { hasSession, type Update, updateSetting } from "../../session-message.ts";
import { durationSetting } from "../../settings.ts";

export const appName = "hookbell";

/** hookbell's own limit. Daemons wrap a longer title than their width. */
export const titleLimit = 100;
/** hookbell's own limit, after escaping. */
export const bodyLimit = 1000;

/** dunst renders markup without listing `body-markup`. */
const markupServersThatDoNotSay = new Set(["dunst"]);

type Server = Pick<NotificationServer, "name" | "capabilities">;

/** Without a server, the helper of node-notifier shows it, as plain text. */
export function writeFor(message: RichMessage, server: Server | undefined): { title: string; body: string } {
  return toNotification(message, appName, {
    maxTitle: titleLimit,
    maxBody: bodyLimit,
    measure: measures.codePoints,
    mayLackBody: true,
    escape: server === undefined ? (text) => text : escapeFor(server),
  });
}

/**
 * A daemon that renders markup gets the body escaped. Another one might show `&lt;`, so there each `<` gets a zero-width
 * space after it, which ends any tag.
 */
function escapeFor({ name, capabilities }: Server): (text: string) => string {
  const rendersMarkup = capabilities.includes("body-markup") || markupServersThatDoNotSay.has(name);
  return rendersMarkup ? escapeMarkupAndQuotes : withoutTags;
}

/** What each daemon shows of a body under its own default settings: measured, GNOME's in its source (`messageList.js`). */
const screens: Readonly<Record<string, Screen>> = {
  dunst: { rows: 18, columns: 26 },
  // A height of 100 pixels, with the title: https://man.archlinux.org/man/mako.5
  mako: { rows: 4, columns: 34 },
  "gnome-shell": { rows: 6, columns: 40 },
  "Notification Daemon": { rows: 30, columns: 30 },
  "Xfce Notify Daemon": { rows: 5, columns: 36 },
};
const largestScreen: Screen = { rows: 30, columns: 40 };
const unknownScreen: Screen = { rows: 5, columns: 30 };

/** The card fits the largest screen, because the daemon that shows it is known only then. */
export function renderCard(card: Message): WrittenCard {
  return cardOn(card, largestScreen);
}

/** A question. The card is no longer than the screen, and escaping does not count, since it is not shown. */
export function writeQuestionFor(message: Message, server: Server): { title: string; body: string; isWhole: boolean } {
  const { text, isWhole } = cardOn(message, screens[server.name] ?? unknownScreen);
  const title = fitTitle(message, appName, titleLimit);
  return { title, body: escapeFor(server)(text), isWhole };
}

function cardOn(card: Message, screen: Screen): WrittenCard {
  return writeCard(card, { most: bodyLimit, measure: measures.codePoints, escape: (text) => text, screen });
}

/** https://specifications.freedesktop.org/notification-spec/latest/urgency-levels.html */
export const urgencies = { low: 0, normal: 1, critical: 2 } as const;

export const desktopSettings = z.strictObject({
  displayFor: durationSetting(
    "How long it stays on the screen. By default, what needs you or failed stays until it is answered or closed",
  ).optional(),
  update: updateSetting("replace"),
  urgency: z
    .enum(["low", "normal", "critical"])
    .describe("Instead of the level's urgency; critical ones stay until you close them")
    .optional(),
  click: z
    .union([z.enum(["terminal", "none"]), z.url({ protocol: /^[a-z][a-z0-9+.-]*$/ })], {
      error: 'expected "terminal", "none" or a link',
    })
    .default("terminal")
    .describe('What a click does. "terminal": raise the session\'s terminal; "none": nothing; a link: open it'),
  daemonSound: z.boolean().default(false).describe("Let the desktop play its own sound"),
});
export type DesktopSettings = z.infer<typeof desktopSettings>;

/** A notification that replaces another one appears again. */
export function replacesEarlier(
  { update }: { update?: Update | undefined },
  request: Pick<SendRequest<unknown>, "event" | "isList">,
): boolean {
  return (update ?? "replace") === "replace" && hasSession(request);
}
