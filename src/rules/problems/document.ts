// Parses the text of a rules file, and reports syntax errors with their positions.
import { getNodeValue, type Node, type ParseError, printParseErrorCode } from "jsonc-parser";
import { type Brackets, bracketsOf, parseJsonc } from "../../jsonc/parse.ts";
import { positionOf } from "../../jsonc/position.ts";
import { tokensOf } from "../../jsonc/tokens.ts";
import type { Problem } from "../../model/errors.ts";

/** A larger file is not read: the dispatcher keeps it in memory. */
export const maxRulesBytes = 1024 * 1024;
/** The search stops here, so that no file keeps the dispatcher busy. */
export const maxProblems = 100;
/** No rules file is nested deeper. */
export const maxDepth = 32;

export interface Document {
  text: string;
  /** Undefined when the syntax is too broken. */
  root: Node | undefined;
  problems: Problem[];
}

export function parseDocument(text: string, empty: Pick<Problem, "message" | "hint"> = emptyRules): Document {
  const refused = refuse(text);
  if (refused !== undefined) return { text, root: undefined, problems: [refused] };
  // A space instead of the byte order mark keeps every offset.
  const written = text.replace(/^\uFEFF/, " ");
  const read = parseJsonc(written, { maxDepth });
  if (read.root !== undefined && read.errors.length === 0) {
    return { text, root: read.root, problems: findBadKeys(text, read.root) };
  }
  const fixed = fixUnquotedWords(written);
  const { root, errors, tooDeepAt } = parseJsonc(fixed.text, { maxDepth });
  if (tooDeepAt !== undefined) {
    const message = `nested more than ${maxDepth} levels deep`;
    return { text, root: undefined, problems: [{ path: "", message, offset: tooDeepAt, length: 1 }] };
  }
  const brackets = bracketsOf(fixed.text, maxDepth);
  if (brackets.isEmpty) {
    return { text, root: undefined, problems: [...fixed.problems, { path: "", ...empty, offset: 0 }] };
  }
  const problems = [...fixed.problems, ...describeErrors(fixed.text, errors, brackets)];
  // Only after a missing comma is the tree still as intended.
  const isUnderstood =
    fixed.problems.length === 0 && errors.every(({ error }) => printParseErrorCode(error) === "CommaExpected");
  if (root === undefined || !isUnderstood) return { text, root: undefined, problems };
  return { text, root, problems: [...problems, ...findBadKeys(text, root)] };
}

const emptyRules = {
  message: "the rules file is empty",
  hint: 'it needs "channels" and "rules"; without the file, the built-in rules apply',
};

function refuse(text: string): Problem | undefined {
  if (Buffer.byteLength(text) > maxRulesBytes) {
    return { path: "", message: `larger than ${maxRulesBytes} bytes, the maximum of a rules file` };
  }
  const nul = text.indexOf("\0");
  if (nul !== -1 || text.startsWith("\uFFFD")) {
    return { path: "", message: "not UTF-8 text", hint: 'save it with the encoding "UTF-8"', offset: 0 };
  }
  return undefined;
}

/** After these errors, the parser's further errors mean nothing. */
const losing = /^(UnexpectedEndOfString|UnexpectedEndOfComment|ColonExpected)$/;

function describeErrors(text: string, errors: readonly ParseError[], { wrong, unclosedAt }: Brackets): Problem[] {
  const problems: Problem[] = [];
  for (const error of errors) {
    if (wrong !== undefined && error.offset >= wrong.offset) break;
    // The first of several errors at one place is to the point.
    if (problems.at(-1)?.offset === error.offset) continue;
    if (problems.length > maxProblems) return problems;
    const missing = findMissingBracket(text, error);
    if (missing !== undefined) return [...problems, { path: "", ...missing }];
    const described = describeSyntaxError(error);
    const isAtEnd = text.slice(error.offset).trim() === "";
    if (isAtEnd && unclosedAt !== undefined) {
      const hint = `the "${text[unclosedAt]}" in line ${positionOf(text, unclosedAt).line} is not closed`;
      problems.push({ path: "", ...described, message: "the file ends too early", hint });
    } else problems.push({ path: "", ...described });
    if (losing.test(printParseErrorCode(error.error))) return problems;
  }
  if (wrong !== undefined) {
    const { offset, openedAt } = wrong;
    const opened = `the "${text[openedAt]}" in line ${positionOf(text, openedAt).line}`;
    const hint = `a "${text[openedAt] === "[" ? "]" : "}"}" is missing before this`;
    problems.push({ path: "", message: `this does not close ${opened}`, hint, offset, length: 1 });
  }
  return problems;
}

/**
 * A value where a key should be, and a key where a value is over: the parser reads on at the wrong level, so its further
 * errors mean nothing.
 */
function findMissingBracket(text: string, { error, offset, length }: ParseError): Described | undefined {
  const code = printParseErrorCode(error);
  const first = text[offset] ?? "";
  const isKeyAwaited = code === "PropertyNameExpected" && "{[".includes(first);
  const openedAt = isKeyAwaited ? bracketsOf(text.slice(0, offset), maxDepth).unclosedAt : undefined;
  if (openedAt !== undefined) {
    const message = `expected a key in double quotes, since the "{" in line ${positionOf(text, openedAt).line} is still open`;
    return { message, hint: `a "}" is missing before this, or a "[" further up`, offset, length: Math.max(1, length) };
  }
  if (code !== "CommaExpected" || first !== ":") return undefined;
  const before = [...tokensOf(text.slice(0, offset))].at(-1);
  const place =
    before?.raw.startsWith('"') === true ? { offset: before.offset, length: before.length } : { offset, length: 1 };
  const listAt = bracketsOf(text.slice(0, place.offset), maxDepth).unclosedAt ?? -1;
  const hint =
    text[listAt] === "["
      ? `a "]" is missing before it, for the "[" in line ${positionOf(text, listAt).line}, or a "{"`
      : 'a "{" is missing before it';
  return { message: "a key can stand only in an object", hint, ...place };
}

/** Duplicate keys, and `__proto__`. */
function findBadKeys(text: string, node: Node, path: readonly string[] = [], problems: Problem[] = []): Problem[] {
  const seen = new Map<string, number>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (problems.length > maxProblems) break;
    const key = node.type === "object" ? child.children?.[0] : undefined;
    if (key === undefined) {
      findBadKeys(text, child, [...path, String(index)], problems);
      continue;
    }
    const name = String(key.value);
    const place = { path: [...path, name].join("."), offset: key.offset, length: key.length };
    const before = seen.get(name);
    if (name === "__proto__") problems.push({ ...place, message: '"__proto__" cannot be used as a name' });
    else if (before !== undefined) {
      const { line } = positionOf(text, before);
      const hint = "keep one of them";
      problems.push({ ...place, message: `${JSON.stringify(name)} appears twice, first in line ${line}`, hint });
    }
    seen.set(name, before ?? key.offset);
    const value = child.children?.[1];
    if (value !== undefined) findBadKeys(text, value, [...path, name], problems);
  }
  return problems;
}

/** Objects in it have no prototype. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}

type Described = Pick<Problem, "message" | "hint" | "offset" | "length">;

const messages: Record<string, string> = {
  InvalidNumberFormat: "not a JSON number",
  PropertyNameExpected: "expected a key in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":" after the key',
  CommaExpected: "expected a comma before this",
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: "expected the end of the file after its object",
  UnexpectedEndOfComment: "this comment is not closed",
  UnexpectedEndOfString: 'this text has no closing " on its line',
  UnexpectedEndOfNumber: "this number is incomplete",
  InvalidUnicode: 'expected four hexadecimal digits after "\\u"',
  InvalidEscapeCharacter: "not an escape sequence of JSON",
  InvalidCharacter: "a text cannot contain a control character",
};

const hints: Record<string, string> = {
  InvalidEscapeCharacter: 'for a backslash, write "\\\\"',
  InvalidCharacter: 'for a line break write "\\n", for a tab "\\t"',
  UnexpectedEndOfComment: 'end it with "*/"',
};

function describeSyntaxError(error: ParseError): Described {
  const code = printParseErrorCode(error.error);
  const place = { offset: error.offset, length: Math.max(1, error.length) };
  return { message: messages[code] ?? "not JSON", hint: hints[code], ...place };
}

/** Replaces unquoted words, single quotes and other languages' comments by valid JSON of the same length. */
function fixUnquotedWords(text: string): { text: string; problems: Problem[] } {
  const problems: Problem[] = [];
  const tokens = tokensOf(text);
  let fixed = "";
  let done = 0;
  for (const { offset, raw } of tokens) {
    if (problems.length > maxProblems) break;
    if (/^["{}[\]:,\d-]/.test(raw) || /^(true|false|null)$/.test(raw)) continue;
    const { length, message, hint, isComment } = readWord(text, offset, raw);
    problems.push({ path: "", message, hint, offset, length });
    fixed +=
      text.slice(done, offset) + (isComment ? " ".repeat(length) : length < 2 ? "0" : `"${"x".repeat(length - 2)}"`);
    done = offset + length;
    tokens.goOnAt(done);
  }
  return { text: fixed + text.slice(done), problems };
}

interface Word {
  length: number;
  message: string;
  hint?: string;
  isComment?: boolean;
}

const maxQuotedLength = 40;

function readWord(text: string, offset: number, raw: string): Word {
  const line = /^[^\r\n]*/.exec(text.slice(offset, offset + 10_000))?.[0] ?? raw;
  if (raw.startsWith("#"))
    return { length: Math.max(line.length, raw.length), message: "comments start with //", isComment: true };
  const inSingleQuotes = /^'[^']*'/.exec(line)?.[0];
  if (inSingleQuotes !== undefined) {
    return { length: inSingleQuotes.length, message: "JSON has only double quotes", hint: 'write "like this"' };
  }
  const message = "expected a double-quoted string, a number, true, false or null";
  const word = /^[\p{L}_$][\p{L}\p{N}_$*-]*$/u.test(raw) && raw.length <= maxQuotedLength ? raw : undefined;
  if (word === undefined) return { length: raw.length, message };
  const lower = word.toLowerCase();
  const hint = /^(true|false|null)$/.test(lower) ? `write ${lower}` : `put it in double quotes: "${word}"`;
  return { length: raw.length, message, hint };
}

/** A problem at its place in the file. */
export function problemAt(
  { offset, length }: Node,
  path: readonly string[],
  problem: Pick<Problem, "message" | "hint" | "severity">,
): Problem {
  return { path: path.join("."), offset, length, ...problem };
}
