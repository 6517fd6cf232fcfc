// Converts between offsets in a text, and lines and columns.
import type { Node } from "jsonc-parser";

/** Both count from 1, columns in code points, as editors do. */
export interface Position {
  line: number;
  column: number;
}

const lineBreak = /\r\n|\n|\r/g;

export function positionOf(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (const match of text.matchAll(lineBreak)) {
    const next = match.index + match[0].length;
    if (next > offset) break;
    line += 1;
    start = next;
  }
  const isMarked = start === 0 && text.startsWith("\uFEFF") && offset > 0;
  return { line, column: countCharacters(text, start, offset) + (isMarked ? 0 : 1) };
}

/** Copies nothing, since a file may be one line. */
function countCharacters(text: string, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index += 1) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
    count += 1;
  }
  return count;
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
