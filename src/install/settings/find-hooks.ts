// Finds the command hooks in a settings file, and whose each is.
import { getNodeValue, type Node } from "jsonc-parser";
import type { EntryForm, HooksFile } from "../../agents/hook-setup.ts";
import { entriesOf, itemsOf, memberOf, stringOf } from "../../jsonc/nodes.ts";
import { objectOf } from "../../model/json.ts";
import type { CommandOwner } from "../command/owner.ts";

export interface FoundHook {
  event: string;
  /** False below a `hooks` key of a file with events at the top: the agent does not look there. */
  isSeen: boolean;
  owner: CommandOwner;
  handler: Node;
  /** The handler itself in a flat layout. */
  group: Node;
  /** The event's array in a flat layout. */
  groupHooks: Node;
  eventArray: Node;
  eventProperty: Node;
  container: Node;
}

/** A hook as its file has it. */
export interface HookInFile {
  /** The file that it is in. */
  path: string;
  event: string;
  /** The members of the handler and of the group that it is in, such as "matcher" and "timeout". */
  members: Readonly<Record<string, unknown>>;
}

export type OwnerOfHook = (command: string, args: readonly string[], hook: HookInFile) => CommandOwner;

export const commandKeys = ["command", "bash", "powershell", "commandWindows", "exec"] as const;

type PlaceOfHooks = Pick<HooksFile, "shape" | "hooksKey">;

export function hooksKeyOf({ hooksKey = "hooks" }: PlaceOfHooks): string {
  return hooksKey;
}

/** The container that the agent reads first. */
export function hookContainers(root: Node | undefined, file: PlaceOfHooks): { container: Node; isSeen: boolean }[] {
  const { shape } = file;
  const wrapped = memberOf(root, hooksKeyOf(file));
  const inner = wrapped?.type === "object" ? [{ container: wrapped, isSeen: shape === "wrapped" }] : [];
  return shape === "bare" && root?.type === "object" ? [{ container: root, isSeen: true }, ...inner] : inner;
}

/** The hooks come in the order of the text. */
export function findHooks(
  root: Node | undefined,
  file: PlaceOfHooks,
  layout: EntryForm["layout"],
  ownerOf: OwnerOfHook,
  path: string,
): FoundHook[] {
  return hookContainers(root, file).flatMap(({ container, isSeen }) =>
    entriesOf(container).flatMap(({ name, value, property }) =>
      groupsIn(value, layout).flatMap(({ group, groupHooks, handlers }) =>
        handlers.flatMap((handler) => {
          const owner = ownerOfHandler(handler, ownerOf, hookInFile(path, name, group, handler));
          if (owner === undefined) return [];
          return [
            {
              event: name,
              isSeen,
              owner,
              handler,
              group,
              groupHooks,
              eventArray: value,
              eventProperty: property,
              container,
            },
          ];
        }),
      ),
    ),
  );
}

function groupsIn(
  eventArray: Node,
  layout: EntryForm["layout"],
): { group: Node; groupHooks: Node; handlers: Node[] }[] {
  return itemsOf(eventArray).flatMap((item) => {
    if (layout === "flat") return [{ group: item, groupHooks: eventArray, handlers: [item] }];
    const groupHooks = memberOf(item, "hooks");
    return groupHooks?.type === "array" ? [{ group: item, groupHooks, handlers: itemsOf(groupHooks) }] : [];
  });
}

/** Undefined when it runs no command. One command of hookbell's decides. */
function ownerOfHandler(handler: Node, ownerOf: OwnerOfHook, hook: HookInFile): CommandOwner | undefined {
  const args = itemsOf(memberOf(handler, "args")).flatMap((item) => stringOf(item) ?? []);
  const owners = commandKeys.flatMap((key) => {
    const command = stringOf(memberOf(handler, key));
    return command === undefined ? [] : [ownerOf(command, args, hook)];
  });
  return owners.find((owner) => owner === "own") ?? owners.find((owner) => owner === "mixed") ?? owners[0];
}

function hookInFile(path: string, event: string, group: Node, handler: Node): HookInFile {
  return {
    path,
    event,
    // Few owners of hooks ask for them.
    get members() {
      const { hooks: _, ...shared } = objectOf(group === handler ? {} : getNodeValue(group));
      return { ...shared, ...objectOf(getNodeValue(handler)) };
    },
  };
}
