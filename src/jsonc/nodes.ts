// Reads values from the syntax tree of JSON with comments.
import type { Node } from "jsonc-parser";

export function membersNamed(object: Node | undefined, name: string): Node[] {
  if (object?.type !== "object") return [];
  return (object.children ?? [])
    .filter((property) => keyOf(property) === name)
    .flatMap((property) => valueOf(property) ?? []);
}

/** The last of two properties with one name counts, as in `JSON.parse`. */
export function memberOf(object: Node | undefined, name: string): Node | undefined {
  return membersNamed(object, name).at(-1);
}

export function entriesOf(object: Node | undefined): { name: string; value: Node; property: Node }[] {
  if (object?.type !== "object") return [];
  return (object.children ?? []).flatMap((property) => {
    const value = valueOf(property);
    return value === undefined ? [] : [{ name: keyOf(property), value, property }];
  });
}

export function itemsOf(array: Node | undefined): Node[] {
  return array?.type === "array" ? (array.children ?? []) : [];
}

export function stringOf(node: Node | undefined): string | undefined {
  return node?.type === "string" && typeof node.value === "string" ? node.value : undefined;
}

function keyOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

function valueOf(property: Node): Node | undefined {
  return property.children?.[1];
}

export function memberAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}

/** The places in a tree, as they may be changed. */
interface MovedNode extends Pick<Node, "children"> {
  offset: number;
  length: number;
  colonOffset?: number;
}

/** Takes a child out of the tree whose text became shorter by `removed` units without it: what is behind it moves. */
export function dropChild(root: Node, container: Node, index: number, removed: number): void {
  const [child] = container.children?.splice(index, 1) ?? [];
  if (child === undefined) return;
  const { offset } = child;
  const move = (node: MovedNode): void => {
    if (node.offset > offset) node.offset -= removed;
    // All of it is before the child.
    else if (node.offset + node.length <= offset) return;
    else node.length -= removed;
    if (node.colonOffset !== undefined && node.colonOffset > offset) node.colonOffset -= removed;
    node.children?.forEach(move);
  };
  move(root);
}
