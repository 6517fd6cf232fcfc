// A settings file with the hooks in it, and what makes the agent ignore them.
import { getNodeValue, type Node } from "jsonc-parser";
import type { EntryForm, Wiring, WiringFile } from "../../agents/wiring.ts";
import { entriesOf, itemsOf, memberOf, membersNamed } from "../../jsonc/nodes.ts";
import { addByHand, contentProblem, type InstallProblem } from "../problem.ts";
import { describeNode, type SettingsDocument } from "./document.ts";
import { findHooks, type FoundHook, hookContainers, type OwnerOfHook } from "./find-hooks.ts";

export interface InspectedFile {
  file: WiringFile;
  layout: EntryForm["layout"];
  document: SettingsDocument;
  hooks: FoundHook[];
}

export function inspectFile(
  file: WiringFile,
  layout: EntryForm["layout"],
  document: SettingsDocument,
  ownerOf: OwnerOfHook,
): InspectedFile {
  return { file, layout, document, hooks: findHooks(document.root, file.shape, layout, ownerOf) };
}

export function seenContainer({ file, document }: InspectedFile): Node | undefined {
  return hookContainers(document.root, file.shape).find(({ isSeen }) => isSeen)?.container;
}

/** All at once. */
export function findStructureProblems(inspected: InspectedFile, wiring: Wiring): InstallProblem[] {
  const { file, document } = inspected;
  const problem = (node: Node | undefined, message: string, hint: string): InstallProblem =>
    contentProblem(document, node?.offset, message, hint);
  const problems: InstallProblem[] = [];
  const { onlyMembers } = file;
  for (const { name, property } of onlyMembers === undefined ? [] : entriesOf(document.root)) {
    if (onlyMembers?.includes(name) !== false) continue;
    problems.push(
      problem(
        property,
        `${JSON.stringify(name)} may not be here: the agent ignores the whole file`,
        `remove it (${onlyMembers.join(" and ")} may be here), then run this again`,
      ),
    );
  }
  for (const [name, value] of Object.entries(file.required ?? {})) {
    const found = memberOf(document.root, name);
    if (found === undefined || getNodeValue(found) === value) continue;
    problems.push(
      problem(found, `"${name}" must be ${JSON.stringify(value)} for hookbell to know what the rest means`, addByHand),
    );
  }
  if (file.shape === "wrapped") {
    const wrapped = membersNamed(document.root, "hooks");
    if (wrapped.length > 1)
      problems.push(problem(wrapped[1], '"hooks" is here twice', "merge the two, then run this again"));
    const [only] = wrapped;
    if (wrapped.length === 1 && only?.type !== "object") {
      problems.push(
        problem(
          only,
          `"hooks" must be an object, found ${describeNode(only)}`,
          "make it {} or remove it, then run this again",
        ),
      );
    }
  }
  const container = seenContainer(inspected);
  const isSound = (name: string): boolean =>
    wiring.strictEvents === "all" || wiring.strictEvents.includes(name) || Object.hasOwn(wiring.events, name);
  for (const name of new Set(
    entriesOf(container)
      .map((entry) => entry.name)
      .filter(isSound),
  )) {
    const values = membersNamed(container, name);
    if (values.length > 1)
      problems.push(
        problem(values[1], `"${name}" is here twice; the agent reads only one`, "merge the two, then run this again"),
      );
    const [only] = values;
    if (only === undefined || values.length > 1) continue;
    if (only.type !== "array") {
      if (file.shape === "wrapped" && isSwitch(file, name)) continue;
      problems.push(
        problem(
          only,
          `"${name}" must be an array, found ${describeNode(only)}: the agent ignores all hooks of this file`,
          "make it [] or remove it, then run this again",
        ),
      );
    } else if (wiring.hasStrictGroups) {
      const unsound = itemsOf(only).find((group) => memberOf(group, "hooks")?.type !== "array");
      if (unsound !== undefined) {
        problems.push(
          problem(
            unsound,
            `an entry of "${name}" has no array "hooks": the agent ignores all hooks of this file`,
            'write it as { "hooks": [ ... ] }, then run this again',
          ),
        );
      }
    }
  }
  return problems;
}

export function othersOf({ file, document, hooks }: InspectedFile, ownMembers: readonly string[] = []): string {
  const own = new Set<Node>(hooks.filter(({ owner }) => owner === "own").map(({ handler }) => handler));
  for (const name of ownMembers) for (const member of membersNamed(document.root, name)) own.add(member);
  for (const { group, groupHooks } of hooks) {
    if (itemsOf(groupHooks).every((handler) => own.has(handler))) own.add(group);
  }
  const containers = hookContainers(document.root, file.shape).map(({ container }) => container);
  const arrays = containers.flatMap((container) =>
    entriesOf(container).flatMap(({ value }) => (value.type === "array" ? [value] : [])),
  );
  return othersText(document.text, document.root, own, new Set([...containers, ...arrays]));
}

export function isSwitchedOff({ file, document }: InspectedFile): boolean {
  const node = file.offSwitch?.reduce<Node | undefined>((value, name) => memberOf(value, name), document.root);
  return node?.type === "boolean" && node.value === (file.offValue ?? true);
}

function isSwitch(file: WiringFile, name: string): boolean {
  return file.offSwitch?.at(-1) === name;
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
