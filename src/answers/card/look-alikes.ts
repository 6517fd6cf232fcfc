// Finds words that are not what they seem: a letter or sign in them looks like ASCII, and is not at home there.
import { confusables } from "./confusables.ts";

/** The scripts in everyday use, and signs of no script: https://www.unicode.org/reports/tr31/#Table_Recommended_Scripts */
export const everydayScripts = (
  "Common Inherited Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han " +
  "Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan"
).split(" ");

const latin = /\p{Script=Latin}/u;
const likeLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/** Chinese, Japanese and Korean share wide punctuation, such as `：`. */
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65]/u;
const boxes = /[\u2500-\u259F]/u;
/** Letters of Turkish, Vietnamese and other alphabets. */
const nationalLatin = /(?=\p{Script=Latin})[\u00C0-\u017E\u0180-\u01BF\u1E00-\u1EFF]/u;
const homes: readonly RegExp[] = [
  eastAsian,
  boxes,
  nationalLatin,
  ...everydayScripts
    .filter((script) => !/^(?:Common|Inherited|Latin)$/.test(script))
    .map((script) => new RegExp(`\\p{Script=${script}}`, "u")),
];

/** Typesetters put these signs into prose, where no shell reads them. */
const typographic = /[‘’‚‛“”‹›′″…×№−\p{Pd}]/u;
/** Æ and œ are letters of Danish and French, and emoji have a look of their own. */
const unmistakable = /[\0-\x7FÆæŒœ\p{Emoji_Presentation}]/u;
const listed = new RegExp(`[${confusables}]`, "u");
/** Compatibility forms that do not look like what they stand for: raised, circled, squared. */
const decorated = /[\p{So}\p{No}\p{Lm}\p{Sk}\p{Z}ªº]/u;
/** Every language writes its letters in both cases; phoneticians write small capitals and the like. */
const phonetic = /(?=\p{Script=Latin})(?!\p{Changes_When_Uppercased})\p{Ll}/u;

/** Unicode's table has the character beside ASCII, its compatibility form is ASCII, or it is a Latin letter of no language. */
function looksLikeAscii(sign: string): boolean {
  if (unmistakable.test(sign)) return false;
  if (listed.test(sign) || phonetic.test(sign)) return true;
  return !decorated.test(sign) && /^[!-~]+$/.test(sign.normalize("NFKC"));
}

/**
 * The words in which a character that looks like ASCII is not at home, and those that mix look-alike scripts. A letter is at
 * home beside one of its script that looks like no other, in its word, its quoted sentence or the words before it; a sign of
 * typography is at home in a quoted sentence. Takes time that grows with the text's length.
 */
export function misleadingWords(text: string, isProse = false): string[] {
  if (!/[^\0-\x7F]/.test(text)) return [];
  const sentences = isProse ? [sentenceAt(0, text)] : sentencesIn(text);
  const found = new Set<string>();
  let next = 0;
  let end = 0;
  let before: ReadonlySet<RegExp> = new Set();
  for (const { 0: word, index } of text.matchAll(/(?:[\p{L}\p{M}\p{N}]|[^\0-\x7F\s])+/gu)) {
    while ((sentences[next]?.end ?? Infinity) <= index) next += 1;
    const sentence = (sentences[next]?.start ?? Infinity) <= index ? sentences[next] : undefined;
    const own = homesIn(word);
    const goesOn = /^[ ,.!?]+$/.test(text.slice(end, index));
    const near = new Set([...own, ...(goesOn ? before : []), ...(sentence?.homes() ?? [])]);
    if (isMixed(word) || hasStranger(word, near, sentence !== undefined, text, index)) found.add(word);
    before = new Set([...own, ...(goesOn ? before : [])].filter((home) => home !== nationalLatin));
    end = index + word.length;
  }
  return [...found];
}

/** An ASCII letter can pass for one of the other script, too. */
function isMixed(word: string): boolean {
  return (word.match(/[\p{L}\p{M}]+/gu) ?? []).some((letters) => latin.test(letters) && likeLatin.test(letters));
}

function hasStranger(
  word: string,
  near: ReadonlySet<RegExp>,
  isInSentence: boolean,
  text: string,
  index: number,
): boolean {
  let at = index;
  for (const sign of word) {
    const start = at;
    at += sign.length;
    const { isLikeAscii, home } = lookOf(sign);
    if (!isLikeAscii || (home !== undefined && near.has(home))) continue;
    const isOption = /^[\s"'][−\p{Pd}]+[A-Za-z]/u.test(text.slice(Math.max(0, start - 1), start + maxDashes));
    if (isInSentence && typographic.test(sign) && !isOption) continue;
    return true;
  }
  return false;
}

/** UTF-16 units that are searched for the letter of an option. */
const maxDashes = 4;

interface Look {
  isLikeAscii: boolean;
  home: RegExp | undefined;
}

const looks = new Map<string, Look>();
/** More than any two scripts have. */
const maxLooks = 4096;

/** Texts repeat few characters, and asking thirty expressions takes time. */
function lookOf(sign: string): Look {
  const known = looks.get(sign);
  if (known !== undefined) return known;
  const look = { isLikeAscii: looksLikeAscii(sign), home: homes.find((home) => home.test(sign)) };
  if (looks.size === maxLooks) looks.clear();
  looks.set(sign, look);
  return look;
}

/** The homes of the characters that look like no ASCII. */
function homesIn(text: string): Set<RegExp> {
  const found = new Set<RegExp>();
  for (const sign of text) {
    const { isLikeAscii, home } = lookOf(sign);
    if (!isLikeAscii && home !== undefined) found.add(home);
  }
  return found;
}

interface Sentence {
  start: number;
  end: number;
  homes(): ReadonlySet<RegExp>;
}

function sentenceAt(start: number, text: string): Sentence {
  let found: ReadonlySet<RegExp> | undefined;
  return { start, end: start + text.length, homes: () => (found ??= homesIn(text)) };
}

/** What stands in quotation marks and has blanks, which some scripts do without; the model's description of a call; lines of a file. */
function sentencesIn(text: string): Sentence[] {
  const all = text.matchAll(/^(?:description: |[+-] ).*$|(?<![\p{L}\p{N}\\])(?:"(?:[^"\\]|\\[^])*"|'[^']*')/gmu);
  return [...all]
    .filter(([quoted]) => /[\s\p{Lo}]/u.test(quoted))
    .map(({ 0: quoted, index }) => sentenceAt(index, quoted));
}
