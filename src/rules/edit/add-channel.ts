import { parseTree, type Node } from "jsonc-parser";
import { appendMembers } from "../../jsonc/edit.ts";
import { itemsOf, memberOf } from "../../jsonc/nodes.ts";
import { styleOf } from "../../jsonc/style.ts";

/** A channel to put into a rules file, and who shall notify it. */
export interface NewChannel {
  name: string;
  /** As they stand in the file, `type` among them. */
  settings: Readonly<Record<string, unknown>>;
  /** Places of the rules of the file that shall notify it, from 0. */
  joined: readonly number[];
  /** Rules to put at the end. */
  rules: readonly Readonly<Record<string, unknown>>[];
}

/** What fits into a line of a hundred stays on one, as in the rules file to start from. */
const maxColumns = 100;
const byteOrderMark = "\uFEFF";

/** The text of a good rules file with the channel in it; everything else stays as it is, to the byte. */
export function addChannel(text: string, { name, settings, joined, rules }: NewChannel): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let edited = append(text.slice(mark.length), (root) => memberOf(root, "channels"), [{ key: name, value: settings }]);
  for (const rule of joined) {
    // Names stay on the rule's line, also where there were none.
    edited = append(
      edited,
      (root) => memberOf(itemsOf(memberOf(root, "rules"))[rule], "notify"),
      [{ value: name }],
      true,
    );
  }
  if (rules.length > 0) {
    edited = append(
      edited,
      (root) => memberOf(root, "rules"),
      rules.map((value) => ({ value })),
    );
  }
  return mark + edited;
}

function append(
  text: string,
  find: (root: Node) => Node | undefined,
  members: readonly { key?: string; value: unknown }[],
  isOneLine = false,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const container = root === undefined ? undefined : find(root);
  if (container === undefined) throw new Error("a rules file that was good has no such part");
  const found = styleOf(text, root);
  // Where nothing stands on one line yet, as in the rules to start from.
  const style = { ...found, isPadded: found.isPadded || !text.includes('{"') };
  return appendMembers(text, container, members, isOneLine ? { ...style, isOneLine } : style, maxColumns);
}
