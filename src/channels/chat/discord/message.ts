// What Discord is sent: an embed.
import { markdownSyntax, plainSyntax, type Syntax } from "../../../model/rich-text/render.ts";
import type { WrittenCard } from "../../../model/answer.ts";
import type { Message } from "../../../model/message.ts";
import { writeCard } from "../../rendering/card.ts";
import type { RichMessage } from "../../channel-type.ts";
import { cut, measures } from "../../../model/text.ts";
import { levelLooks } from "../../rendering/levels.ts";
import { alignedTable } from "../../rendering/aligned-table.ts";
import { fitBody, shownFields } from "../../rendering/compose.ts";
import { fitTitle } from "../../rendering/title.ts";

/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
export const maxTitle = 256;
export const maxDescription = 4096;
export const maxFieldName = 256;
export const maxFieldValue = 1024;
export const maxFields = 25;
/** The limit holds for all embeds together. */
export const maxTotal = 6000;
/** hookbell's own limit. */
export const maxFieldCount = 10;
export const maxFieldNameLength = 64;
export const maxFieldValueLength = 192;

/** No other count is higher. */
const discordMeasure = measures.utf16;

/** No push: https://discord.com/developers/docs/resources/message#message-object-message-flags */
export const suppressNotifications = 4096;

/** What a webhook is sent: https://discord.com/developers/docs/resources/webhook#execute-webhook */
export type DiscordMessage = ReturnType<typeof toDiscordMessage>;

export function toDiscordMessage(message: RichMessage, eventName: string, isEdit = false) {
  const look = levelLooks[message.level];
  const title = fitTitle(message, eventName, maxTitle, discordMeasure, escapeDiscord);
  const fields = shownFields(message, maxFieldCount).map(({ label, value }) => ({
    // Discord refuses an empty name; a space of no width is enough.
    name: cut(label, maxFieldNameLength, discordMeasure, escapeDiscord) || "\u200B",
    value: cut(value, maxFieldValueLength, discordMeasure, escapeDiscord),
    inline: true as const,
  }));
  const used = fields.reduce((sum, { name, value }) => sum + name.length + value.length, title.length);
  const most = Math.min(maxDescription, maxTotal - used);
  const description = fitBody(message, most, discordMeasure, discordSyntax);
  const embed = {
    title,
    // It makes the title a link.
    ...(message.link === undefined ? {} : { url: message.link }),
    ...(description === "" ? {} : { description }),
    color: Number.parseInt(look.colour.slice(1), 16),
    ...(fields.length === 0 ? {} : { fields }),
  };
  return {
    embeds: [embed] as [typeof embed],
    allowed_mentions: { parse: [] as [] },
    // Discord refuses it in an edit, which sends no push anyway.
    ...(look.isQuiet && !isEdit && { flags: suppressNotifications }),
  };
}

/** A question: the card is the embed's description, which has the most room. */
export function toDiscordQuestion(message: Message, eventName: string, isEdit = false): DiscordMessage {
  const { embeds, ...rest } = toDiscordMessage({ ...message, body: "", fields: [] }, eventName, isEdit);
  return { ...rest, embeds: [{ ...embeds[0], description: renderCard(message).text }] };
}

export function renderCard(card: Message): WrittenCard {
  return writeCard(card, { most: maxDescription, measure: discordMeasure, escape: escapeDiscord });
}

/** `:` and `.` are escaped because of links. */
export function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|>#\-+[\]()<@:.]/g, "\\$&");
}

/** https://support.discord.com/hc/en-us/articles/210298617 */
const discordSyntax: Syntax = {
  ...markdownSyntax,
  text: escapeDiscord,
  // Two backticks may enclose one.
  code: (text) => (text.includes("`") ? `\`\` ${text.replaceAll("``", "`\u200B`")} \`\`` : `\`${text}\``),
  // Discord shows no link whose label is an address.
  link: (inner, url, aside) => (aside === "" ? `<${url}>` : `[${inner}](${url})${aside}`),
  heading: (inner, level) => `${"#".repeat(Math.min(level, 3))} ${inner}`,
  codeBlock,
  table: (_, texts) => codeBlock(alignedTable(texts), ""),
  rule: plainSyntax.rule,
};

function codeBlock(text: string, language: string): string {
  return `\`\`\`${language}\n${text.replaceAll("```", "`\u200B``")}\n\`\`\``;
}
