// A text with its structure: Markdown is read into it, and channels write it.
import { graphemeAt, isPlain, printable } from "../text.ts";

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
  /** The first row is the head. */
  | { type: "table"; rows: readonly (readonly (readonly Inline[])[])[] }
  | { type: "rule" };

/** In UTF-16 units, above any channel's limit. The parser for Markdown takes about a second for the worst of such texts. */
const maxRead = 220_000;
/** The end may have a question. */
const endShare = 1 / 10;
const gap = "…\n\n";

/** The text has no control characters, and lacks the middle of what no channel shows whole. */
export function bounded(text: string, most: number = maxRead): string {
  if (text.length <= most) return printable(text);
  const end = Math.floor(most * endShare);
  return printable(text.slice(0, most - end - gap.length) + gap + text.slice(-end));
}

/** The paragraphs of a text without syntax. */
export function plainBlocks(text: string): Block[] {
  return bounded(text)
    .trim()
    .split(/\n(?:[^\S\n]*\n)+/)
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => ({ type: "paragraph", children: [{ type: "text", text: paragraph }] }));
}

/** A break is a line's end, so that positions are those of `sliceBlocks`. */
export function textOf(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === "break") return "\n";
      return "text" in inline ? inline.text : textOf(inline.children);
    })
    .join("");
}

export function textOfBlocks(blocks: readonly Block[]): string {
  return blocks.map(textOfBlock).join("");
}

function textOfBlock(block: Block): string {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return textOf(block.children);
    case "code":
      return block.text;
    case "quote":
      return textOfBlocks(block.blocks);
    case "list":
      return block.items.map(textOfBlocks).join("");
    case "table":
      return block.rows.flat().map(textOf).join("");
    case "rule":
      return "-";
  }
}

/** UTF-16 units. */
export function lengthOf(blocks: readonly Block[]): number {
  return sumOf(blocks, (block) => ("children" in block ? lengthOfInlines(block.children) : textOfBlock(block).length));
}

/** As `textOf` has it, without making that text. */
function lengthOfInlines(inlines: readonly Inline[]): number {
  return sumOf(inlines, lengthOfInline);
}

function lengthOfInline(inline: Inline): number {
  if (inline.type === "break") return 1;
  return "text" in inline ? inline.text.length : lengthOfInlines(inline.children);
}

function sumOf<T>(parts: readonly T[], measure: (part: T) => number): number {
  let sum = 0;
  for (const part of parts) sum += measure(part);
  return sum;
}

/** The part between two positions; never half a grapheme. */
export function sliceBlocks(blocks: readonly Block[], from: number, to: number): Block[] {
  return slice(blocks, (block) => lengthOf([block]), sliceBlock, from, to);
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
      const lengthOfRow = (row: readonly (readonly Inline[])[]): number => sumOf(row, lengthOfInlines);
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
    lengthOfInline,
    (inline, start, end): Inline => {
      if (inline.type === "break") return inline;
      if ("text" in inline) return { ...inline, text: sliceText(inline.text, start, end) };
      return { ...inline, children: sliceInlines(inline.children, start, end) };
    },
    from,
    to,
  );
}

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

/** UTF-16 units, far longer than any real grapheme. */
const graphemeReach = 256;

function sliceText(text: string, from: number, to: number): string {
  return text.slice(boundaryBefore(text, from), boundaryBefore(text, to));
}

function boundaryBefore(text: string, position: number): number {
  if (position <= 0 || position >= text.length) return Math.min(Math.max(position, 0), text.length);
  if (isPlain(text.slice(position - 1, position + 1))) return position;
  return graphemeAt(text, position, graphemeReach).start;
}
