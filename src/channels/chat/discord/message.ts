import type { Message } from "../../../model/message.ts";
import { cut, measures } from "../../../model/text.ts";
import { levelLooks } from "../../levels.ts";
import { bodyText, shownFields, titleLine } from "../../compose.ts";

/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
export const maxTitle = 256;
export const maxDescription = 4096;
export const maxFieldName = 256;
export const maxFieldValue = 1024;
export const maxFields = 25;
/** Title, description and fields of all embeds together. */
export const maxTotal = 6000;
/** Ours, so that the fields leave room for the body. */
export const maxFieldCount = 10;
export const maxFieldNameLength = 64;
export const maxFieldValueLength = 192;

/** Discord says "characters" and not which; UTF-16 units are never fewer than any other count of them. */
const discordMeasure = measures.utf16;

const suppressNotifications = 4096;

/** What a webhook is sent: https://discord.com/developers/docs/resources/webhook#execute-webhook */
export interface DiscordMessage {
  embeds: [
    {
      title: string;
      description?: string;
      color: number;
      fields?: { name: string; value: string; inline: true }[];
    },
  ];
  /** Nobody is pinged, whatever the text says. */
  allowed_mentions: { parse: [] };
  /** Set for what shall not ring: https://discord.com/developers/docs/resources/message#message-object-message-flags */
  flags?: typeof suppressNotifications;
}

/**
 * Everything stands in one embed, where no mention pings. An earlier message that is edited to this loses what it had,
 * since the embeds are replaced as a whole.
 */
export function toDiscordMessage(message: Message, eventName: string, isEdit = false): DiscordMessage {
  const look = levelLooks[message.level];
  const title = cut(titleLine(message, eventName), maxTitle, discordMeasure, escapeDiscord);
  const fields = shownFields(message, maxFieldCount).map(({ label, value }) => ({
    // A field without a name is refused; a space of no width is a name.
    name: cut(label, maxFieldNameLength, discordMeasure, escapeDiscord) || "\u200B",
    value: cut(value, maxFieldValueLength, discordMeasure, escapeDiscord),
    inline: true as const,
  }));
  const used = fields.reduce((sum, { name, value }) => sum + name.length + value.length, title.length);
  const most = Math.min(maxDescription, maxTotal - used);
  const description = cut(bodyText(message), most, discordMeasure, escapeDiscord);
  return {
    embeds: [
      {
        title,
        ...(description === "" ? {} : { description }),
        color: Number.parseInt(look.colour.slice(1), 16),
        ...(fields.length === 0 ? {} : { fields }),
      },
    ],
    allowed_mentions: { parse: [] },
    // An edit rings nothing anyhow, and Discord takes no such flag with one.
    ...(look.isQuiet && !isEdit && { flags: suppressNotifications }),
  };
}

/**
 * Discord's Markdown with a backslash before all that opens emphasis, code, a quote, a heading, a list, a link, a
 * mention, an emoji, a time or a spoiler; without `:` and `.` no address becomes a link either.
 */
export function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|>#\-+[\]()<@:.]/g, "\\$&");
}
