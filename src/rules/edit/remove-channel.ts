// Removes a channel from the text of a rules file.
import type { Node } from "jsonc-parser";
import { removeChild } from "../../jsonc/edit.ts";
import { entriesOf, itemsOf, memberOf, stringOf } from "../../jsonc/nodes.ts";
import { treeOf } from "../../jsonc/parse.ts";

const byteOrderMark = "\uFEFF";

/** Every other byte stays. A rule of `ownRules` that notifies only this channel goes too, unless it is final. */
export function removeChannel(text: string, name: string, ownRules: readonly string[] = []): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let edited = text.slice(mark.length);
  // Remove one at a time: each removal moves what comes after it.
  for (;;) {
    const root = treeOf(edited);
    const found = findOwnRule(root, name, ownRules) ?? findChild(root, name);
    if (found === undefined) return mark + edited;
    edited = removeChild(edited, found.parent, found.index, found.isWhole);
  }
}

/** The starter rules without these channels, and without the rules that then notify none; their comments go with them. */
export function withoutStarterChannels(text: string, names: readonly string[]): string {
  const rulesIn = (each: string): Node | undefined => memberOf(treeOf(each), "rules");
  const isSilent = (rule: Node): boolean => itemsOf(memberOf(rule, "notify")).length === 0;
  const wereSilent = new Set(itemsOf(rulesIn(text)).flatMap((rule, index) => (isSilent(rule) ? [index] : [])));
  let edited = names.reduce((left, name) => removeChannel(left, name), text);
  // Start with the last one, so that the positions of the others stay.
  for (let index = itemsOf(rulesIn(edited)).length - 1; index >= 0; index -= 1) {
    const parent = rulesIn(edited);
    const rule = itemsOf(parent)[index];
    if (parent === undefined || rule === undefined || wereSilent.has(index) || !isSilent(rule)) continue;
    const line = edited.lastIndexOf("\n", rule.offset) + 1;
    const removed = removeChild(edited, parent, index, true);
    edited = removed.slice(0, line).replace(/\n(?:[ \t]*\/\/[^\n]*\n)+$/, "") + removed.slice(line);
  }
  return edited;
}

interface Child {
  parent: Node;
  index: number;
  /** Whether a comment behind it on the same line is about it, and is removed too. */
  isWhole?: boolean;
}

function findOwnRule(root: Node | undefined, name: string, ownRules: readonly string[]): Child | undefined {
  const parent = memberOf(root, "rules");
  const index = itemsOf(parent).findIndex((rule) => {
    const notified = itemsOf(memberOf(rule, "notify"));
    const isOnlyOurs = notified.length > 0 && notified.every((item) => stringOf(item) === name);
    const isOwn = ownRules.includes(stringOf(memberOf(rule, "name")) ?? "");
    return isOwn && isOnlyOurs && memberOf(rule, "final")?.value !== true;
  });
  return parent === undefined || index === -1 ? undefined : { parent, index, isWhole: true };
}

function findChild(root: Node | undefined, name: string): Child | undefined {
  for (const rule of itemsOf(memberOf(root, "rules"))) {
    for (const { name: key, value, property } of entriesOf(rule)) {
      if (key !== "notify" && key !== "fallback") continue;
      const items = itemsOf(value);
      const index = items.findIndex((item) => stringOf(item) === name);
      if (index === -1) continue;
      // An empty fallback is removed; notify is required, so an empty one stays.
      return key === "fallback" && items.length === 1
        ? { parent: rule, index: rule.children?.indexOf(property) ?? -1 }
        : { parent: value, index };
    }
  }
  const channels = memberOf(root, "channels");
  const entry = entriesOf(channels).find((each) => each.name === name);
  return channels === undefined || entry === undefined
    ? undefined
    : { parent: channels, index: channels.children?.indexOf(entry.property) ?? -1, isWhole: true };
}

export function secretFilesIn(text: string): { channel: string; file: string }[] {
  const root = treeOf(text.replace(byteOrderMark, ""));
  return entriesOf(memberOf(root, "channels")).flatMap(({ name, value }) =>
    filesBelow(value).map((file) => ({ channel: name, file })),
  );
}

function filesBelow(node: Node): string[] {
  const own = stringOf(memberOf(node, "file"));
  return own === undefined ? entriesOf(node).flatMap(({ value }) => filesBelow(value)) : [own];
}
