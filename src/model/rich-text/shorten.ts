// Shortens a rich text: keeps its beginning, and its closing question or last paragraph.
import { endsInQuestion, largest } from "../text.ts";
import { type Block, type Inline, lengthOf, sliceBlocks, textOf, textOfBlocks } from "./rich-text.ts";

interface Part {
  from: number;
  to: number;
}

export function shorten(blocks: readonly Block[], isFitting: (blocks: readonly Block[]) => boolean): readonly Block[] {
  if (isFitting(blocks)) return blocks;
  const total = lengthOf(blocks);
  const firstEnd = firstSentenceEnd(blocks);
  const closings = closingsOf(blocks).filter(({ from }) => from >= firstEnd);
  for (const closing of closings) {
    const withClosing = (end: number): Block[] => {
      const last = sliceBlocks(blocks, closing.from, closing.to);
      return [...withEllipsis(sliceBlocks(blocks, 0, end)), ...(closing.to < total ? withEllipsis(last) : last)];
    };
    // Half of the first sentence with the question beats all of it without.
    const least = closing === closings.at(-1) ? Math.min(firstEnd, closing.to - closing.from) : firstEnd;
    const isRoom = (end: number): boolean => isFitting(withClosing(end));
    if (isRoom(least)) return withClosing(wordEnd(blocks, least, largest(least, closing.from - 1, isRoom)));
  }
  const start = (end: number): Block[] => withEllipsis(sliceBlocks(blocks, 0, end));
  const isRoom = (end: number): boolean => isFitting(start(end));
  return isRoom(0) ? start(wordEnd(blocks, 0, largest(0, total - 1, isRoom))) : [];
}

/** Splits off as much as fits; returns it and the rest. */
export function splitBlocks(
  blocks: readonly Block[],
  isFitting: (blocks: readonly Block[]) => boolean,
): [Block[], Block[]] {
  const total = lengthOf(blocks);
  const end = isFitting(blocks) ? total : largest(1, total - 1, (at) => isFitting(sliceBlocks(blocks, 0, at)));
  const at = end === total ? total : wordEnd(blocks, 1, end);
  return [sliceBlocks(blocks, 0, at), sliceBlocks(blocks, at, total)];
}

/** A longer word is cut. */
const maxWord = 24;

/** The end of the last whole word, if there is one behind `least`. */
function wordEnd(blocks: readonly Block[], least: number, position: number): number {
  const from = Math.max(position - maxWord, least);
  const near = textOfBlocks(sliceBlocks(blocks, from, position + 1));
  const end = near.search(/\s\S*$/);
  return end > 0 ? from + end : position;
}

/** The headings before it count as well. */
function firstSentenceEnd(blocks: readonly Block[]): number {
  let start = 0;
  for (const block of blocks) {
    if (block.type === "paragraph") return start + (sentencesOf(block.children)[0]?.to ?? 0);
    if (block.type === "list" || block.type === "quote") {
      return start + firstSentenceEnd(block.type === "list" ? (block.items[0] ?? []) : block.blocks);
    }
    if (block.type !== "heading" && block.type !== "rule") return start;
    start += lengthOf([block]);
  }
  return start;
}

const questionReach = 4;

/** The closing paragraph or its question, with or without what follows; longest first. */
function closingsOf(blocks: readonly Block[]): Part[] {
  const total = lengthOf(blocks);
  const index = closingIndex(blocks);
  const block = blocks[index];
  if (block?.type !== "paragraph") return [];
  const from = lengthOf(blocks.slice(0, index));
  const to = from + lengthOf([block]);
  const sentences = sentencesOf(block.children);
  const last = sentences.findLast(({ isQuestion }) => isQuestion) ?? sentences.at(-1);
  const words = last === undefined ? [] : [{ from: from + last.from, to: from + last.to }];
  return [{ from, to: total }, ...words.map((part) => ({ from: part.from, to: total })), { from, to }, ...words];
}

/** The last paragraph that ends with a question, else the last one. */
function closingIndex(blocks: readonly Block[]): number {
  const last = blocks.findLastIndex(({ type }) => type === "paragraph");
  const reach = Math.max(blocks.length - questionReach, 1);
  const asking = blocks.findLastIndex((block, index) => {
    if (index < reach || block.type !== "paragraph") return false;
    const sentences = sentencesOf(block.children);
    return index === last ? sentences.some(({ isQuestion }) => isQuestion) : sentences.at(-1)?.isQuestion === true;
  });
  return asking === -1 ? last : asking;
}

let sentences: Intl.Segmenter | undefined;
/** UTF-16 units; more would take seconds. */
const maxSegmented = 20_000;

interface Sentence extends Part {
  isQuestion: boolean;
}

/** Each paragraph is asked for several times, and V8 copies its text for each sentence. */
const known = new WeakMap<readonly Inline[], readonly Sentence[]>();

function sentencesOf(children: readonly Inline[]): readonly Sentence[] {
  const found = known.get(children) ?? findSentences(children);
  known.set(children, found);
  return found;
}

function findSentences(children: readonly Inline[]): Sentence[] {
  const text = textOf(children);
  if (text.length > maxSegmented) return [{ from: 0, to: text.length, isQuestion: false }];
  sentences ??= new Intl.Segmenter("en", { granularity: "sentence" });
  return [...sentences.segment(text)]
    .filter(({ segment }) => segment.trim() !== "")
    .map(({ segment, index }) => ({
      from: index,
      to: index + segment.trimEnd().length,
      isQuestion: endsInQuestion(segment),
    }));
}

const ellipsis = "…";

function withEllipsis(blocks: readonly Block[]): Block[] {
  const last = blocks.at(-1);
  if (last === undefined) return [{ type: "paragraph", children: [{ type: "text", text: ellipsis }] }];
  return [...blocks.slice(0, -1), ...endedBlock(last)];
}

function endedBlock(block: Block): Block[] {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return [{ ...block, children: ended(block.children) }];
    case "code":
      return [{ ...block, text: block.text.trimEnd() + ellipsis }];
    case "quote":
      return [{ ...block, blocks: withEllipsis(block.blocks) }];
    case "list":
      return [{ ...block, items: [...block.items.slice(0, -1), withEllipsis(block.items.at(-1) ?? [])] }];
    case "table": {
      const row = block.rows.at(-1) ?? [];
      return [{ ...block, rows: [...block.rows.slice(0, -1), [...row.slice(0, -1), ended(row.at(-1) ?? [])]] }];
    }
    case "rule":
      return withEllipsis([]);
  }
}

function ended(children: readonly Inline[]): Inline[] {
  const last = children.at(-1);
  if (last?.type === "break") return ended(children.slice(0, -1));
  if (last?.type === "text") return [...children.slice(0, -1), { ...last, text: last.text.trimEnd() + ellipsis }];
  return [...children, { type: "text", text: ellipsis }];
}
