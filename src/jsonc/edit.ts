// Edits JSON with comments without touching other bytes.
import type { Node } from "jsonc-parser";
import { indentBefore, indentOfLine, writeFitting, writeLine, writeLines, type JsonStyle } from "./style.ts";
import { tokensOf } from "./tokens.ts";

/** A new last member of an object (with a key) or an array (without). */
export interface NewMember {
  key?: string;
  value: unknown;
}

// jsonc-parser's `modify` reformats whole lines and loses comments.

/** Appends members in the style of the container; values of at most `maxColumns` characters stay on one line. */
export function appendMembers(
  text: string,
  container: Node,
  members: readonly NewMember[],
  style: JsonStyle,
  maxColumns = 0,
): string {
  const children = container.children ?? [];
  const last = children.at(-1);
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const isOnLines = last === undefined ? !style.isOneLine : /[\r\n]/.test(text.slice(open, children[0]?.offset));
  const contentEnd = last === undefined ? open : last.offset + last.length;
  const tailEnd = close - (/(?<![ \t\r\n])[ \t\r\n]*$/.exec(text.slice(contentEnd, close))?.[0].length ?? 0);

  const trailing = last === undefined ? undefined : commaAt(text.slice(contentEnd, close));
  const insertAt = trailing === undefined ? contentEnd : contentEnd + trailing + 1;
  const lead = last === undefined || trailing !== undefined ? "" : ",";
  const end = trailing === undefined ? "" : ",";

  if (!isOnLines) {
    const blank = style.isSpaced ? " " : "";
    const written = members.map((member) => withKey(member, writeLine(member.value, style), blank)).join(`,${blank}`);
    return last === undefined
      ? text.slice(0, tailEnd) + written + text.slice(close)
      : `${text.slice(0, insertAt)}${lead}${blank}${written}${end}${text.slice(insertAt)}`;
  }
  const baseIndent = indentOfLine(text, container.offset);
  const childIndent = (children[0] && indentBefore(text, children[0].offset)) ?? baseIndent + style.indent;
  const written = members
    .map((member) => {
      const room = maxColumns - (member.key === undefined ? 0 : JSON.stringify(member.key).length + ": ,".length);
      const value =
        maxColumns > 0
          ? writeFitting(member.value, style, childIndent, room)
          : writeLines(member.value, style, childIndent);
      return style.lineEnd + childIndent + withKey(member, value, " ");
    })
    .join(",");
  return last === undefined
    ? text.slice(0, tailEnd) + written + style.lineEnd + baseIndent + text.slice(close)
    : `${text.slice(0, insertAt)}${lead}${text.slice(insertAt, tailEnd)}${written}${end}${text.slice(tailEnd)}`;
}

/** Inserts items before one of an array, above the comments that belong to it. Values of at most `maxColumns` characters stay on one line. */
export function insertItems(
  text: string,
  container: Node,
  index: number,
  values: readonly unknown[],
  style: JsonStyle,
  maxColumns = 0,
): string {
  const next = container.children?.[index];
  if (next === undefined)
    return appendMembers(
      text,
      container,
      values.map((value) => ({ value })),
      style,
      maxColumns,
    );
  const indent = indentBefore(text, next.offset);
  if (indent === undefined) {
    const written = values.map((value) => `${writeLine(value, style)},${style.isSpaced ? " " : ""}`).join("");
    return text.slice(0, next.offset) + written + text.slice(next.offset);
  }
  const line = text.lastIndexOf("\n", next.offset) + 1;
  const above = /(?:(?<=\n)[ \t]*\/\/[^\n]*\n)*$/.exec(text.slice(container.offset, line))?.[0].length ?? 0;
  const at = line - above;
  const written = values.map((value) => `${indent}${writeFitting(value, style, indent, maxColumns)},${style.lineEnd}`);
  return text.slice(0, at) + written.join("") + text.slice(at);
}

export function replaceValue(text: string, node: Node, value: unknown, style: JsonStyle): string {
  const end = node.offset + node.length;
  const isOnLines = /[\r\n]/.test(text.slice(node.offset, end));
  const written = isOnLines ? writeLines(value, style, indentOfLine(text, node.offset)) : writeLine(value, style);
  return text.slice(0, node.offset) + written + text.slice(end);
}

/** Removes a property or item with its comma and its line, on request also the comment behind it. */
export function removeChild(text: string, container: Node, index: number, isCommentRemoved = false): string {
  const children = container.children ?? [];
  const child = children[index];
  if (child === undefined) return text;
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const previous = children[index - 1];
  const next = children[index + 1];
  const end = child.offset + child.length;
  const comma = commaAt(text.slice(end, next?.offset ?? close));
  const behind = comma === undefined ? end : end + comma + 1;
  const afterComma = behind + (isCommentRemoved ? commentLength(text, child.offset, behind) : 0);

  if (previous === undefined && next === undefined) {
    const isAlone = /^\s*$/.test(text.slice(open, child.offset)) && /^\s*$/.test(text.slice(afterComma, close));
    return isAlone ? text.slice(0, open) + text.slice(close) : cutLine(text, child.offset, afterComma);
  }
  if (previous === undefined && next !== undefined && indentBefore(text, child.offset) === undefined) {
    const blanks = /^[ \t]*/.exec(text.slice(afterComma, next.offset))?.[0].length ?? 0;
    return text.slice(0, child.offset) + text.slice(afterComma + blanks);
  }
  const cut = cutLine(text, child.offset, afterComma);
  if (comma !== undefined || previous === undefined) return cut;
  // The comma before the last member is removed; comments between stay.
  const previousEnd = previous.offset + previous.length;
  const commaOffset = previousEnd + (commaAt(text.slice(previousEnd, child.offset)) ?? 0);
  return cut.slice(0, commaOffset) + cut.slice(commaOffset + 1);
}

/** The length of the comment behind a member that is alone on its line. */
function commentLength(text: string, start: number, end: number): number {
  if (indentBefore(text, start) === undefined) return 0;
  const comment = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)(?=[\r\n]|$)/.exec(text.slice(end));
  return comment?.[0].length ?? 0;
}

function withKey(member: NewMember, written: string, blank: string): string {
  return member.key === undefined ? written : `${JSON.stringify(member.key)}:${blank}${written}`;
}

function commaAt(behind: string): number | undefined {
  for (const { offset, raw } of tokensOf(behind)) if (raw === ",") return offset;
  return undefined;
}

/** Includes the line break before it, where its line would be empty. */
function cutLine(text: string, start: number, end: number): string {
  const isLastOnLine = /^[ \t]*(?:[\r\n]|$)/.test(text.slice(end, end + 1000));
  const lead =
    (isLastOnLine ? /(?:\r\n|\n|\r|(?<![ \t]))[ \t]*$/ : /(?<![ \t])[ \t]*$/).exec(
      text.slice(Math.max(0, start - 1000), start),
    )?.[0] ?? "";
  // The blanks before it indent what is left on the line.
  const isIndent = !isLastOnLine && indentBefore(text, start) !== undefined;
  return text.slice(0, isIndent ? start : start - lead.length) + text.slice(end);
}
