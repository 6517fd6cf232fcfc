// Shortens Markdown, and stays Markdown: the first sentence and the closing question are kept.
import { measures } from "../text.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { plainSyntax, render, type Syntax } from "./render.ts";
import { shorten } from "./shorten.ts";

/** At most `limit` code points. */
export function summarise(text: string, limit: number): string {
  if (measures.codePoints(text) <= limit) return text;
  const fits = (markdown: string): boolean => measures.codePoints(markdown) <= limit;
  return render(
    shorten(parseMarkdown(text), (blocks) => fits(render(blocks, markdownSyntax))),
    markdownSyntax,
  );
}

const markdownSyntax: Syntax = {
  ...plainSyntax,
  text: (text) => text.replace(/[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~~|^(?:[#>+|-]|\d+[.)])/gmu, "\\$&"),
  strong: (inner) => `**${inner}**`,
  emphasis: (inner) => `*${inner}*`,
  strike: (inner) => `~~${inner}~~`,
  code: (text) => fenced(text, "`", text.startsWith("`") || text.endsWith("`") ? " " : ""),
  link: (inner, url, aside) => (aside === "" ? url : `[${inner}](${url})`),
  heading: (inner, level) => `${"#".repeat(level)} ${inner}`,
  codeBlock: (text, language) => fenced(text, "```", "\n", language),
  list: (items, start) =>
    items
      .map((item, index) => `${start === undefined ? "-" : `${start + index}.`} ${item.replaceAll("\n", "\n   ")}`)
      .join("\n"),
  table: (rows) =>
    rows.map((row, index) => tableRow(row) + (index === 0 ? `\n${tableRow(row.map(() => "-"))}` : "")).join("\n"),
  rule: "---",
};

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Between signs that the text does not have. */
function fenced(text: string, sign: string, gap: string, language = ""): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = longest < sign.length && !(sign === "`" && longest > 0) ? sign : "`".repeat(longest + 1);
  return `${fence}${language}${gap}${text}${gap}${fence}`;
}
