// Makes src/answers/card/confusables.ts from Unicode's table of confusable characters, which the package unhomoglyph carries:
// https://www.unicode.org/reports/tr39/#Confusable_Detection. Its licence, Unicode's, is in confusables.LICENSE.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { version } = require("unhomoglyph/package.json");
/** It maps each character to the one that stands for all that look like it. */
const table = JSON.parse(readFileSync(require.resolve("unhomoglyph/data.json"), "utf8"));

export function confusablesText() {
  return `// \`npm run generate\` makes this file: the characters that look like ASCII in Unicode's table of confusables (UTS #39).
// unhomoglyph ${version} has the table; scripts/tables/confusables.LICENSE is its licence.

/** What stands between the brackets of a regular expression with the flag \`u\`. */
export const confusables = [
${linesOf(rangesOf(lookAlikes())).join("\n")}
].join("");
`;
}

/** Code points. What stands for all that look like an ASCII character need not be ASCII: for `%`, it is `º/₀`. */
function lookAlikes() {
  const ascii = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));
  const standIns = new Set(ascii.flatMap((sign) => table[sign] ?? []));
  const listed = Object.keys(table).filter((sign) => /^[ -~]+$/.test(table[sign]) || standIns.has(table[sign]));
  // The table has the capital of the small capital R, for one, and not that letter itself.
  const small = listed.filter((sign) => /\p{Script=Latin}/u.test(sign) && table[sign].length === 1);
  return [...listed, ...small.map((sign) => sign.toLowerCase())]
    .filter((sign) => [...sign].length === 1)
    .map((sign) => sign.codePointAt(0))
    .filter((point) => point > 0x7f);
}

function rangesOf(all) {
  const points = new Set(all);
  const inOrder = [...points].sort((a, b) => a - b);
  const ends = inOrder.filter((point) => !points.has(point + 1));
  const escape = (point) => `\\u{${point.toString(16).toUpperCase()}}`;
  return inOrder
    .filter((point) => !points.has(point - 1))
    .map((start, index) => escape(start) + (start === ends[index] ? "" : `-${escape(ends[index])}`));
}

const charactersPerLine = 100;

function linesOf(ranges) {
  const lines = [""];
  for (const range of ranges) {
    if (lines.at(-1).length + range.length > charactersPerLine) lines.push("");
    lines[lines.length - 1] += range;
  }
  return lines.map((line) => `  String.raw\`${line}\`,`);
}
