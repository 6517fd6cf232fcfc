const ellipsis = "…";
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The units in which vendors count: `length` of a JavaScript string, code points, or bytes of UTF-8. */
export const measures = {
  utf16: (text: string): number => text.length,
  codePoints: (text: string): number => [...text].length,
  bytes: (text: string): number => Buffer.byteLength(text, "utf8"),
};
export type Measure = (text: string) => number;

/** In UTF-16 units; far longer than any grapheme that means something. */
const windowLength = 512;

/**
 * A text's graphemes, one by one. V8 copies all of the text for each of them, which takes half a minute for what a
 * model may well write; in windows the time grows with the length alone.
 */
export function* graphemesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + windowLength, text.length);
    // A window never parts a surrogate pair.
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    const segments = [...graphemes.segment(text.slice(start, end))].map(({ segment }) => segment);
    // The last one may go on in the next window.
    if (end < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) {
      start += segment.length;
      yield segment;
    }
  }
}

/**
 * The text, or as much of its start as fits into `most` with an ellipsis, never cutting a grapheme.
 * `escape` is applied before measuring, so that an escape is never cut either; the result is escaped.
 */
export function cut(
  text: string,
  most: number,
  measure: Measure = measures.codePoints,
  escape: (text: string) => string = (plain) => plain,
): string {
  // A text this much longer than the limit cannot fit in any unit; not escaping 10 MB just to throw it away.
  const isHopeless = text.length > most * 16;
  if (!isHopeless) {
    const whole = escape(text);
    if (measure(whole) <= most) return whole;
  }
  const room = most - measure(ellipsis);
  if (room < 0) return "";
  let kept = "";
  let used = 0;
  for (const segment of graphemesOf(text.slice(0, most * 16))) {
    const escaped = escape(segment);
    used += measure(escaped);
    if (used > room) break;
    kept += escaped;
  }
  return kept + ellipsis;
}

/** C0 and C1 controls and bidirectional overrides, which forge or hide what a line says; newline and tab are kept. */
const unprintable = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g;
const terminalSequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -~])?/g;

/** Untrusted text made safe to show as plain text: no terminal sequences, controls, overrides or lone surrogates. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(terminalSequence, "").replace(unprintable, "").toWellFormed();
}

/** The same on one line: every run of white space is one space. */
export function printableLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}
