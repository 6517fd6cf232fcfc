// Writes the card of a question as one text, and says whether all of it is there.
import { quoteMark, type WrittenCard } from "../../model/answer.ts";
import type { Message } from "../../model/message.ts";
import { cut, headAndTail, type Measure } from "../../model/text.ts";
import { columnsOf } from "../../model/rich-text/columns.ts";

/** What a screen shows of a notification; it cuts what is longer. */
export interface Screen {
  rows: number;
  columns: number;
}

/**
 * Android shows 13 lines of an expanded notification, and buttons take four of them:
 * https://developer.android.com/develop/ui/views/notifications/expanded#large-style. An iPhone shows more.
 */
export const phoneScreen: Screen = { rows: 9, columns: 40 };

/** How much of a card one channel type can show. */
export interface CardRoom {
  /** The longest text, as `measure` counts it after `escape`. */
  most: number;
  measure: Measure;
  escape: (text: string) => string;
  /** Absent where people can scroll. */
  screen?: Screen | undefined;
}

/** A card that does not fit keeps its beginning and its end, and counts what is between them. */
export function writeCard({ body, fields }: Pick<Message, "body" | "fields">, room: CardRoom): WrittenCard {
  const { most, measure, escape, screen } = room;
  // A screen has few rows.
  const between = screen === undefined ? "\n" : " · ";
  const write = (text: string, maxField = Infinity): string => {
    const lines = fields.map(({ label, value }) => `${label}: ${cut(value, maxField)}`);
    return [text, lines.join(between)].filter((part) => part !== "").join("\n");
  };
  const fits = (text: string): boolean =>
    measure(escape(text)) <= most && (screen === undefined || isOnScreen(escape(text), screen));
  const whole = write(body);
  if (fits(whole)) return { text: escape(whole), isWhole: true };
  const kept = (length: number): string => write(headAndTail(body, length, leftOut), maxShortField);
  let length = Math.min(body.length, most);
  while (length > leastKept && !fits(kept(length))) length = Math.floor(length * shrinking);
  return { text: cut(kept(length), most, measure, escape), isWhole: false };
}

const maxShortField = 60;
/** Less would say nothing, even where the screen has no room for it. */
const leastKept = 80;
/** Each try is shorter than the last by this factor. */
const shrinking = 0.9;

function leftOut(omitted: number): string {
  return `\n⋯ ${omitted} characters left out ⋯\n${quoteMark}`;
}

/** Counting rows takes longer than measuring the whole text. */
function isOnScreen(text: string, { rows, columns }: Screen): boolean {
  return columnsOf(text) <= rows * columns && rowsOf(text, columns) <= rows;
}

/** The most rows that the text takes, whether the screen breaks lines only at blanks or also behind other signs. */
function rowsOf(text: string, columns: number): number {
  return text.split("\n").reduce((rows, line) => {
    const ways = [line.split(/(?<= )/), line.split(/(?<=[^\p{L}\p{M}\p{N}_])/u)];
    return rows + Math.max(...ways.map((words) => rowsOfLine(words, columns)));
  }, 0);
}

function rowsOfLine(words: readonly string[], columns: number): number {
  let rows = 1;
  let used = 0;
  for (const word of words) {
    const width = widthOf(word, columns);
    if (used > 0 && used + width > columns) {
      rows += 1;
      used = 0;
    }
    used += width;
    // A word that is longer than a row is broken anywhere; a wide sign does not fit into its last column.
    while (used > columns) {
      rows += 1;
      used -= columns - 1;
    }
  }
  return rows;
}

/** Basic letters of widespread scripts, and hookbell's own marks. */
const ofKnownSize =
  /[\x20-\x7E\u2060\u00A0-\u017F\u0391-\u03C9\u0410-\u044F\u05D0-\u05EA\u3041-\u3096\u30A1-\u30FC\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF5E…⟨⟩⋯│⇥·]|[\u0300-\u036F]/gu;

/**
 * The unit is a digit's width. In a font whose letters differ in width, the widest are half as wide again. A sign whose
 * size differs between fonts takes a row: `﷽` is as wide as ten digits, Tibetan stacks are as high as three lines, and a
 * font that lacks a sign shows its number in a box.
 */
function widthOf(text: string, columns: number): number {
  const unknown = [...text.replace(ofKnownSize, "")].length;
  const wide = text.match(/[A-Zmw@%&⟨⟩⋯À-ÞĀ-ſ\p{Script=Cyrillic}\p{Script=Greek}]/gu)?.length ?? 0;
  return columnsOf(text) + wide / 2 + unknown * columns;
}
