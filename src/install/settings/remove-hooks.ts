// Takes hookbell's hooks out of the text of a settings file.
import type { Node } from "jsonc-parser";
import { removeChild } from "../../jsonc/edit.ts";
import { withText } from "./file-change.ts";
import type { FoundHook } from "./find-hooks.ts";
import { seenContainer, type InspectedFile } from "./inspect.ts";
import { dropChild, entriesOf, itemsOf, memberOf } from "../../jsonc/nodes.ts";

/** What is removed once it is empty, because init added it. */
export interface Emptied {
  mayRemoveEvent(event: string): boolean;
  mayRemoveHooksKey: boolean;
  /** Members that go with the last hook. */
  addedMembers: readonly string[];
}

type ChooseHooks = (own: readonly FoundHook[]) => readonly FoundHook[];

/** Containers that are empty then are removed, too. */
export function removeOwnHooks(start: InspectedFile, choose: ChooseHooks, emptied: Emptied): InspectedFile {
  const own = start.hooks.filter(({ owner }) => owner === "own");
  const isChosen = choose(own).length > 0;
  const edited = isChosen ? withText(start, withoutHooks(start, choose, emptied)) : start;
  return withoutMembers(edited, emptied.addedMembers);
}

function withoutHooks(start: InspectedFile, choose: ChooseHooks, emptied: Emptied): string {
  // Its tree changes with the text, so that a large file is not parsed anew for each hook.
  const { document, hooks } = withText(start, start.document.text);
  let { text } = document;
  let own = hooks.filter(({ owner }) => owner === "own");
  for (;;) {
    const hook = choose(own).at(-1);
    if (hook === undefined || document.root === undefined) return text;
    const { parent, child } = highestToRemove(hook, document.root, emptied);
    const index = parent.children?.indexOf(child) ?? -1;
    const shorter = removeChild(text, parent, index);
    dropChild(document.root, parent, index, text.length - shorter.length);
    text = shorter;
    own = own.filter((other) => other !== hook);
  }
}

function withoutMembers(file: InspectedFile, names: readonly string[]): InspectedFile {
  const { root, text } = file.document;
  const isUsed = entriesOf(seenContainer(file)).some(
    ({ value }) => value.type !== "array" || itemsOf(value).length > 0,
  );
  const name = names.find((candidate) => memberOf(root, candidate) !== undefined);
  if (root === undefined || isUsed || name === undefined) return file;
  const index = entriesOf(root).findIndex((entry) => entry.name === name);
  return withoutMembers(withText(file, removeChild(text, root, index)), names);
}

function highestToRemove(hook: FoundHook, root: Node, emptied: Emptied): { parent: Node; child: Node } {
  const isOnly = (node: Node): boolean => node.children?.length === 1;
  if (!isOnly(hook.groupHooks)) return { parent: hook.groupHooks, child: hook.handler };
  // Where the agent does not look, empty containers always go.
  if (!isOnly(hook.eventArray) || (hook.isSeen && !emptied.mayRemoveEvent(hook.event)))
    return { parent: hook.eventArray, child: hook.group };
  const hooksProperty = hook.container.parent;
  const isWrapped = hook.container !== root;
  if (
    !isWrapped ||
    !isOnly(hook.container) ||
    (hook.isSeen && !emptied.mayRemoveHooksKey) ||
    hooksProperty?.parent === undefined
  ) {
    return { parent: hook.container, child: hook.eventProperty };
  }
  return { parent: hooksProperty.parent, child: hooksProperty };
}
