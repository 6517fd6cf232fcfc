// Parses JSON with comments into a syntax tree: the one use of jsonc-parser's parser.
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { tokensOf } from "./tokens.ts";

export interface ParseOptions {
  /** Without it, each comment is an error. */
  allowsComments?: boolean;
  /** Without it, a comma before a closing bracket is an error. */
  allowsTrailingCommas?: boolean;
  /** Levels of objects and arrays. */
  maxDepth?: number;
}

export interface ParsedJsonc {
  /** As far as the text could be read; undefined for a blank text and for one that is nested too deeply, which is not parsed. */
  root: Node | undefined;
  errors: ParseError[];
  /** Where the text becomes too deep. */
  tooDeepAt: number | undefined;
}

/** The parser calls itself at each level, and so does what reads its tree: thousands of levels overflow the stack. */
export const deepest = 1000;

/** Never throws. Its time grows with the length of the text, whatever is in it. */
export function parseJsonc(
  text: string,
  { allowsComments = true, allowsTrailingCommas = true, maxDepth = deepest }: ParseOptions = {},
): ParsedJsonc {
  const tooDeepAt = hasMoreOpenings(text, maxDepth) ? bracketsOf(text, maxDepth).tooDeepAt : undefined;
  if (tooDeepAt !== undefined) return { root: undefined, errors: [], tooDeepAt };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    disallowComments: !allowsComments,
    allowTrailingComma: allowsTrailingCommas,
  });
  return { root, errors, tooDeepAt };
}

/** Whether the text may be too deep at all; brackets in strings and in comments count here. */
function hasMoreOpenings(text: string, count: number): boolean {
  const opening = /[{[]/g;
  let left = count;
  while (left >= 0 && opening.test(text)) left -= 1;
  return left < 0;
}

/** The root alone, of a text that hookbell knows to be good. */
export function treeOf(text: string): Node | undefined {
  return parseJsonc(text).root;
}

export interface Brackets {
  /** Whether there is nothing but white space and comments. */
  isEmpty: boolean;
  /** Where the text becomes too deep. */
  tooDeepAt?: number;
  /** The innermost bracket that is open at the end. */
  unclosedAt?: number;
  /** The first bracket that closes one of another kind, and the one it closes. */
  wrong?: { offset: number; openedAt: number };
}

/** Reading stops where it becomes too deep, or wrong. Offsets are in UTF-16 units. */
export function bracketsOf(text: string, maxDepth: number): Brackets {
  const open: number[] = [];
  let isEmpty = true;
  for (const { offset, raw } of tokensOf(text)) {
    isEmpty = false;
    if (raw === "{" || raw === "[") open.push(offset);
    if (open.length > maxDepth) return { isEmpty, tooDeepAt: offset };
    if (raw !== "}" && raw !== "]") continue;
    const openedAt = open.pop();
    if (openedAt !== undefined && (text[openedAt] === "{") !== (raw === "}")) {
      return { isEmpty, wrong: { offset, openedAt } };
    }
  }
  const unclosedAt = open.at(-1);
  return unclosedAt === undefined ? { isEmpty } : { isEmpty, unclosedAt };
}
