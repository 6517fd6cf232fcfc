import type { Node } from "jsonc-parser";

/** The values of every property of this name, in the order of the text. */
export function membersNamed(object: Node | undefined, name: string): Node[] {
  if (object?.type !== "object") return [];
  return (object.children ?? [])
    .filter((property) => keyOf(property) === name)
    .flatMap((property) => valueOf(property) ?? []);
}

/** The value of a property. Of two with one name the last counts, as in `JSON.parse`. */
export function memberOf(object: Node | undefined, name: string): Node | undefined {
  return membersNamed(object, name).at(-1);
}

/** Names and values of an object's properties. */
export function entriesOf(object: Node | undefined): { name: string; value: Node; property: Node }[] {
  if (object?.type !== "object") return [];
  return (object.children ?? []).flatMap((property) => {
    const value = valueOf(property);
    return value === undefined ? [] : [{ name: keyOf(property), value, property }];
  });
}

/** The items of an array; none when it is no array. */
export function itemsOf(array: Node | undefined): Node[] {
  return array?.type === "array" ? (array.children ?? []) : [];
}

/** The text of a string value. */
export function stringOf(node: Node | undefined): string | undefined {
  return node?.type === "string" && typeof node.value === "string" ? node.value : undefined;
}

function keyOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

function valueOf(property: Node): Node | undefined {
  return property.children?.[1];
}

/** The value at this place within others; undefined when there is none. */
export function memberAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}
