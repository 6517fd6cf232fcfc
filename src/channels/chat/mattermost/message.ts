import type { Message } from "../../../model/message.ts";
import { cut, measures, printableLine } from "../../../model/text.ts";
import { levelLooks } from "../../levels.ts";
import { escapeMattermost, withoutMattermostMeaning } from "./mattermost-text.ts";
import { bodyText, fieldLines, titleLine } from "../../compose.ts";

/** What Mattermost would make several posts of: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const maxPost = 16_383;
/** Ours: a title stays a line or two. */
export const maxTitle = 300;
/** Ours: as much as a post may have, less title, fields and room for what the server adds. */
export const maxBody = 12_000;
/** Ours: what a phone's notification shows. */
export const maxFallback = 1000;
/** Ours: a label with its value. */
export const maxField = 150;
export const maxFields = 10;

/** What an incoming webhook is sent: https://developers.mattermost.com/integrate/webhooks/incoming/#parameters */
export interface MattermostMessage {
  text: string;
  attachments: MattermostAttachment[];
  priority?: { priority: "important" | "urgent" };
  /** No push and no unread mark. */
  silent?: true;
}
/** https://developers.mattermost.com/integrate/reference/message-attachments/ */
interface MattermostAttachment {
  fallback: string;
  color: string;
  text: string;
}

/** The title is the post, the body and the fields hang below it with the level's colour. */
export function toMattermostMessage(message: Message, eventName: string): MattermostMessage {
  const title = titleLine(message, eventName);
  const body = bodyText(message);
  const { colour, isQuiet, mattermostPriority: priority } = levelLooks[message.level];
  const below = [fit(body, maxBody), ...fieldLines(message, maxFields).map((field) => fit(field, maxField))];
  const text = below.filter((part) => part !== "").join("\n");
  return {
    text: `**${fit(title, maxTitle)}**`,
    attachments: text === "" ? [] : [{ fallback: fallback(body || title), color: colour, text }],
    ...(priority && { priority: { priority } }),
    ...(isQuiet && { silent: true }),
  };
}

/** Measured in code points, which the server counts; escaped first. */
function fit(text: string, most: number): string {
  // A cut right behind a `_`, where its second space of no width or the rest of a name was, would let it end an emphasis.
  return cut(withoutMattermostMeaning(text), most, measures.codePoints, escapeMattermost).replace(/_+…$/, "…");
}

/** Shown as it stands, so without backslashes; mentions are broken all the same. */
function fallback(text: string): string {
  return cut(withoutMattermostMeaning(printableLine(text.slice(0, 16 * maxFallback))), maxFallback);
}
