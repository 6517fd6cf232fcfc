// A text as its reader sees it in the end: character references, invisible characters, look-alikes and the marks of Markdown can split a credential.

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

const terminalSequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -~])?/g;
/** Controls, bidirectional overrides, joiners and all else that Unicode says is not shown, but no tab and no line break. */
const invisible = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const reference =
  /&#(\d{2,7});|&#[xX]([\da-fA-F]{2,6});|&(lt|gt|amp|quot|apos|lowbar|hyphen|equals|colon|period|shy|zwnj|zwj|NoBreak);|\\u([\da-fA-F]{4})|%([2-7][\da-fA-F])/g;
const names: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  lowbar: "_",
  hyphen: "-",
  equals: "=",
  colon: ":",
  period: ".",
  shy: "",
  zwnj: "",
  zwj: "",
  NoBreak: "",
};

function referenced([whole, decimal, hex, name, escaped, percent]: RegExpMatchArray): string {
  if (name !== undefined) return names[name] ?? whole;
  const digits = hex ?? escaped ?? percent ?? "";
  const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
  const isShown = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
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

export function asShown(text: string): Rewritten {
  let shown = rewrite({ text }, terminalSequence, () => "");
  shown = rewrite(shown, reference, referenced);
  shown = rewrite(shown, invisible, () => "");
  return rewrite(shown, /[^\u0000-\u007F]/gu, asciiOf);
}

const tag = "b|i|u|s|em|strong|code|kbd|span|font|sub|sup|mark|del|ins|small|big|tt|wbr|a";
/** A comment, a tag, an escape, or marks of emphasis and code. A token has none of these signs. */
const marks = new RegExp(
  `<!--[^>]{0,200}-->|</?(?:${tag})(?:\\s[^<>]{0,200})?/?>|\\\\(?=[!-/:-@[-\`{-~])|\\*{1,3}|~~|\`{1,3}`,
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
