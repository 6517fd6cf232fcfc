// The rules file to start from: a copy of the built-in rules.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readIfThere } from "../../system/files/read.ts";
import { ownPackageFolder } from "../../system/package.ts";
import { appendMembers, replaceValue } from "../../jsonc/edit.ts";
import { memberOf } from "../../jsonc/nodes.ts";
import { treeOf } from "../../jsonc/parse.ts";
import { styleOf } from "../../jsonc/style.ts";

const firstComment = /^\/\/[^\n]*\n/;
const ownComment =
  "// What hookbell sends, and where. Find mistakes: hookbell check. Try a payload: hookbell explain.\n" +
  "// A repository can mute itself or choose among your channels with a file of its own: .hookbell.jsonc\n";

/** Undefined when this package has no rules to copy. */
export function starterRulesText(): string | undefined {
  const folder = join(ownPackageFolder(), "config");
  const text = readIfThere(join(folder, "rules.default.jsonc"));
  if (text === undefined) return undefined;
  return withSchema(text.replace(firstComment, ownComment), pathToFileURL(join(folder, "rules.schema.json")).href);
}

/** With the path of this installation's schema, so that editors complete and check. */
export function withSchema(text: string, schema: string): string {
  const root = treeOf(text);
  if (root?.type !== "object") return text;
  const style = styleOf(text, root);
  const current = memberOf(root, "$schema");
  return current === undefined
    ? appendMembers(text, root, [{ key: "$schema", value: schema }], style)
    : replaceValue(text, current, schema, style);
}
