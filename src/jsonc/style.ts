// The style of a JSON file, so that added text looks like the rest.
import type { Node } from "jsonc-parser";

export interface JsonStyle {
  lineEnd: string;
  indent: string;
  isOneLine: boolean;
  isSpaced: boolean;
  /** Spaces inside the braces of objects on one line. */
  isPadded: boolean;
}

const defaultIndent = "  ";

export function styleOf(text: string, root: Node | undefined): JsonStyle {
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const children = root?.children ?? [];
  const first = children[0];
  const isOneLine =
    first !== undefined && !/[\r\n]/.test(text.slice(root?.offset, (root?.offset ?? 0) + (root?.length ?? 0)));
  const indent = first === undefined ? "" : indentBefore(text, first.offset);
  const colon = first?.colonOffset;
  const isSpaced = colon === undefined || /\s/.test(text.charAt(colon + 1));
  return {
    lineEnd,
    indent: indent === undefined || indent === "" ? defaultIndent : indent,
    isOneLine,
    isSpaced,
    isPadded: /\{ "/.test(text),
  };
}

/** Undefined if other text is before the offset. */
export function indentBefore(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

export function indentOfLine(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

/** All lines but the first are indented by `baseIndent` and more. */
export function writeLines(value: unknown, style: JsonStyle, baseIndent: string): string {
  return JSON.stringify(value, undefined, style.indent)
    .split("\n")
    .join(style.lineEnd + baseIndent);
}

/** Parts that fit into `maxColumns` characters stay on one line. */
export function writeFitting(value: unknown, style: JsonStyle, baseIndent: string, maxColumns: number): string {
  const line = writeLine(value, { ...style, isSpaced: true });
  if (typeof value !== "object" || value === null || baseIndent.length + line.length <= maxColumns) return line;
  const indent = baseIndent + style.indent;
  const members = Object.entries(value).map(([key, item]: [string, unknown]) => {
    const lead = Array.isArray(value) ? "" : `${JSON.stringify(key)}: `;
    return indent + lead + writeFitting(item, style, indent, maxColumns - lead.length);
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return [open, members.join(`,${style.lineEnd}`), baseIndent + close].join(style.lineEnd);
}

export function writeLine(value: unknown, style: JsonStyle): string {
  const blank = style.isSpaced ? " " : "";
  if (Array.isArray(value)) return `[${value.map((item) => writeLine(item, style)).join(`,${blank}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${blank}${writeLine(item, style)}`,
  );
  const padding = style.isPadded && members.length > 0 ? " " : "";
  return `{${padding}${members.join(`,${blank}`)}${padding}}`;
}
