// Reads Markdown into a rich text. The parser is large: import it only when needed.
import markdownIt, { type Token } from "markdown-it";
import { type Block, bounded, type Inline } from "./rich-text.ts";

// HTML stays text, and only addresses with a scheme become links.
const markdown = markdownIt({ html: false, linkify: true });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

export function parseMarkdown(text: string): Block[] {
  return readBlocks(markdown.parse(bounded(text), {}).values());
}

/** The tokens of one parent; nested readers take theirs from the same iterator. */
function* upTo(end: string | undefined, tokens: Iterator<Token>): Generator<Token> {
  for (let next = tokens.next(); next.done !== true && next.value.type !== end; next = tokens.next()) yield next.value;
}

function readBlocks(tokens: Iterator<Token>, end?: string): Block[] {
  const blocks: Block[] = [];
  for (const token of upTo(end, tokens)) {
    const block = readBlock(token, tokens);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

function readBlock(token: Token, tokens: Iterator<Token>): Block | undefined {
  switch (token.type) {
    case "paragraph_open":
      return { type: "paragraph", children: readLine(tokens, "paragraph_close") };
    case "heading_open":
      return { type: "heading", level: Number(token.tag.slice(1)), children: readLine(tokens, "heading_close") };
    case "fence":
    case "code_block":
      return {
        type: "code",
        language: /^[\w+#.-]*/.exec(token.info)?.[0] ?? "",
        text: token.content.replace(/\n$/, ""),
      };
    case "blockquote_open":
      return { type: "quote", blocks: readBlocks(tokens, "blockquote_close") };
    case "bullet_list_open":
      return { type: "list", items: readItems(tokens, "bullet_list_close") };
    case "ordered_list_open":
      return {
        type: "list",
        start: Number(token.attrGet("start") ?? 1),
        items: readItems(tokens, "ordered_list_close"),
      };
    case "table_open":
      return { type: "table", rows: readRows(tokens) };
    case "hr":
      return { type: "rule" };
    default:
      return undefined;
  }
}

function readItems(tokens: Iterator<Token>, end: string): Block[][] {
  const items: Block[][] = [];
  for (const { type } of upTo(end, tokens)) {
    if (type === "list_item_open") items.push(readBlocks(tokens, "list_item_close"));
  }
  return items;
}

function readRows(tokens: Iterator<Token>): Inline[][][] {
  const rows: Inline[][][] = [];
  for (const { type, children } of upTo("table_close", tokens)) {
    if (type === "tr_open") rows.push([]);
    if (type === "inline") rows.at(-1)?.push(readInlines((children ?? []).values()));
  }
  return rows;
}

/** Reads a paragraph or a heading. */
function readLine(tokens: Iterator<Token>, end: string): Inline[] {
  return [...upTo(end, tokens)].flatMap(({ children }) => readInlines((children ?? []).values()));
}

const formats = { strong_open: "strong", em_open: "emphasis", s_open: "strike" } as const;

function readInlines(tokens: Iterator<Token>, end?: string): Inline[] {
  const inlines: Inline[] = [];
  for (const token of upTo(end, tokens)) {
    const inline = readInline(token, tokens);
    if (inline !== undefined) inlines.push(inline);
  }
  return inlines;
}

function readInline(token: Token, tokens: Iterator<Token>): Inline | undefined {
  switch (token.type) {
    case "softbreak":
    case "hardbreak":
      return { type: "break" };
    case "code_inline":
      return { type: "code", text: token.content };
    case "strong_open":
    case "em_open":
    case "s_open":
      return { type: formats[token.type], children: readInlines(tokens, token.type.replace("open", "close")) };
    case "link_open":
      return { type: "link", url: String(token.attrGet("href") ?? ""), children: readInlines(tokens, "link_close") };
    // A picture becomes a link: loading it would tell its server who reads the message.
    case "image": {
      const children: Inline[] = [{ type: "text", text: token.content || "image" }];
      return { type: "link", url: String(token.attrGet("src") ?? ""), children };
    }
    default:
      return token.content === "" ? undefined : { type: "text", text: token.content };
  }
}
