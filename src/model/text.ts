// Measuring, cutting and cleaning untrusted text.
const ellipsis = "…";
/** Slow to make. */
let graphemes: Intl.Segmenter | undefined;

/** The units in which vendors count. */
export const measures = {
  utf16: (text: string): number => text.length,
  codePoints: (text: string): number => [...text].length,
  bytes: (text: string): number => Buffer.byteLength(text, "utf8"),
};
export type Measure = (text: string) => number;

/** UTF-16 units. */
const windowLength = 512;

/** Each of its characters is a grapheme, which the segmenter takes a hundred times longer to find. */
export function isPlain(text: string): boolean {
  return /^[\t\n\x20-\x7E]*$/.test(text);
}

/** V8 copies the text for each grapheme, so long texts are read in windows. */
export function* graphemesOf(text: string): Generator<string> {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + windowLength, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    const window = text.slice(start, end);
    const segments = isPlain(window) ? [...window] : [...graphemes.segment(window)].map(({ segment }) => segment);
    // The last one may continue in the next window.
    if (end < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) {
      start += segment.length;
      yield segment;
    }
  }
}

/** Escaped. No grapheme and no escape is cut. */
export function cut(
  text: string,
  most: number,
  measure: Measure = measures.codePoints,
  escape: (text: string) => string = (plain) => plain,
): string {
  // Do not escape 10 MB to discard it.
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

/** Two thirds of `most` code points from the head, the rest from the tail. */
export function headAndTail(text: string, most: number): string {
  if (measures.codePoints(text) <= most) return text;
  const segments = [...graphemesOf(text.length > most * 32 ? text.slice(0, most * 16) + text.slice(-most * 16) : text)];
  const tail = segments.slice(-Math.floor(most / 3)).join("");
  const head = segments.slice(0, Math.ceil((most * 2) / 3)).join("");
  const omitted = measures.codePoints(text) - measures.codePoints(head) - measures.codePoints(tail);
  return `${head.trimEnd()} … ${omitted} characters … ${tail.trimStart()}`;
}

/** Controls and bidirectional overrides, but not newline and tab. */
const unprintable = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g;
const terminalSequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -~])?/g;

/** Lone surrogates are replaced as well. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(terminalSequence, "").replace(unprintable, "").toWellFormed();
}

export function printableLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}

/** The last part of a path of either system. */
export function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}

/** The first lines of many, and how many are left out. `rest` says which: "more", "before that". */
export function linesOfMany(lines: readonly string[], most: number, rest: string): string {
  const left = lines.length - most;
  return [...lines.slice(0, most), ...(left > 0 ? [`… and ${left} ${rest}`] : [])].join("\n");
}
