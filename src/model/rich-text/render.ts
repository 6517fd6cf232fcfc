// Writes a rich text in a syntax: plain text, or what a channel adds to it.
import { printable, printableLine } from "../text.ts";
import { type Block, type Inline, textOf } from "./rich-text.ts";

/** `inner` and `aside` are written already; `text` is not escaped yet. */
export interface Syntax {
  text(text: string): string;
  break: string;
  strong(inner: string): string;
  emphasis(inner: string): string;
  strike(inner: string): string;
  code(text: string): string;
  /** `aside` is the host, where the label does not show it. */
  link(inner: string, url: string, aside: string): string;
  paragraph(inner: string): string;
  heading(inner: string, level: number): string;
  codeBlock(text: string, language: string): string;
  quote(inner: string): string;
  /** `start`: the first number of an ordered list. */
  list(items: readonly string[], start: number | undefined): string;
  /** `texts`: the cells without syntax. */
  table(rows: readonly (readonly string[])[], texts: readonly (readonly string[])[]): string;
  rule: string;
  /** What stands between two blocks. */
  gap: string;
}

const bullet = "•";

export const plainSyntax: Syntax = {
  text: (text) => text,
  break: "\n",
  strong: (inner) => inner,
  emphasis: (inner) => inner,
  strike: (inner) => inner,
  code: (text) => text,
  link: (inner, _url, aside) => inner + aside,
  paragraph: (inner) => inner,
  heading: (inner) => inner,
  codeBlock: (text) => text,
  quote: (inner) => inner.replace(/^/gm, "> "),
  list: (items, start) =>
    items.map((item, index) => indented(item, start === undefined ? bullet : `${start + index}.`)).join("\n"),
  table: (rows) => rows.map((row) => row.join(" | ")).join("\n"),
  rule: "———",
  gap: "\n\n",
};

/** Each dialect of Markdown adds its own `text` and `link`. */
export const markdownSyntax: Syntax = {
  ...plainSyntax,
  strong: (inner) => `**${inner}**`,
  emphasis: (inner) => `*${inner}*`,
  strike: (inner) => `~~${inner}~~`,
  code: (text) => fenced(text, "`", text.includes("`") ? " " : ""),
  heading: (inner, level) => `${"#".repeat(level)} ${inner}`,
  codeBlock: (text, language) => fenced(text, "```", "\n", language),
  list: (items, start) =>
    items
      .map((item, index) => `${start === undefined ? "-" : `${start + index}.`} ${item.replaceAll("\n", "\n    ")}`)
      .join("\n"),
  table: (rows) =>
    rows.map((row, index) => tableRow(row) + (index === 0 ? `\n${tableRow(row.map(() => "-"))}` : "")).join("\n"),
  rule: "---",
};

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The fence has more backticks than the text. */
function fenced(text: string, sign: string, gap: string, language = ""): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = longest < sign.length ? sign : "`".repeat(longest + 1);
  return `${fence}${language}${gap}${text}${gap}${fence}`;
}

function indented(item: string, marker: string): string {
  return `${marker} ${item.replaceAll("\n", `\n${" ".repeat(marker.length + 1)}`)}`;
}

export function render(blocks: readonly Block[], syntax: Syntax = plainSyntax): string {
  return joined(blocks, syntax, syntax.gap);
}

function joined(blocks: readonly Block[], syntax: Syntax, gap: string): string {
  return blocks
    .map((block) => renderBlock(block, syntax))
    .filter((text) => text !== "")
    .join(gap);
}

function renderBlock(block: Block, syntax: Syntax): string {
  switch (block.type) {
    case "paragraph":
      return syntax.paragraph(renderInlines(block.children, syntax));
    case "heading":
      // A heading is bold already.
      return syntax.heading(renderInlines(block.children, { ...syntax, strong: (inner) => inner }), block.level);
    case "code":
      return syntax.codeBlock(printable(block.text), block.language);
    case "quote":
      return syntax.quote(joined(block.blocks, syntax, syntax.gap));
    case "list": {
      const tight = { ...syntax, paragraph: (inner: string) => inner };
      const items = block.items.map((item) => joined(item, tight, syntax.break));
      return syntax.list(items, block.start);
    }
    case "table":
      return syntax.table(
        block.rows.map((row) => row.map((cell) => renderInlines(cell, syntax))),
        block.rows.map((row) => row.map((cell) => renderInlines(cell, plainSyntax))),
      );
    case "rule":
      return syntax.rule;
  }
}

export function renderInlines(inlines: readonly Inline[], syntax: Syntax = plainSyntax): string {
  return inlines.map((inline) => renderInline(inline, syntax)).join("");
}

function renderInline(inline: Inline, syntax: Syntax): string {
  switch (inline.type) {
    case "text":
      return syntax.text(printable(inline.text));
    case "break":
      return syntax.break;
    case "code":
      return syntax.code(printableLine(inline.text));
    case "strong":
    case "emphasis":
    case "strike": {
      const inner = renderInlines(inline.children, syntax);
      // Most syntaxes show the signs around blanks.
      return inner.trim() === "" ? inner : syntax[inline.type](inner);
    }
    case "link": {
      const inner = renderInlines(inline.children, syntax);
      const target = linkTarget(inline);
      if (target === undefined) return inner;
      return syntax.link(inner, target.href, target.aside === "" ? "" : syntax.text(target.aside));
    }
  }
}

/** A browser opens the link. */
export function linkTarget({ url, children }: Inline & { type: "link" }): { href: string; aside: string } | undefined {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  const { href, host } = new URL(url);
  const isTold = [url, href, decoded(href)].includes(textOf(children).trim());
  // Some program or other takes each of these signs for the end of an address.
  return { href: href.replace(/[()<>|`'"]/g, percentEncoded), aside: isTold ? "" : ` (${host})` };
}

function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
