// A question's card as rows of a terminal: what is too long for one row goes on in the next.
import { quoteMark } from "../../model/answer.ts";
import type { Message } from "../../model/message.ts";
import { graphemesOf, isPlain } from "../../model/text.ts";
import { widthOf } from "./text.ts";

/** All of the card. Every row of the agent's words begins with the mark, or below the first one, so that none looks like hookbell's. */
export function cardRows({ body, fields }: Pick<Message, "body" | "fields">, columns: number): string[] {
  return [...quotedRows(body, columns), ...fields.flatMap(({ label, value }) => rowsOf(`${label}: `, value, columns))];
}

/** The lines of `body` have the mark already. */
function quotedRows(body: string, columns: number): string[] {
  return body.split("\n").flatMap((line) => rowsOf(quoteMark, line.slice(quoteMark.length), columns));
}

function rowsOf(head: string, text: string, columns: number): string[] {
  const room = columns - head.length;
  const rows = [""];
  let used = 0;
  for (const sign of graphemesOf(text)) {
    const width = mostWidthOf(sign);
    if (used + width > room) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += sign;
    used += width;
  }
  const further = head === quoteMark ? head : " ".repeat(head.length);
  return rows.map((row, index) => `${index === 0 ? head : further}${row}`);
}

/** Terminals differ in how wide they draw what is not ASCII, and nothing may be drawn past the edge. */
function mostWidthOf(sign: string): number {
  return isPlain(sign) ? widthOf(sign) : Math.max(widthOf(sign), 2 * [...sign].length);
}
