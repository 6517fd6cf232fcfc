// What Teams is sent: an adaptive card.
import type { Level } from "../../../model/level.ts";
import type { Message } from "../../../model/message.ts";
import { cut } from "../../../model/text.ts";
import { bodyText, fieldLines, jsonBytes, titleLine } from "../../compose.ts";

/** https://learn.microsoft.com/connectors/teams/ says about 28 KB, but Teams has refused less. */
export const maxRequest = 20_000;
/** Ours: with the card around them, below `maxRequest`. */
export const maxTitle = 1000;
export const maxBody = 15_000;
export const maxField = 300;
export const maxFields = 10;

/** https://adaptivecards.io/explorer/TextRun.html */
const colours = { info: "Accent", success: "Good", attention: "Warning", error: "Attention" } as const satisfies Record<
  Level,
  string
>;

/** What a workflow from Teams' own template accepts; it loops over `attachments`. */
export interface TeamsMessage {
  type: "message";
  attachments: [{ contentType: "application/vnd.microsoft.card.adaptive"; contentUrl: null; content: TeamsCard }];
}
interface TeamsCard {
  $schema: "http://adaptivecards.io/schemas/adaptive-card.json";
  type: "AdaptiveCard";
  version: "1.4";
  body: RichText[];
  msteams: { width: "full" };
}
interface RichText {
  type: "RichTextBlock";
  inlines: [Run];
}
interface Run {
  type: "TextRun";
  text: string;
  size?: "Small" | "Large";
  weight?: "Bolder";
  color?: (typeof colours)[Level];
  isSubtle?: true;
}

/** Text runs, because text blocks and fact sets read Markdown. A mention would need an entry in `msteams.entities`. */
export function toTeamsMessage(message: Message, eventName: string): TeamsMessage {
  const title = cut(withoutDates(titleLine(message, eventName)), maxTitle, jsonBytes);
  const body = cut(withoutDates(bodyText(message)), maxBody, jsonBytes);
  const fields = fieldLines(message, maxFields).map((line) => cut(withoutDates(line), maxField, jsonBytes));
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            richText({ text: title, size: "Large", weight: "Bolder", color: colours[message.level] }),
            ...(body === "" ? [] : [richText({ text: body })]),
            ...(fields.length === 0 ? [] : [richText({ text: fields.join("\n"), size: "Small", isSubtle: true })]),
          ],
          msteams: { width: "full" },
        },
      },
    ],
  };
}

function richText(run: Omit<Run, "type">): RichText {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", ...run }] };
}

/** Cards turn `{{DATE(…)}}` and `{{TIME(…)}}` into the reader's own: https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features */
function withoutDates(text: string): string {
  return text.replace(/\{(?=\{(?:DATE|TIME)\()/gi, "{\u200B");
}
