// Shortens a rich text: keeps its beginning, and its closing question or last paragraph.
import { endsInQuestion, largest, maxWord } from "../text.ts";
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
      const after = closing.to < total ? withMark(last, ellipsis) : last;
      return [...withMark(sliceBlocks(blocks, 0, end), ellipsis), ...after];
    };
    // Half of the first sentence with the question beats all of it without.
    const least = closing === closings.at(-1) ? Math.min(firstEnd, closing.to - closing.from) : firstEnd;
    const isRoom = (end: number): boolean => isFitting(withClosing(end));
    if (isRoom(least)) return withClosing(wordEnd(blocks, least, largest(least, closing.from - 1, isRoom)));
  }
  const start = (end: number): Block[] => withMark(sliceBlocks(blocks, 0, end), ellipsis);
  const isRoom = (end: number): boolean => isFitting(start(end));
  return isRoom(0) ? start(wordEnd(blocks, 0, largest(0, total - 1, isRoom))) : [];
}

/** Columns of a phone's first look: what is longer begins with what it asks. */
const firstLook = 90;

/** The closing question comes first where it would not be seen at a first look. */
export function questionFirst(blocks: readonly Block[]): readonly Block[] {
  if (lengthOf(blocks) <= firstLook) return blocks;
  const question = closingQuestionOf(blocks);
  if (question === undefined || question.from === 0) return blocks;
  const { from, to } = question;
  const others = [...sliceBlocks(blocks, 0, from), ...sliceBlocks(blocks, to, lengthOf(blocks))];
  return [...sliceBlocks(blocks, from, to), ...others];
}

/** Characters; so few need no count. */
const fewCharacters = 40;

/** Keeps the beginning, and says how much is left out. */
export function cutEnd(blocks: readonly Block[], isFitting: (blocks: readonly Block[]) => boolean): readonly Block[] {
  if (isFitting(blocks)) return blocks;
  const total = lengthOf(blocks);
  const ended = (mark: string): { kept: Block[]; left: number } | undefined => {
    const isRoom = (end: number): boolean => isFitting(withMark(sliceBlocks(blocks, 0, end), mark));
    if (!isRoom(0)) return undefined;
    const kept = sliceBlocks(blocks, 0, wordEnd(blocks, 0, largest(0, total - 1, isRoom)));
    return { kept, left: total - lengthOf(kept) };
  };
  const plain = ended(ellipsis);
  if (plain === undefined) return [];
  const count = (left: number): string => `${ellipsis} (${left} more characters)`;
  // No count is longer than that of the whole.
  const counted = plain.left <= fewCharacters ? undefined : ended(count(total));
  return counted === undefined ? withMark(plain.kept, ellipsis) : withMark(counted.kept, count(counted.left));
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
  const last = sentences.findLast(isAsking) ?? sentences.at(-1);
  const words = last === undefined ? [] : [{ from: from + last.from, to: from + last.to }];
  return [{ from, to: total }, ...words.map((part) => ({ from: part.from, to: total })), { from, to }, ...words];
}

function closingQuestionOf(blocks: readonly Block[]): Part | undefined {
  const index = closingIndex(blocks);
  const block = blocks[index];
  const asking = block?.type === "paragraph" ? sentencesOf(block.children).findLast(isAsking) : undefined;
  const start = lengthOf(blocks.slice(0, index));
  return asking && { from: start + asking.from, to: start + asking.to };
}

const isAsking = ({ isQuestion }: Sentence): boolean => isQuestion;

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
      // A question mark within a web address ends a segment, too.
      isQuestion: endsInQuestion(segment) && (index + segment.length === text.length || /\s$/.test(segment)),
    }));
}

const ellipsis = "…";

/** The mark is written behind the last words. */
function withMark(blocks: readonly Block[], mark: string): Block[] {
  const last = blocks.at(-1);
  if (last === undefined) return [{ type: "paragraph", children: [{ type: "text", text: mark }] }];
  return [...blocks.slice(0, -1), ...endedBlock(last, mark)];
}

function endedBlock(block: Block, mark: string): Block[] {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return [{ ...block, children: ended(block.children, mark) }];
    case "code":
      return [{ ...block, text: block.text.trimEnd() + mark }];
    case "quote":
      return [{ ...block, blocks: withMark(block.blocks, mark) }];
    case "list":
      return [{ ...block, items: [...block.items.slice(0, -1), withMark(block.items.at(-1) ?? [], mark)] }];
    case "table": {
      const row = block.rows.at(-1) ?? [];
      return [{ ...block, rows: [...block.rows.slice(0, -1), [...row.slice(0, -1), ended(row.at(-1) ?? [], mark)]] }];
    }
    case "rule":
      return withMark([], mark);
  }
}

function ended(children: readonly Inline[], mark: string): Inline[] {
  const last = children.at(-1);
  if (last?.type === "break") return ended(children.slice(0, -1), mark);
  if (last?.type === "text") return [...children.slice(0, -1), { ...last, text: last.text.trimEnd() + mark }];
  return [...children, { type: "text", text: mark }];
}
