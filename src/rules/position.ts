/** A place in a text as an editor shows it: both count from 1, columns in characters (code points). */
export interface Position {
  line: number;
  column: number;
}

const lineBreak = /\r\n|\n|\r/g;

/** Where an offset stands. A byte order mark at the start is not seen, and not counted. */
export function positionOf(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (const match of text.matchAll(lineBreak)) {
    const next = match.index + match[0].length;
    if (next > offset) break;
    line += 1;
    start = next;
  }
  const before = text.slice(start, offset).replace(/^\uFEFF/, "");
  return { line, column: [...before].length + 1 };
}

/** The line that an offset stands in, without its break and without a byte order mark. */
export function lineAt(text: string, offset: number): string {
  const before = Math.max(0, offset);
  const start = before === 0 ? 0 : Math.max(text.lastIndexOf("\n", before - 1), text.lastIndexOf("\r", before - 1)) + 1;
  const length = text.slice(start).search(/[\r\n]/);
  return text.slice(start, length === -1 ? undefined : start + length).replace(/^\uFEFF/, "");
}
