import { parseTree, type Node } from "jsonc-parser";
import { removeChild } from "../../jsonc/edit.ts";
import { entriesOf, itemsOf, memberOf, stringOf } from "../../jsonc/nodes.ts";

const byteOrderMark = "\uFEFF";

/**
 * The text of a good rules file without the channel, in whatever rule names it; everything else stays to the byte. A
 * rule of one of the names in `ownRules` that notifies nobody else goes whole, unless it ends the reading.
 */
export function removeChannel(text: string, name: string, ownRules: readonly string[] = []): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let edited = text.slice(mark.length);
  // One at a time and found anew, since each removal moves what stands behind it.
  for (;;) {
    const root = parseTree(edited, [], { allowTrailingComma: true });
    const found = findOwnRule(root, name, ownRules) ?? findChild(root, name);
    if (found === undefined) return mark + edited;
    edited = removeChild(edited, found.parent, found.index, found.isWhole);
  }
}

interface Child {
  parent: Node;
  index: number;
  /** The channel or a rule of its own goes, and what a remark behind it is about. */
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
      // Without a fallback there is no need to say so; a rule has to say whom it notifies.
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

/** The files that the rules of this text name as where a secret is, by channel, as they stand there. */
export function secretFilesIn(text: string): { channel: string; file: string }[] {
  const root = parseTree(text.replace(byteOrderMark, ""), [], { allowTrailingComma: true });
  return entriesOf(memberOf(root, "channels")).flatMap(({ name, value }) =>
    filesBelow(value).map((file) => ({ channel: name, file })),
  );
}

function filesBelow(node: Node): string[] {
  const own = stringOf(memberOf(node, "file"));
  return own === undefined ? entriesOf(node).flatMap(({ value }) => filesBelow(value)) : [own];
}
