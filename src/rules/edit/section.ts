// Sets or removes a top-level part of the text of a rules file. Every other byte stays.
import { type Node, parseTree } from "jsonc-parser";
import { appendMembers, removeChild, replaceValue } from "../../jsonc/edit.ts";
import { entriesOf, memberOf } from "../../jsonc/nodes.ts";
import { styleOf } from "../../jsonc/style.ts";

const byteOrderMark = "\uFEFF";
/** Values that fit stay on one line, as in the starter rules. */
const maxColumns = 100;

export function withSection(text: string, key: string, value: unknown): string {
  const { mark, body, root } = read(text);
  if (root === undefined) throw new Error("a good rules file is an object");
  const style = styleOf(body, root);
  const existing = memberOf(root, key);
  if (existing !== undefined) return mark + replaceValue(body, existing, value, style);
  return mark + appendMembers(body, root, [{ key, value }], style, maxColumns);
}

export function withoutSection(text: string, key: string): string {
  const { mark, body, root } = read(text);
  const entry = entriesOf(root).find(({ name }) => name === key);
  if (root === undefined || entry === undefined) return text;
  return mark + removeChild(body, root, root.children?.indexOf(entry.property) ?? -1);
}

function read(text: string): { mark: string; body: string; root: Node | undefined } {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const body = text.slice(mark.length);
  return { mark, body, root: parseTree(body, [], { allowTrailingComma: true }) };
}
