// Reports what is not JSON outside of quotes, so that the parser can go on.
import { createScanner } from "jsonc-parser";
import type { Problem } from "../../model/errors.ts";
import { maxProblems } from "./problem-at.ts";

/** Replaces unquoted words, single quotes and other languages' comments by valid JSON of the same length. */
export function fixUnquotedWords(text: string): { text: string; problems: Problem[] } {
  const problems: Problem[] = [];
  const scanner = createScanner(text, true);
  let fixed = "";
  let done = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0 && problems.length <= maxProblems; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const raw = text.slice(offset, offset + scanner.getTokenLength());
    if (/^["{}[\]:,\d-]/.test(raw) || /^(true|false|null)$/.test(raw)) continue;
    const found = readWord(text, offset, raw);
    const { length } = found;
    problems.push({
      path: "",
      message: found.message,
      ...(found.hint === undefined ? {} : { hint: found.hint }),
      offset,
      length,
    });
    fixed += text.slice(done, offset) + (found.isComment ? " ".repeat(length) : placeholder(length));
    done = offset + length;
    scanner.setPosition(done);
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
  if (raw.startsWith("#")) return { length: line.length, message: "comments start with //", isComment: true };
  const inSingleQuotes = /^'[^']*'/.exec(line)?.[0];
  if (inSingleQuotes !== undefined) {
    return { length: inSingleQuotes.length, message: "JSON has only double quotes", hint: 'write "like this"' };
  }
  const message = "expected a text in double quotes, a number, true, false or null";
  const word = /^[\p{L}_$][\p{L}\p{N}_$*-]*$/u.test(raw) && raw.length <= maxQuotedLength ? raw : undefined;
  if (word === undefined) return { length: raw.length, message };
  const lower = word.toLowerCase();
  const hint = /^(true|false|null)$/.test(lower) ? `write ${lower}` : `put it in double quotes: "${word}"`;
  return { length: raw.length, message, hint };
}

function placeholder(length: number): string {
  return length < 2 ? "0" : `"${"x".repeat(length - 2)}"`;
}
