import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseTree } from "jsonc-parser";
import { ensurePrivateDir, readIfThere, writeWhole } from "../system/files.ts";
import { ownPackageFolder } from "../system/own-package.ts";
import { appendMembers, replaceValue } from "./edit-json.ts";
import { memberOf } from "./json-nodes.ts";
import { styleOf } from "./json-style.ts";

/** Writes the built-in rules as a file of the person's own; false when this package has none to copy. */
export function writeStarterRules(configDir: string, rulesFile: string): boolean {
  const folder = join(ownPackageFolder(), "config");
  const text = readIfThere(join(folder, "rules.default.jsonc"));
  if (text === undefined) return false;
  ensurePrivateDir(configDir);
  writeWhole(rulesFile, withSchema(text, pathToFileURL(join(folder, "rules.schema.json")).href));
  return true;
}

/** The rules with the schema where this installation has it, so that editors complete and check. */
export function withSchema(text: string, schema: string): string {
  const root = parseTree(text);
  if (root?.type !== "object") return text;
  const style = styleOf(text, root);
  const current = memberOf(root, "$schema");
  return current === undefined
    ? appendMembers(text, root, [{ key: "$schema", value: schema }], style)
    : replaceValue(text, current, schema, style);
}
