// A settings file with the hooks in it, and what makes the agent ignore them.
import { getNodeValue, type Node } from "jsonc-parser";
import type { EntryForm, HookSetup, HooksFile } from "../../agents/hook-setup.ts";
import { entriesOf, itemsOf, memberOf, membersNamed } from "../../jsonc/nodes.ts";
import { addByHand, contentProblem, type InstallProblem } from "../problem.ts";
import { describeNode, type SettingsDocument } from "./document.ts";
import { findHooks, type FoundHook, hookContainers, hooksKeyOf, type OwnerOfHook } from "./find-hooks.ts";

export interface InspectedFile {
  file: HooksFile;
  layout: EntryForm["layout"];
  document: SettingsDocument;
  ownerOf: OwnerOfHook;
  hooks: FoundHook[];
}

export function inspectFile(
  file: HooksFile,
  layout: EntryForm["layout"],
  document: SettingsDocument,
  ownerOf: OwnerOfHook,
): InspectedFile {
  return { file, layout, document, ownerOf, hooks: findHooks(document.root, file, layout, ownerOf, document.path) };
}

export function seenContainer({ file, document }: InspectedFile): Node | undefined {
  return hookContainers(document.root, file).find(({ isSeen }) => isSeen)?.container;
}

/** All at once. */
export function findStructureProblems(inspected: InspectedFile, hookSetup: HookSetup): InstallProblem[] {
  const { shape } = inspected.file;
  return [
    ...problemsAtTop(inspected),
    ...(shape === "wrapped" ? problemsOfHooksKey(inspected) : []),
    ...soundEvents(inspected, hookSetup).flatMap(([name, values]) =>
      problemsOfEvent(inspected, hookSetup, name, values),
    ),
  ];
}

/** The most faults of one kind that are reported; the rest is counted. */
const maxReported = 20;

function problemAt({ document }: InspectedFile, node: Node | undefined, message: string, hint: string): InstallProblem {
  return contentProblem(document, node?.offset, message, hint);
}

function problemsAtTop(inspected: InspectedFile): InstallProblem[] {
  const { file, document } = inspected;
  const { onlyMembers, required = {} } = file;
  const surplus = entriesOf(document.root).filter(({ name }) => onlyMembers?.includes(name) === false);
  const hint = `remove it (${onlyMembers?.join(" and ")} may be here), then run this again`;
  const more = surplus[maxReported];
  return [
    ...surplus
      .slice(0, maxReported)
      .map(({ name, property }) =>
        problemAt(
          inspected,
          property,
          `${JSON.stringify(name)} may not be here: the agent ignores the whole file`,
          hint,
        ),
      ),
    ...(more === undefined
      ? []
      : [problemAt(inspected, more.property, `${surplus.length - maxReported} more may not be here`, hint)]),
    ...Object.entries(required).flatMap(([name, value]) => {
      const found = memberOf(document.root, name);
      if (found === undefined || getNodeValue(found) === value) return [];
      const message = `"${name}" must be ${JSON.stringify(value)} for hookbell to know what the rest means`;
      return [problemAt(inspected, found, message, addByHand)];
    }),
  ];
}

function problemsOfHooksKey(inspected: InspectedFile): InstallProblem[] {
  const key = hooksKeyOf(inspected.file);
  const [first, second] = membersNamed(inspected.document.root, key);
  if (second !== undefined) {
    return [problemAt(inspected, second, `"${key}" is here twice`, "merge the two, then run this again")];
  }
  if (first === undefined || first.type === "object" || first.type === "null") return [];
  const message = `"${key}" must be an object, found ${describeNode(first)}`;
  return [problemAt(inspected, first, message, "make it {} or remove it, then run this again")];
}

/** The events that must be sound, or the agent ignores all hooks of the file. */
function soundEvents(
  inspected: InspectedFile,
  { takesOtherMembers, events }: HookSetup,
): [name: string, values: Node[]][] {
  const values = new Map<string, Node[]>();
  for (const { name, value } of entriesOf(seenContainer(inspected))) {
    if (takesOtherMembers === true && !Object.hasOwn(events, name)) continue;
    const same = values.get(name);
    if (same === undefined) values.set(name, [value]);
    else same.push(value);
  }
  return [...values];
}

function problemsOfEvent(
  inspected: InspectedFile,
  hookSetup: HookSetup,
  name: string,
  [first, second]: readonly Node[],
): InstallProblem[] {
  const { file } = inspected;
  if (second !== undefined) {
    const message = `"${name}" is here twice; the agent reads only one`;
    return [problemAt(inspected, second, message, "merge the two, then run this again")];
  }
  if (first === undefined) return [];
  if (first.type !== "array") {
    if (file.shape === "wrapped" && file.offSwitch?.at(-1) === name) return [];
    const message = `"${name}" must be an array, found ${describeNode(first)}: the agent ignores all hooks of this file`;
    return [problemAt(inspected, first, message, "make it [] or remove it, then run this again")];
  }
  const unsound = itemsOf(first).find((group) => memberOf(group, "hooks")?.type !== "array");
  if (!hookSetup.hasStrictGroups || unsound === undefined) return [];
  const message = `an entry of "${name}" has no array "hooks": the agent ignores all hooks of this file`;
  return [problemAt(inspected, unsound, message, 'write it as { "hooks": [ ... ] }, then run this again')];
}

export function othersOf({ file, document, hooks }: InspectedFile, ownMembers: readonly string[] = []): string {
  const own = new Set<Node>(hooks.filter(({ owner }) => owner === "own").map(({ handler }) => handler));
  for (const name of ownMembers) for (const member of membersNamed(document.root, name)) own.add(member);
  const nothing = memberOf(document.root, hooksKeyOf(file));
  if (nothing?.type === "null") own.add(nothing);
  for (const { group, groupHooks } of hooks) {
    if (itemsOf(groupHooks).every((handler) => own.has(handler))) own.add(group);
  }
  const containers = hookContainers(document.root, file).map(({ container }) => container);
  const arrays = containers.flatMap((container) =>
    entriesOf(container).flatMap(({ value }) => (value.type === "array" ? [value] : [])),
  );
  return othersText(document.text, document.root, own, new Set([...containers, ...arrays]));
}

export function isSwitchedOff({ file, document }: InspectedFile): boolean {
  const node = file.offSwitch?.reduce<Node | undefined>((value, name) => memberOf(value, name), document.root);
  return node?.type === "boolean" && node.value === (file.offValue ?? true);
}

/** Order, repeated keys and digits count; white space, comments and containers with nothing else in them do not. */
function othersText(
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
