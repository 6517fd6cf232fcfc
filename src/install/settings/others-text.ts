import type { Node } from "jsonc-parser";
import { entriesOf, itemsOf } from "../../jsonc/nodes.ts";

/**
 * What a settings file says beside our entries, in one comparable text: order, repeated keys and the digits of numbers
 * count, white space and comments do not. Containers that hold nothing but our entries are left out, as are empty
 * ones of the same kind, so that the text is the same before and after an edit.
 */
export function othersText(
  text: string,
  root: Node | undefined,
  own: ReadonlySet<Node>,
  mayVanish: ReadonlySet<Node>,
): string {
  const write = (node: Node): string | undefined => {
    if (own.has(node)) return undefined;
    if (node.type === "array") {
      const items = itemsOf(node).flatMap((item) => write(item) ?? []);
      return items.length === 0 && mayVanish.has(node) ? undefined : `[${items.join(",")}]`;
    }
    if (node.type === "object") {
      const members = entriesOf(node).flatMap(({ name, value }) => {
        const written = write(value);
        return written === undefined ? [] : [`${JSON.stringify(name)}:${written}`];
      });
      return members.length === 0 && mayVanish.has(node) ? undefined : `{${members.join(",")}}`;
    }
    return node.type === "string" ? JSON.stringify(node.value) : text.slice(node.offset, node.offset + node.length);
  };
  return root === undefined ? "{}" : (write(root) ?? "{}");
}
