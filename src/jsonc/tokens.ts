// The tokens of JSON with comments, whole or broken: the one loop over jsonc-parser's scanner.
import { createScanner } from "jsonc-parser";

export interface Token {
  /** In UTF-16 units, as is the length, which is at least 1 and never reaches beyond the text. */
  offset: number;
  length: number;
  /** The part of the text, unchanged. */
  raw: string;
  /** A quoted text without its quotes and escapes; otherwise as `raw`. */
  value: string;
}

export interface Tokens extends Iterable<Token> {
  /** The next token is the first one that starts here or later; an earlier place changes nothing. */
  goOnAt(offset: number): void;
}

/** The scanner's kind for the end of the text: https://github.com/microsoft/node-jsonc-parser#api */
const endOfText = 17;

/**
 * Ends for every text, after at most as many tokens as the text has UTF-16 units: the scanner itself repeats its last token
 * for ever after a comment that is not closed. White space and comments are tokens only with `keepsTrivia`.
 */
export function tokensOf(text: string, { keepsTrivia = false } = {}): Tokens {
  const scanner = createScanner(text, !keepsTrivia);
  /** Each token starts here or later. */
  let next = 0;
  function* scan(): Generator<Token> {
    while (next < text.length) {
      const kind: number = scanner.scan();
      const offset = scanner.getTokenOffset();
      const end = Math.min(scanner.getPosition(), text.length);
      if (kind === endOfText || offset < next || end <= offset) return;
      next = end;
      yield { offset, length: end - offset, raw: text.slice(offset, end), value: scanner.getTokenValue() };
    }
  }
  return {
    [Symbol.iterator]: scan,
    goOnAt(offset) {
      if (offset <= next) return;
      next = offset;
      scanner.setPosition(offset);
    },
  };
}
