// Adds to the text of a rules file: a channel with its rules, or a part of the top level, which can be removed again. Every other byte stays.
import type { Node } from "jsonc-parser";
import { appendMembers, insertItems, removeChild, replaceValue } from "../../jsonc/edit.ts";
import { entriesOf, itemsOf, memberOf } from "../../jsonc/nodes.ts";
import { treeOf } from "../../jsonc/parse.ts";
import { type JsonStyle, styleOf } from "../../jsonc/style.ts";

export interface NewChannel {
  name: string;
  /** The settings as written in the file, with `type`. */
  settings: Readonly<Record<string, unknown>>;
  /** Positions of the existing rules that will notify it, from 0. */
  joined: readonly number[];
  /** They come before the first final rule, which would keep events from them. */
  rules: readonly Readonly<Record<string, unknown>>[];
  /** Turns answers on for the whole file: adds an empty "answers". */
  turnsAnswersOn?: boolean;
}

/** Values that fit stay on one line, as in the starter rules. */
const maxColumns = 100;
const byteOrderMark = "\uFEFF";

/** The text of a good rules file with the channel added. */
export function addChannel(text: string, { name, settings, joined, rules, turnsAnswersOn }: NewChannel): string {
  const { mark, body } = read(text);
  let edited = append(body, (root) => memberOf(root, "channels"), [{ key: name, value: settings }]);
  for (const rule of joined) {
    edited = append(
      edited,
      (root) => memberOf(itemsOf(memberOf(root, "rules"))[rule], "notify"),
      [{ value: name }],
      true,
    );
  }
  if (rules.length > 0) {
    edited = insertRules(edited, rules);
  }
  if (turnsAnswersOn === true) edited = append(edited, (root) => root, [{ key: "answers", value: {} }]);
  return mark + edited;
}

function insertRules(text: string, rules: readonly unknown[]): string {
  const root = treeOf(text);
  const list = memberOf(root, "rules");
  if (list === undefined) throw new Error("a good rules file lacks this part");
  const final = itemsOf(list).findIndex((rule) => memberOf(rule, "final")?.value === true);
  return insertItems(text, list, final === -1 ? Infinity : final, rules, styleOfRules(text, root), maxColumns);
}

/** The style of the starter rules, where the file has no one-line object yet. */
function styleOfRules(text: string, root: Node | undefined): JsonStyle {
  const found = styleOf(text, root);
  return { ...found, isPadded: found.isPadded || !text.includes('{"') };
}

function append(
  text: string,
  find: (root: Node) => Node | undefined,
  members: readonly { key?: string; value: unknown }[],
  isOneLine = false,
): string {
  const root = treeOf(text);
  const container = root === undefined ? undefined : find(root);
  if (container === undefined) throw new Error("a good rules file lacks this part");
  const style = styleOfRules(text, root);
  return appendMembers(text, container, members, isOneLine ? { ...style, isOneLine } : style, maxColumns);
}

/** The text with this part of the top level, in place of the one that it may have. */
export function withSection(text: string, key: string, value: unknown): string {
  const { mark, body, root } = read(text);
  const existing = memberOf(root, key);
  if (existing !== undefined) return mark + replaceValue(body, existing, value, styleOf(body, root));
  return mark + append(body, (whole) => whole, [{ key, value }]);
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
  return { mark, body, root: treeOf(body) };
}
