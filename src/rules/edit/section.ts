// Sets or removes a top-level part of the text of a rules file. Every other byte stays.
import { parseTree } from "jsonc-parser";
import { appendMembers, removeChild, replaceValue } from "../../jsonc/edit.ts";
import { entriesOf, memberOf } from "../../jsonc/nodes.ts";
import { styleOf } from "../../jsonc/style.ts";

const byteOrderMark = "\uFEFF";
/** Values that fit stay on one line, as in the starter rules. */
const maxColumns = 100;

export function withSection(text: string, key: string, value: unknown): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const body = text.slice(mark.length);
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error("a good rules file is an object");
  const style = styleOf(body, root);
  const existing = memberOf(root, key);
  return (
    mark +
    (existing === undefined
      ? appendMembers(body, root, [{ key, value }], style, maxColumns)
      : replaceValue(body, existing, value, style))
  );
}

export function withoutSection(text: string, key: string): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const body = text.slice(mark.length);
  const root = parseTree(body, [], { allowTrailingComma: true });
  const entry = entriesOf(root).find(({ name }) => name === key);
  if (root === undefined || entry === undefined) return text;
  return mark + removeChild(body, root, root.children?.indexOf(entry.property) ?? -1);
}
