// Reads Markdown, as agents write it, into a rich text. It loads a parser, so import it only when there is Markdown to read.
import markdownIt, { type Token } from "markdown-it";
import { type Block, bounded, type Inline } from "./rich-text.ts";

// HTML stays text, and only addresses with a scheme become links.
const markdown = markdownIt({ html: false, linkify: true });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

export function parseMarkdown(text: string): Block[] {
  return readBlocks(cursorOf(markdown.parse(bounded(text), {})), undefined);
}

/** The tokens of a list, and how far they have been read. */
interface Cursor {
  tokens: readonly Token[];
  at: number;
}

function cursorOf(tokens: readonly Token[]): Cursor {
  return { tokens, at: 0 };
}

/** The blocks up to the token that closes their parent. */
function readBlocks(cursor: Cursor, end: string | undefined): Block[] {
  const blocks: Block[] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at++];
    if (token === undefined || token.type === end) return blocks;
    const block = readBlock(token, cursor);
    if (block !== undefined) blocks.push(block);
  }
}

function readBlock(token: Token, cursor: Cursor): Block | undefined {
  switch (token.type) {
    case "paragraph_open":
      return { type: "paragraph", children: readLine(cursor, "paragraph_close") };
    case "heading_open":
      return { type: "heading", level: Number(token.tag.slice(1)), children: readLine(cursor, "heading_close") };
    case "fence":
    case "code_block":
      return {
        type: "code",
        language: /^[\w+#.-]*/.exec(token.info)?.[0] ?? "",
        text: token.content.replace(/\n$/, ""),
      };
    case "blockquote_open":
      return { type: "quote", blocks: readBlocks(cursor, "blockquote_close") };
    case "bullet_list_open":
      return { type: "list", items: readItems(cursor, "bullet_list_close") };
    case "ordered_list_open":
      return {
        type: "list",
        start: Number(token.attrGet("start") ?? 1),
        items: readItems(cursor, "ordered_list_close"),
      };
    case "table_open":
      return { type: "table", rows: readRows(cursor) };
    case "hr":
      return { type: "rule" };
    default:
      return undefined;
  }
}

function readItems(cursor: Cursor, end: string): Block[][] {
  const items: Block[][] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at++];
    if (token === undefined || token.type === end) return items;
    if (token.type === "list_item_open") items.push(readBlocks(cursor, "list_item_close"));
  }
}

function readRows(cursor: Cursor): Inline[][][] {
  const rows: Inline[][][] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at++];
    if (token === undefined || token.type === "table_close") return rows;
    if (token.type === "tr_open") rows.push([]);
    if (token.type === "inline") rows.at(-1)?.push(readInlines(cursorOf(token.children ?? []), undefined));
  }
}

/** The inlines of a paragraph or a heading, up to the token that closes it. */
function readLine(cursor: Cursor, end: string): Inline[] {
  const inlines: Inline[] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at++];
    if (token === undefined || token.type === end) return inlines;
    inlines.push(...readInlines(cursorOf(token.children ?? []), undefined));
  }
}

const formats = { strong_open: "strong", em_open: "emphasis", s_open: "strike" } as const;

function readInlines(cursor: Cursor, end: string | undefined): Inline[] {
  const inlines: Inline[] = [];
  for (;;) {
    const token = cursor.tokens[cursor.at++];
    if (token === undefined || token.type === end) return inlines;
    const inline = readInline(token, cursor);
    if (inline !== undefined) inlines.push(inline);
  }
}

function readInline(token: Token, cursor: Cursor): Inline | undefined {
  switch (token.type) {
    case "softbreak":
    case "hardbreak":
      return { type: "break" };
    case "code_inline":
      return { type: "code", text: token.content };
    case "strong_open":
    case "em_open":
    case "s_open":
      return { type: formats[token.type], children: readInlines(cursor, token.type.replace("open", "close")) };
    case "link_open":
      return { type: "link", url: String(token.attrGet("href") ?? ""), children: readInlines(cursor, "link_close") };
    // A picture is only named: loading it would tell its server who reads the message.
    case "image": {
      const children: Inline[] = [{ type: "text", text: token.content || "image" }];
      return { type: "link", url: String(token.attrGet("src") ?? ""), children };
    }
    default:
      return token.content === "" ? undefined : { type: "text", text: token.content };
  }
}
