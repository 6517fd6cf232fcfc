// A text with its structure, independent of any syntax: what Markdown is read into, and every channel writes from.
import { graphemesOf, printable } from "../text.ts";

export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "break" }
  | { type: "strong" | "emphasis" | "strike"; children: readonly Inline[] }
  | { type: "link"; url: string; children: readonly Inline[] };

export type Block =
  | { type: "paragraph"; children: readonly Inline[] }
  | { type: "heading"; level: number; children: readonly Inline[] }
  | { type: "code"; language: string; text: string }
  | { type: "quote"; blocks: readonly Block[] }
  /** `start` is the first number of an ordered list. */
  | { type: "list"; start?: number | undefined; items: readonly (readonly Block[])[] }
  /** The first row is the head; a cell is a line of inlines. */
  | { type: "table"; rows: readonly (readonly (readonly Inline[])[])[] }
  | { type: "rule" };

/** In UTF-16 units, far above any channel's limit. */
const maxRead = 220_000;
/** Of a text without its middle: what is left of its end, because it may have a question there. */
const endShare = 1 / 10;
const gap = "…\n\n";

/** The text without control characters, and without its middle where it is longer than anything shows. */
export function bounded(text: string, most: number = maxRead): string {
  if (text.length <= most) return printable(text);
  const end = Math.floor(most * endShare);
  return printable(text.slice(0, most - end - gap.length) + gap + text.slice(-end));
}

/** A text without any syntax: its paragraphs, each with its lines. */
export function plainBlocks(text: string): Block[] {
  return bounded(text)
    .trim()
    .split(/\n(?:[^\S\n]*\n)+/)
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => ({ type: "paragraph", children: [{ type: "text", text: paragraph }] }));
}

/** The text of inlines; a break is a line's end, so that every position is the same as in `sliceBlocks`. */
export function textOf(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === "break") return "\n";
      return "text" in inline ? inline.text : textOf(inline.children);
    })
    .join("");
}

/** In UTF-16 units; a rule counts as one. */
export function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + lengthOfBlock(block), 0);
}

export function lengthOfBlock(block: Block): number {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return lengthOfInlines(block.children);
    case "code":
      return block.text.length;
    case "quote":
      return lengthOf(block.blocks);
    case "list":
      return block.items.reduce((sum, item) => sum + lengthOf(item), 0);
    case "table":
      return block.rows.flat().reduce((sum, cell) => sum + lengthOfInlines(cell), 0);
    case "rule":
      return 1;
  }
}

function lengthOfInlines(inlines: readonly Inline[]): number {
  return inlines.reduce((sum, inline) => {
    if (inline.type === "break") return sum + 1;
    return sum + ("text" in inline ? inline.text.length : lengthOfInlines(inline.children));
  }, 0);
}

/** The part between two positions; never half a grapheme. A numbered list goes on with its numbers. */
export function sliceBlocks(blocks: readonly Block[], from: number, to: number): Block[] {
  return slice(blocks, lengthOfBlock, sliceBlock, from, to);
}

function sliceBlock(block: Block, from: number, to: number): Block {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return { ...block, children: sliceInlines(block.children, from, to) };
    case "code":
      return { ...block, text: sliceText(block.text, from, to) };
    case "quote":
      return { ...block, blocks: sliceBlocks(block.blocks, from, to) };
    case "list": {
      const items = slice<readonly Block[]>(block.items, lengthOf, sliceBlocks, from, to);
      if (block.start === undefined) return { ...block, items };
      let passed = 0;
      const before = block.items.findIndex((item) => (passed += lengthOf(item)) > from);
      return { ...block, items, start: block.start + Math.max(before, 0) };
    }
    case "table": {
      const lengthOfRow = (row: readonly (readonly Inline[])[]): number =>
        row.reduce((sum, cell) => sum + lengthOfInlines(cell), 0);
      const sliceRow = (row: readonly (readonly Inline[])[], start: number, end: number) =>
        slice(row, lengthOfInlines, sliceInlines, start, end);
      return { ...block, rows: slice(block.rows, lengthOfRow, sliceRow, from, to) };
    }
    case "rule":
      return block;
  }
}

function sliceInlines(inlines: readonly Inline[], from: number, to: number): Inline[] {
  return slice(
    inlines,
    (inline) => lengthOfInlines([inline]),
    (inline, start, end): Inline => {
      if (inline.type === "break") return inline;
      if ("text" in inline) return { ...inline, text: sliceText(inline.text, start, end) };
      return { ...inline, children: sliceInlines(inline.children, start, end) };
    },
    from,
    to,
  );
}

/** The parts of a sequence between two positions; what is empty between them is left out. */
function slice<T>(
  parts: readonly T[],
  measure: (part: T) => number,
  cut: (part: T, from: number, to: number) => T,
  from: number,
  to: number,
): T[] {
  const result: T[] = [];
  let start = 0;
  for (const part of parts) {
    const end = start + measure(part);
    if (start >= from && end <= to) {
      if (end > start) result.push(part);
    } else if (end > from && start < to) {
      const piece = cut(part, Math.max(from - start, 0), Math.min(to, end) - start);
      if (measure(piece) > 0) result.push(piece);
    }
    if (end >= to) break;
    start = end;
  }
  return result;
}

/** Far longer than any real grapheme. */
const windowLength = 256;

function sliceText(text: string, from: number, to: number): string {
  return text.slice(boundaryBefore(text, from), boundaryBefore(text, to));
}

/** The last position at or before this one that splits no grapheme. */
function boundaryBefore(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return Math.min(Math.max(position, 0), text.length);
  let boundary = Math.max(position - windowLength, 0);
  for (const grapheme of graphemesOf(text.slice(boundary, position + windowLength))) {
    if (boundary + grapheme.length > position) break;
    boundary += grapheme.length;
  }
  return boundary;
}
