// Converts between offsets in a text, and lines and columns.
import type { Node } from "jsonc-parser";

/** Both count from 1, columns in code points, as editors do. */
export interface Position {
  line: number;
  column: number;
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** The last place that was asked for: its line's number and start, and how many characters are between. */
let last = { text: "", offset: 0, line: 1, start: 0, count: 0 };

/** Goes on from the last place: problems of one text are placed in its order, and all of it may be one line. */
export function positionOf(text: string, offset: number): Position {
  const isBehind = last.text === text && last.offset <= offset;
  let { offset: index, line, start, count } = isBehind ? last : { offset: 0, line: 1, start: 0, count: 0 };
  while (index < offset && index < text.length) {
    const code = text.codePointAt(index) ?? 0;
    const isPair = code > 0xffff || (code === carriageReturn && text.charCodeAt(index + 1) === lineFeed);
    count += 1;
    // Half of a character belongs to the whole.
    if (isPair && index + 1 === offset) return { line, column: columnOf(text, start, count) };
    index += isPair ? 2 : 1;
    if (code === lineFeed || code === carriageReturn) [line, start, count] = [line + 1, index, 0];
  }
  last = { text, offset: index, line, start, count };
  return { line, column: index === 0 ? 1 : columnOf(text, start, count) };
}

/** A byte order mark takes no column. */
function columnOf(text: string, start: number, count: number): number {
  return start === 0 && text.startsWith("\uFEFF") ? count : count + 1;
}

/** Offsets and lengths are UTF-16 units. */
export interface LineWindow {
  text: string;
  index: number;
  /** Whether the line continues before and after the text. */
  isCutBefore: boolean;
  isCutAfter: boolean;
}

/** The window has at most `reach` UTF-16 units to each side of the offset. */
export function lineAround(text: string, offset: number, reach: number): LineWindow {
  let from = offset;
  while (from > 0 && offset - from < reach && !/[\r\n\uFEFF]/.test(text[from - 1] ?? "")) from -= 1;
  let to = offset;
  while (to < text.length && to - offset < reach && !/[\r\n]/.test(text[to] ?? "")) to += 1;
  if (text.startsWith("\uFEFF") && from === 0) from = Math.min(1, to);
  return {
    text: text.slice(from, to).toWellFormed(),
    index: Math.max(0, offset - from),
    isCutBefore: from > 0 && !/[\r\n\uFEFF]/.test(text[from - 1] ?? ""),
    isCutAfter: to < text.length && !/[\r\n]/.test(text[to] ?? ""),
  };
}

/** The offset of the `index`th unit of a quoted text, which may contain escapes. */
export function offsetInText(file: string, node: Node, index: number): number {
  const end = node.offset + node.length - 1;
  let offset = node.offset + 1;
  for (let seen = 0; seen < index && offset < end; seen += 1) {
    if (file[offset] !== "\\") offset += 1;
    else offset += file[offset + 1] === "u" ? 6 : 2;
  }
  return offset;
}
