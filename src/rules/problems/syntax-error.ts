import { printParseErrorCode, type ParseError } from "jsonc-parser";
import type { Problem } from "../../model/problem.ts";

type Described = Pick<Problem, "message" | "hint" | "offset" | "length">;

const messages: Record<string, string> = {
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
export function describeSyntaxError(error: ParseError): Described {
  const code = printParseErrorCode(error.error);
  const hint = hints[code];
  const place = { offset: error.offset, length: Math.max(1, error.length) };
  return { message: messages[code] ?? "not JSON", ...(hint === undefined ? {} : { hint }), ...place };
}
