// A text as its reader sees it in the end: character references, invisible characters, look-alikes and the marks of Markdown can split a credential.
import { terminalSequence } from "../text.ts";

/** A text that was made of another one, and where each of its UTF-16 units comes from. */
export interface Rewritten {
  text: string;
  /** Undefined where nothing was changed. Its last element is the length of the original. */
  from?: Uint32Array;
}

type Replace = (match: RegExpMatchArray) => string;

/** `pattern` is global. */
function rewrite(before: Rewritten, pattern: RegExp, replace: Replace): Rewritten {
  const { text } = before;
  const origin = (at: number): number => before.from?.[at] ?? at;
  let result = "";
  let done = 0;
  let from: Uint32Array | undefined;
  const keepUntil = (end: number): void => {
    for (let at = done; at < end; at += 1) if (from !== undefined) from[result.length + at - done] = origin(at);
    result += text.slice(done, end);
  };
  for (const match of text.matchAll(pattern)) {
    const instead = replace(match);
    if (instead === match[0]) continue;
    // No replacement is longer than what it replaces.
    from ??= new Uint32Array(text.length + 1);
    keepUntil(match.index);
    from.fill(origin(match.index), result.length, result.length + instead.length);
    result += instead;
    done = match.index + match[0].length;
  }
  if (from === undefined) return before;
  keepUntil(text.length);
  from[result.length] = origin(text.length);
  return { text: result, from };
}

/** Leaves out what begins and ends a terminal's string, but not the string: some readers see it, and an unfinished one has no end. */
const stringMark = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_\\])?|\u009B[0-?]*[ -/]*[@-~]/g;
const mayHaveString = /\u001B(?!\[)|[\u0090\u0098\u009D-\u009F]/;
/** Controls, bidirectional overrides, joiners and all else that Unicode says is not shown, but no tab and no line break. */
const invisible = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const reference =
  /&#(\d{1,7});|&#[xX]([\da-fA-F]{1,6});|&([A-Za-z][A-Za-z\d]{1,30});|\\u([\da-fA-F]{4})|%([2-7][\da-fA-F])/g;
/** All names of HTML for ASCII signs, for their look-alikes and for what is not shown: https://html.spec.whatwg.org/multipage/named-characters.html */
const names: ReadonlyMap<string, string> = new Map(
  (
    [
      ["\t", "Tab"],
      ["\n", "NewLine"],
      [
        " ",
        "nbsp NonBreakingSpace ensp emsp emsp13 emsp14 numsp puncsp thinsp ThinSpace hairsp VeryThinSpace MediumSpace",
      ],
      ["!", "excl"],
      ['"', "quot QUOT ldquo rdquo rdquor ldquor bdquo OpenCurlyDoubleQuote CloseCurlyDoubleQuote Prime laquo raquo"],
      ["#", "num"],
      ["$", "dollar"],
      ["%", "percnt"],
      ["&", "amp AMP"],
      ["'", "apos lsquo rsquo rsquor OpenCurlyQuote CloseCurlyQuote prime lsaquo rsaquo"],
      ["(", "lpar"],
      [")", "rpar"],
      ["*", "ast midast"],
      ["+", "plus"],
      [",", "comma"],
      ["-", "hyphen dash ndash mdash horbar hybull minus"],
      [".", "period"],
      ["/", "sol"],
      [":", "colon ratio"],
      [";", "semi"],
      ["<", "lt LT"],
      ["=", "equals"],
      [">", "gt GT"],
      ["?", "quest"],
      ["@", "commat"],
      ["[", "lbrack lsqb"],
      ["\\", "bsol"],
      ["]", "rbrack rsqb"],
      ["^", "Hat"],
      ["_", "lowbar UnderBar"],
      ["`", "grave DiacriticalGrave"],
      ["{", "lbrace lcub"],
      ["|", "verbar vert VerticalLine"],
      ["}", "rbrace rcub"],
      ["fj", "fjlig"],
      [
        "",
        "shy zwnj zwj lrm rlm NoBreak ZeroWidthSpace NegativeVeryThinSpace NegativeThinSpace NegativeMediumSpace NegativeThickSpace ApplyFunction af InvisibleTimes it InvisibleComma ic",
      ],
    ] as const
  ).flatMap(([sign, all]) => all.split(" ").map((name) => [name, sign] as const)),
);

function referenced([whole, decimal, hex, name, escaped, percent]: RegExpMatchArray): string {
  // Such names are letters of mathematics, such as `&gscr;`.
  if (name !== undefined) return names.get(name) ?? /^([A-Za-z])(?:scr|fr|opf)$/.exec(name)?.[1] ?? whole;
  const digits = hex ?? escaped ?? percent ?? "";
  const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
  const isBlank = escaped === undefined && (code === 0x09 || code === 0x0a || code === 0x0d);
  const isShown = isBlank || (code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff));
  // Escapes of JSON for other letters say nothing of a credential.
  const isOfCredentials = escaped === undefined || code < 0x80;
  return isShown && isOfCredentials ? String.fromCodePoint(code) : whole;
}

/** Beside those that Unicode itself calls a form of the ASCII sign: https://www.unicode.org/reports/tr15/ */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      [":", "\u02D0\u02F8\u0589\u05C3\u0703\u0704\u16EC\u1803\u1809\u205A\u2236\uA4FD\uA789"],
      ["=", "\u1400\u2E40\u30A0\uA4FF\uA78A"],
      ["-", "\u02D7\u06D4\u2010-\u2015\u2043\u2212\u2796\u2CBA\uFE58"],
      ['"', "\u201C-\u201F\u2033\u2036\u3003\u02BA\u02DD\u00AB\u00BB"],
      ["'", "\u2018-\u201B\u2032\u2035\u02B9\u02BC\u02C8\u2039\u203A"],
    ] as const
  ).flatMap(([ascii, others]) => rangesOf(others).map((other) => [other, ascii])),
);

function rangesOf(written: string): string[] {
  return [...written.matchAll(/(.)(?:-(.))?/gu)].flatMap(([, first = "", last = first]) => {
    const start = first.codePointAt(0) ?? 0;
    return Array.from({ length: (last.codePointAt(0) ?? start) - start + 1 }, (_, nth) =>
      String.fromCodePoint(start + nth),
    );
  });
}

/** The ASCII form of a sign that has one of a single character; superscripts and ligatures keep their own. */
function asciiOf([sign]: RegExpMatchArray): string {
  const ascii = lookalikes[sign] ?? sign.normalize("NFKC");
  return /^[ -~]$/.test(ascii) ? ascii : sign;
}

/** The second form has the strings of terminal sequences as well. */
export function asShown(text: string): Rewritten[] {
  const patterns = mayHaveString.test(text) ? [terminalSequence, stringMark] : [terminalSequence];
  return patterns.map((pattern) => withoutDisguise(rewrite({ text }, pattern, () => "")));
}

function withoutDisguise(before: Rewritten): Rewritten {
  let shown = before;
  shown = rewrite(shown, reference, referenced);
  shown = rewrite(shown, invisible, () => "");
  return rewrite(shown, /[^\u0000-\u007F]/gu, asciiOf);
}

const tag = "b|i|u|s|em|strong|code|kbd|span|font|sub|sup|mark|del|ins|small|big|tt|wbr|a";
const target = "\\((?:[^()]|\\([^()]{0,200}\\)){0,200}\\)";
/** The marks of a link or an image, whose words stay. An image can be the only content of a link. */
const link = `!?\\[(?=!?\\[\\]\\(|[^[\\]]{0,200}\\]\\()|\\]${target}`;
/** A comment, a tag, a link, an escape, or marks of emphasis and code. A token has none of these signs. */
const marks = new RegExp(
  `<!--[^>]{0,200}-->|</?(?:${tag})(?:\\s[^<>]{0,200})?/?>|${link}|\\\\(?=[!-/:-@[-\`{-~])|\\*{1,3}|~~|\`{1,3}`,
  "gi",
);

/** Leaves out the marks of Markdown. Underscores stay: most tokens have some. */
export function asRendered(shown: Rewritten): Rewritten {
  return rewrite(shown, marks, () => "");
}

const underscored = /(_{1,2})([A-Za-z\d]{1,40})\1/g;
const softBreak = /(?<=[\w-])[ \t]{0,4}(?:\r\n?|\n)[ \t>]{0,8}(?=[\w-])/g;

/** Leaves out emphasis by underscores, and line breaks: only tokens can be told from words that are glued so. */
export function asJoined(rendered: Rewritten): Rewritten[] {
  const plain = rewrite(rendered, underscored, ([, , word = ""]) => word);
  const joined = rewrite(rendered, softBreak, () => "");
  return [plain, joined].filter((each) => each !== rendered);
}
