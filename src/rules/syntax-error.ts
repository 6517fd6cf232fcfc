import { printParseErrorCode, type ParseError } from "jsonc-parser";
import type { Problem } from "../model/problem.ts";

type Described = Pick<Problem, "message" | "hint" | "offset" | "length">;

const messages: Record<string, string> = {
  InvalidSymbol: "neither a text in double quotes nor a number, true, false or null",
  InvalidNumberFormat: "not a number as JSON writes it",
  PropertyNameExpected: "expected a key in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":" after the key',
  CommaExpected: "expected a comma before this",
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: "expected nothing more: the file's object has ended",
  UnexpectedEndOfComment: "this comment has no end",
  UnexpectedEndOfString: 'this text has no closing " in its line',
  UnexpectedEndOfNumber: "this number is not complete",
  InvalidUnicode: 'expected four hexadecimal digits after "\\u"',
  InvalidEscapeCharacter: "this escape is none of JSON's",
  InvalidCharacter: "a control character cannot stand in a text as it is",
};

const hints: Record<string, string> = {
  InvalidEscapeCharacter: 'for a backslash, write "\\\\"',
  InvalidCharacter: 'for a new line write "\\n", for a tab "\\t"',
  UnexpectedEndOfComment: 'end it with "*/"',
};

/** What the JSON parser says, for a person. */
export function describeSyntaxError(text: string, error: ParseError): Described {
  const code = printParseErrorCode(error.error);
  const { offset } = error;
  const length = Math.max(1, error.length);
  const message = messages[code] ?? "not JSON";
  const hint = hints[code] ?? hintFor(text.slice(offset, offset + length));
  return hint === undefined ? { message, offset, length } : { message, hint, offset, length };
}

function hintFor(found: string): string | undefined {
  if (found.startsWith("'")) return 'JSON has double quotes only: "like this"';
  if (found.startsWith("#")) return "comments start with //";
  const word = /^[\p{L}_$][\p{L}\p{N}_$*-]{0,40}$/u.exec(found)?.[0];
  return word === undefined || /^(true|false|null)$/.test(word) ? undefined : `put it in double quotes: "${word}"`;
}
