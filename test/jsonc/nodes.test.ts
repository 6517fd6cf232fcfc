// A tree that follows its text as children are taken out of both.
import fc from "fast-check";
import { parseTree, type Node } from "jsonc-parser";
import { expect, it } from "vitest";
import { removeChild } from "../../src/jsonc/edit.ts";
import { dropChild } from "../../src/jsonc/nodes.ts";

/** Every place in it, without the parents, which are a circle. */
function placesOf({ type, offset, length, colonOffset, value, children }: Node): unknown {
  return { type, offset, length, colonOffset, value: value as unknown, children: children?.map(placesOf) };
}

const holdersIn = (node: Node): Node[] => [
  ...(node.type === "property" || (node.children ?? []).length === 0 ? [] : [node]),
  ...(node.children ?? []).flatMap(holdersIn),
];

it("a tree without a child is the tree of the text without it", () => {
  const indent = fc.constantFrom("", "  ", "\t");
  fc.assert(
    fc.property(fc.jsonValue(), indent, fc.array(fc.nat(), { minLength: 1 }), (value, blank, picks) => {
      let text = JSON.stringify(value, undefined, blank);
      const root = parseTree(text);
      for (const pick of picks) {
        const holders = root === undefined ? [] : holdersIn(root);
        const holder = holders[pick % holders.length];
        if (root === undefined || holder === undefined) break;
        const index = pick % (holder.children?.length ?? 1);
        const shorter = removeChild(text, holder, index);
        dropChild(root, holder, index, text.length - shorter.length);
        text = shorter;
        expect(placesOf(root)).toEqual(placesOf(parseTree(text) as Node));
      }
    }),
  );
  expect.hasAssertions();
});

it("a tree stays as it is where there is no such child", () => {
  const root = parseTree('{"a":[1]}') as Node;
  dropChild(root, root, 1, 3);
  expect(placesOf(root)).toEqual(placesOf(parseTree('{"a":[1]}') as Node));
});
