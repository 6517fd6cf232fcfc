import { graphemesOf, measures } from "../../../model/text.ts";
import { escapeMarkup } from "../../escape-markup.ts";

/**
 * Slack's only escape (https://docs.slack.dev/messaging/formatting-message-text#escaping); without `<` there is no
 * mention, no link and no `<!channel>`.
 */
export const escapeSlack = escapeMarkup;

const zeroWidthSpace = "\u200B";
/** `snake_case` and `2*3` format nothing and stay as they are, so that names can be copied out of the message. */
const delimiter = /(?<![\p{L}\p{N}])[*_~`]+|[*_~`]+(?![\p{L}\p{N}])/gu;
/** `:tada:`; a workspace gives its own pictures names in any script. */
const emojiStart = /:(?=[\p{L}\p{M}\p{N}_+'-]+:)/gu;
const quoteStart = /^(?=[^\S\n]*>)/gm;

/**
 * mrkdwn has no escape for `*bold*` and its like: a space of no width on both sides keeps them from pairing up, and a
 * name from being an emoji's, and a `>` from being a line's first sign.
 */
export function withoutMrkdwn(text: string): string {
  return text
    .replace(delimiter, (marks) => `${zeroWidthSpace}${[...marks].join(zeroWidthSpace)}${zeroWidthSpace}`)
    .replace(emojiStart, `:${zeroWidthSpace}`)
    .replace(quoteStart, zeroWidthSpace);
}

/**
 * An escaped text in pieces of at most `most` UTF-16 units, parted at a line's end where there is one in the second
 * half, and never within a grapheme or an entity.
 */
export function splitEscaped(escaped: string, most: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const part of atoms(escaped)) {
    if (piece.length + part.length > most) {
      const lineEnd = piece.lastIndexOf("\n");
      const end = lineEnd > most / 2 ? lineEnd : piece.length;
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end).replace(/^\n/, "");
    }
    piece += part;
  }
  if (piece !== "") pieces.push(piece);
  return pieces.filter((text) => text.trim() !== "");
}

function* atoms(escaped: string): Generator<string> {
  for (const part of escaped.split(/(&(?:amp|lt|gt);)/)) {
    if (part.startsWith("&")) yield part;
    else yield* graphemesOf(part);
  }
}

/** Slack says "characters" and not which; UTF-16 units are never fewer than any other count of them. */
export const slackMeasure = measures.utf16;
