// Adds a channel and its rules to the text of a rules file.
import { parseTree, type Node } from "jsonc-parser";
import { appendMembers } from "../../jsonc/edit.ts";
import { itemsOf, memberOf } from "../../jsonc/nodes.ts";
import { styleOf } from "../../jsonc/style.ts";

export interface NewChannel {
  name: string;
  /** The settings as written in the file, with `type`. */
  settings: Readonly<Record<string, unknown>>;
  /** Positions of the existing rules that will notify it, from 0. */
  joined: readonly number[];
  /** Rules to append. */
  rules: readonly Readonly<Record<string, unknown>>[];
  /** Turns answers on for the whole file: adds an empty "answers". */
  turnsAnswersOn?: boolean;
}

/** Values that fit stay on one line, as in the starter rules. */
const maxColumns = 100;
const byteOrderMark = "\uFEFF";

/** The text of a good rules file with the channel added. Every other byte stays. */
export function addChannel(text: string, { name, settings, joined, rules, turnsAnswersOn }: NewChannel): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let edited = append(text.slice(mark.length), (root) => memberOf(root, "channels"), [{ key: name, value: settings }]);
  for (const rule of joined) {
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
  if (turnsAnswersOn === true) edited = append(edited, (root) => root, [{ key: "answers", value: {} }]);
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
  if (container === undefined) throw new Error("a good rules file lacks this part");
  const found = styleOf(text, root);
  // The style of the starter rules, where the file has no one-line object yet.
  const style = { ...found, isPadded: found.isPadded || !text.includes('{"') };
  return appendMembers(text, container, members, isOneLine ? { ...style, isOneLine } : style, maxColumns);
}
