// Puts imported settings into the text of a rules file: into the person's own, or into a new one.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getNodeValue, type Node } from "jsonc-parser";
import { loadChannelType } from "../../channels/index.ts";
import { appendMembers } from "../../jsonc/edit.ts";
import { entriesOf, itemsOf, memberOf } from "../../jsonc/nodes.ts";
import { treeOf } from "../../jsonc/parse.ts";
import { styleOf } from "../../jsonc/style.ts";
import { objectOf } from "../../model/json.ts";
import { addChannel } from "../../rules/edit/add.ts";
import { ownPackageFolder } from "../../system/package.ts";
import {
  findDuplicate,
  problemsOfDraft,
  secretsOfDraft,
  type ChannelDraft,
} from "../../commands/channels/add/draft.ts";
import { moveSecrets, type SecretFile } from "../../commands/channels/add/secret-files.ts";
import { defaultName, nameProblem } from "../../commands/channels/names.ts";
import { requireGood } from "../../commands/channels/rules-file.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { withChannels, type ImportedSettings } from "./peer.ts";

export interface Edited {
  text: string;
  /** What to write before the rules file. */
  secrets: SecretFile[];
  /** The imported channels' names in the rules file; one that is left out has none. */
  names: ReadonlyMap<string, string>;
  /** What the rules file has already, and channels that are left out, as sentences. */
  notes: string[];
}

/** The rules file to import into where there is none. */
export function emptyRulesText(names: readonly string[]): string {
  const schema = pathToFileURL(join(ownPackageFolder(), "config", "rules.schema.json")).href;
  return `// Made by hookbell import from the settings of ${names.join(", ")}. Find mistakes: hookbell check. Try a payload: hookbell explain.
{
  "$schema": ${JSON.stringify(schema)},
  "channels": {},
  "rules": []
}
`;
}

/** Values that fit stay on one line, as in the starter rules. */
const maxColumns = 100;

/** `path` is the rules file that `text`, which is good, comes from or goes to. */
export async function addToRules(
  text: string,
  { channels, rules, whole }: Omit<ImportedSettings, "alertsOf">,
  path: string,
  io: Pick<CommandIo, "env" | "places">,
): Promise<Edited> {
  const names = new Map<string, string>();
  const result: Edited = { text, secrets: [], names, notes: [] };
  const known = (await requireGood(text, path)).rules;
  for (const { name, settings } of channels) {
    const { type, ...given } = settings;
    const taken = [...Object.keys(known.channels), ...names.values()];
    const draft: ChannelDraft = {
      channelType: await loadChannelType(type),
      name: freeName(name, type, taken),
      settings: given,
    };
    const [problem] = problemsOfDraft(draft);
    if (problem !== undefined) {
      const add = `hookbell channels add ${type}`;
      result.notes.push(`not carried over: ${name} (${type}), since ${problem.message}; ${add}`);
      continue;
    }
    // A second desktop or loudspeaker would tell everything twice.
    const isLocal = secretsOfDraft(draft).length === 0;
    const same = isLocal ? Object.values(known.channels).find((each) => each.type === type)?.name : undefined;
    const used = same ?? (await findDuplicate(draft, known, io));
    names.set(name, used ?? draft.name);
    if (used !== undefined) {
      result.notes.push(`your channel ${JSON.stringify(used)} is used`);
      continue;
    }
    const moved = moveSecrets(draft, path, io.places.home);
    result.secrets.push(...moved.files);
    const written = { type, ...moved.draft.settings };
    result.text = addChannel(result.text, { name: draft.name, settings: written, joined: [], rules: [] });
  }
  const ruleNames = known.rules.map(({ name }) => name);
  const there = new Set(rulesIn(text).map(withoutName));
  const all = withChannels(
    rules.map((rule) => ({ ...rule, notify: rule.notify.flatMap((name) => names.get(name) ?? []) })),
  )
    // An import before this one has added the others.
    .filter((rule) => !there.has(withoutName(rule)))
    .map((rule) => ({ value: { ...rule, name: defaultName(rule.name, ruleNames) } }));
  if (all.length > 0) result.text = append(result.text, (root) => memberOf(root, "rules"), all);
  for (const [key, value] of Object.entries(whole)) {
    const root = treeOf(result.text);
    if (entriesOf(root).some((entry) => entry.name === key))
      result.notes.push(`your ${JSON.stringify(key)} stay as they are`);
    else result.text = append(result.text, (top) => top, [{ key, value }]);
  }
  return result;
}

function rulesIn(text: string): object[] {
  return itemsOf(memberOf(treeOf(text), "rules")).map((rule) => objectOf(getNodeValue(rule)));
}

function withoutName(rule: object): string {
  return JSON.stringify({ ...rule, name: undefined });
}

/** The peer's name for a channel, unless hookbell's rules for names forbid it or it is taken. */
function freeName(name: string, type: string, taken: readonly string[]): string {
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-");
  const wanted = nameProblem(plain, type, []) === undefined ? plain : type;
  return defaultName(wanted, taken);
}

function append(
  text: string,
  find: (root: Node) => Node | undefined,
  members: readonly { key?: string; value: unknown }[],
): string {
  const root = treeOf(text);
  const container = root && find(root);
  if (container === undefined) throw new Error("a good rules file lacks this part");
  return appendMembers(text, container, members, { ...styleOf(text, root), isPadded: true }, maxColumns);
}
