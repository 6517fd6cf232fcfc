import type { Node } from "jsonc-parser";
import type { WiringFile } from "../agents/define-wiring.ts";
import { entriesOf, itemsOf, memberOf, stringOf } from "./json-nodes.ts";
import type { CommandOwner } from "./own-command.ts";

/** One hook in a settings file, with the nodes around it. */
export interface FoundHook {
  event: string;
  /** False below a `hooks` key of a file that keeps events at its top: the agent does not see those. */
  isSeen: boolean;
  owner: CommandOwner;
  command: string;
  handler: Node;
  group: Node;
  groupHooks: Node;
  eventArray: Node;
  eventProperty: Node;
  /** The object that holds the events. */
  container: Node;
}

export type OwnerOfHook = (command: string, args: readonly string[]) => CommandOwner;

/** The objects in a file that hold events, the one that counts first. */
export function hookContainers(
  root: Node | undefined,
  shape: WiringFile["shape"],
): { container: Node; isSeen: boolean }[] {
  const wrapped = memberOf(root, "hooks");
  const inner = wrapped?.type === "object" ? [{ container: wrapped, isSeen: shape === "wrapped" }] : [];
  return shape === "bare" && root?.type === "object" ? [{ container: root, isSeen: true }, ...inner] : inner;
}

/** Every command hook in a file, in the order of the text. */
export function findHooks(root: Node | undefined, shape: WiringFile["shape"], ownerOf: OwnerOfHook): FoundHook[] {
  return hookContainers(root, shape).flatMap(({ container, isSeen }) =>
    entriesOf(container).flatMap(({ name, value, property }) =>
      itemsOf(value).flatMap((group) => {
        const groupHooks = memberOf(group, "hooks");
        if (groupHooks?.type !== "array") return [];
        return itemsOf(groupHooks).flatMap((handler) => {
          const command = stringOf(memberOf(handler, "command"));
          if (command === undefined) return [];
          const args = itemsOf(memberOf(handler, "args")).flatMap((item) => stringOf(item) ?? []);
          const owner = ownerOf(command, args);
          return [
            {
              event: name,
              isSeen,
              owner,
              command,
              handler,
              group,
              groupHooks,
              eventArray: value,
              eventProperty: property,
              container,
            },
          ];
        });
      }),
    ),
  );
}
