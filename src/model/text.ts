// Measuring, cutting and cleaning untrusted text, and quoting it in command lines.
const ellipsis = "…";
/** A segmenter is slow to make, so there is one. */
let graphemes: Intl.Segmenter | undefined;

/** The units in which vendors count. */
export const measures = {
  utf16: (text: string): number => text.length,
  codePoints(text: string): number {
    let count = 0;
    for (let at = 0; at < text.length; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    return count;
  },
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

/** UTF-16 units; a longer word is cut. */
export const maxWord = 24;

/** Escaped, and cut behind a whole word where one ends near the limit. */
export function cutWords(
  text: string,
  most: number,
  measure: Measure = measures.codePoints,
  escape: (text: string) => string = (plain) => plain,
): string {
  // Do not escape 10 MB to discard it.
  const start = text.slice(0, most * 16);
  const fits = (part: string): boolean => measure(escape(part)) <= most;
  if (start.length === text.length && fits(text)) return escape(text);
  if (!fits(ellipsis)) return "";
  const whole = (length: number): number => graphemeAt(start, length).start;
  const room = largest(0, start.length, (length) => fits(start.slice(0, whole(length)) + ellipsis));
  return escape(start.slice(0, wordEndIn(start, whole(room))).trimEnd() + ellipsis);
}

/** The end of the last whole word before the place, if one ends near it. */
function wordEndIn(text: string, place: number): number {
  if (/^\s/.test(text.slice(place))) return place;
  const from = Math.max(0, place - maxWord);
  const end = text.slice(from, place).search(/\s\S*$/);
  return end === -1 || from + end === 0 ? place : from + end;
}

/**
 * The head and the tail of a text longer than `most` UTF-16 units, in at most so many: what stands between them is shorter
 * than what it replaces. `tailShare` is the tail's part of the room. No grapheme is cut.
 */
export function headAndTail(
  text: string,
  most: number,
  between: (omitted: number) => string = (omitted) => ` … ${omitted} characters … `,
  tailShare: number = 1 / 3,
): string {
  if (text.length <= most) return text;
  const room = Math.max(0, most - between(text.length).length);
  const tailRoom = Math.floor(room * tailShare);
  const head = text.slice(0, graphemeAt(text, room - tailRoom).start).trimEnd();
  const tail = text.slice(graphemeAt(text, text.length - tailRoom).end).trimStart();
  return head + between(text.length - head.length - tail.length) + tail;
}

/** Keeps the head and the tail of a line, in at most `most` UTF-16 units. */
export function shortenMiddle(line: string, most: number, tailShare?: number): string {
  return headAndTail(line, most, () => ellipsis, tailShare);
}

/** The largest whole number up to `to` for which `holds`; `from` where it holds for none above. */
export function largest(from: number, to: number, holds: (number: number) => boolean): number {
  let low = from;
  // Most limits are far below the length of the longest texts.
  let step = 64;
  while (low + step <= to && holds(low + step)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, to);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** UTF-16 units before and behind a place that are searched for the grapheme around it. */
const graphemeReach = 64;

/** Where the grapheme starts and ends that the place is inside of; both are the place itself between two graphemes. */
export function graphemeAt(text: string, place: number, reach: number = graphemeReach): { start: number; end: number } {
  const from = Math.max(0, place - reach);
  const window = text.slice(from, place + reach);
  if (isPlain(window)) return { start: place, end: place };
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const around = graphemes.segment(window).containing(place - from);
  const start = around === undefined ? place : from + around.index;
  return { start, end: around === undefined || start === place ? place : start + around.segment.length };
}

/** Controls and bidirectional overrides, but not newline and tab. */
const unprintable = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g;
/** Sequences that begin with ESC or with one control of the C1 set: a string of the latter only where it ends, because most terminals show it. */
export const terminalSequence =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -~])?|\u009B[0-?]*[ -/]*[@-~]|[\u0090\u0098\u009D-\u009F][^\u0007\u001B\u0090\u0098\u009C-\u009F]*(?:\u0007|\u001B\\|\u009C)/g;

/** What a credential is searched in. Lone surrogates are replaced as well. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(terminalSequence, "").replace(unprintable, "").toWellFormed();
}

/** What rules write: not yet what a person reads. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, " ").trim();
}

const picture = "\\p{Extended_Pictographic}\\p{Emoji_Modifier}?[\\uFE0E\\uFE0F]?";
/** Scripts in which a joiner, or a sign against joining, changes how letters look. */
const joining =
  "[" +
  "Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Myanmar Oriya Sinhala Syriac Tamil Telugu"
    .split(" ")
    .map((script) => `\\p{Script=${script}}`)
    .join("") +
  "]";
/** England, Scotland and Wales are the only flags with letters of tags. */
const flag =
  "\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}";

/** Invisible characters that do their work: in emoji, in words of Persian or Hindi, and blanks in pictures of Braille dots. */
export const meant = [
  flag,
  `${picture}(?:\\u200D${picture})*`,
  "[0-9#*]\\uFE0F\\u20E3",
  `(?<=${joining})[\\u200C\\u200D](?![\\u200C\\u200D])`,
].join("|");

/** What looks like nothing or a blank. Unicode calls U+2800, U+FFFC and U+1D159 symbols, but they are empty. */
export const unseen = "\\p{Default_Ignorable_Code_Point}\\u2800\\uFFF9-\\uFFFC\\u{1D159}\\u{13430}-\\u{1343F}";
/** Lines of a picture of Braille dots begin with blanks, too. */
const braille = "\\u2800*[\\u2801-\\u28FF][\\u2800-\\u28FF]*";
let anyUnseen: RegExp | undefined;
let unseenOrMeant: RegExp | undefined;

/**
 * What a person reads, on any screen: `⟨U+200B⟩` stands for a character that cannot be seen. Controls, and signs for the
 * direction of text, are left out.
 */
export function printable(text: string): string {
  if (isPlain(text)) return text;
  const lines = withoutControls(text).replace(/[\u2028\u2029]/g, "\n");
  anyUnseen ??= new RegExp(`[${unseen}]`, "u");
  if (!anyUnseen.test(lines)) return lines;
  unseenOrMeant ??= new RegExp(`(${meant}|${braille})|([${unseen}])\\2*`, "gu");
  return lines.replace(unseenOrMeant, (whole: string, kept?: string) => kept ?? markOf(whole));
}

export function printableLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}

/** One line, without headings and the marks of Markdown that mean nothing in it. */
export function lineOfMarkdown(text: string): string {
  const plain = text.replace(/^[ \t]*[*+-][ \t]+|\*\*|^```.*$/gm, "");
  return printableLine(plain.replace(/^#{1,6} .*$/gm, "")) || printableLine(plain);
}

/** Undefined for what is not percent-encoded correctly. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `⟨U+200B⟩`, or `⟨U+2800, 36 times⟩` for a run of one character. */
export function markOf(run: string): string {
  const { length } = [...run];
  const code = (run.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return length === 1 ? `⟨U+${code}⟩` : `⟨U+${code}, ${length} times⟩`;
}

/** UTF-16 units; long texts are not searched from their beginning. */
const maxClosing = 200;

/** Whether its last sentence is a question, also in quotation marks or emphasis. */
export function endsInQuestion(whole: string): boolean {
  const text = whole.slice(-maxClosing);
  return /[?？؟][)\]"'”’»」』*_\p{Extended_Pictographic}\s]*$/u.test(text);
}

/** `1 delivery`, `2 deliveries`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** The first lines of many, and how many are left out. `rest` says which: "more", "before that". */
export function linesOfMany(lines: readonly string[], most: number, rest: string): string {
  const left = lines.length - most;
  return [...lines.slice(0, most), ...(left > 0 ? [`… and ${left} ${rest}`] : [])].join("\n");
}

/** A word of a POSIX shell. It is quoted only if needed, since agents show the command. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : shellQuoted(word);
}

export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A program and its arguments for PowerShell. */
export function powerShellLine(argv: readonly string[]): string {
  return `& ${argv.map(powerShellWord).join(" ")}`;
}

/** The same in ASCII, since Windows PowerShell reads a file in the code page of the system. */
export function powerShellFileLine(argv: readonly string[]): string {
  const words = argv.map((word) => {
    const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
    if (isAscii(word)) return powerShellWord(word);
    const parts = word.split(/([^\x20-\x7e]+)/).filter((part) => part !== "");
    return `(${parts.map((part) => (isAscii(part) ? powerShellQuoted(part) : charsOf(part))).join(" + ")})`;
  });
  return `& ${words.join(" ")}`;
}

function powerShellWord(word: string): string {
  return /^[A-Za-z0-9_/-]+$/.test(word) ? word : powerShellQuoted(word);
}

/** Each of these signs ends a text in single quotes; two of them stand for one. */
export function powerShellQuoted(word: string): string {
  return `'${word.replaceAll(/['\u2018-\u201b]/g, "$&$&")}'`;
}

function charsOf(text: string): string {
  return [...Array(text.length).keys()].map((index) => `[string][char]${text.charCodeAt(index)}`).join(" + ");
}
