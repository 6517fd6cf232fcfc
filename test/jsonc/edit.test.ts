import { parse, parseTree, type Node } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { appendMembers, removeChild, replaceValue } from "../../src/jsonc/edit.ts";
import { memberOf } from "../../src/jsonc/nodes.ts";
import { styleOf } from "../../src/jsonc/style.ts";

function rootOf(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new Error("no root");
  return root;
}
const append = (text: string): string =>
  appendMembers(text, rootOf(text), [{ key: "n", value: { x: [1] } }], styleOf(text, rootOf(text)));
const removeKey = (text: string, key: string): string => {
  const root = rootOf(text);
  return removeChild(
    text,
    root,
    (root.children ?? []).findIndex((property) => property.children?.[0]?.value === key),
  );
};

describe("appendMembers", () => {
  it.each([
    ["{}", '{\n  "n": {\n    "x": [\n      1\n    ]\n  }\n}'],
    ['{"a":1}', '{"a":1,"n":{"x":[1]}}'],
    ['{ "a": 1 }', '{ "a": 1, "n": { "x": [1] } }'],
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"n": {\n\t\t"x": [\n\t\t\t1\n\t\t]\n\t}\n}'],
    ['{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "n": {\r\n    "x": [\r\n      1\r\n    ]\r\n  }\r\n}'],
    ['{\n  "a": 1 // why\n}', '{\n  "a": 1, // why\n  "n": {\n    "x": [\n      1\n    ]\n  }\n}'],
    ['{\n  "a": 1\n  // end\n}', '{\n  "a": 1,\n  // end\n  "n": {\n    "x": [\n      1\n    ]\n  }\n}'],
    ["{\n  // none\n}", '{\n  // none\n  "n": {\n    "x": [\n      1\n    ]\n  }\n}'],
    ['{\n  "a": 1, // why\n}', '{\n  "a": 1, // why\n  "n": {\n    "x": [\n      1\n    ]\n  },\n}'],
    ['{\n  "a": 1 /* , */ ,\n}', '{\n  "a": 1 /* , */ ,\n  "n": {\n    "x": [\n      1\n    ]\n  },\n}'],
    ['{"a":1,}', '{"a":1,"n":{"x":[1]},}'],
    ['{ "a": 1 // why\n}', '{ "a": 1, "n": { "x": [1] } // why\n}'],
  ])("keeps to the layout of %j", (text, expected) => {
    expect(append(text)).toBe(expected);
  });
});

describe("removeChild", () => {
  it.each([
    ['{"a":1}', "a", "{}"],
    ['{ "a": 1 }', "a", "{}"],
    ['{"a":1,"b":2}', "a", '{"b":2}'],
    ['{"a":1,"b":2}', "b", '{"a":1}'],
    ['{"a": 1, "b": 2, "c": 3}', "b", '{"a": 1, "c": 3}'],
    ['{\n  "a": 1,\n  "b": 2\n}', "a", '{\n  "b": 2\n}'],
    ['{\n  "a": 1,\n  "b": 2\n}', "b", '{\n  "a": 1\n}'],
    ['{\r\n  "a": 1,\r\n  "b": 2\r\n}', "b", '{\r\n  "a": 1\r\n}'],
    ['{\n  "a": 1, // one\n  "b": 2 // two\n}', "b", '{\n  "a": 1 // one\n   // two\n}'],
    ['{\n  "a": 1, // one\n  "b": 2}', "b", '{\n  "a": 1 // one\n  }'],
    ['{\n  // only\n  "a": 1\n}', "a", "{\n  // only\n}"],
    ['{ "a": "x,y", /* , */ "b": 2 }', "a", '{ /* , */ "b": 2 }'],
    ['{ "a": 1 /* , */, "b": 2 }', "b", '{ "a": 1 /* , */ }'],
    ['{ "a": 1, "b": 2, }', "b", '{ "a": 1, }'],
    ['{\n  "a": 1, // one\n  "b": 2,\n}', "b", '{\n  "a": 1, // one\n}'],
    ['{\n  "a": 1,\n  // two\n  "b": 2 /* , */ ,\n}', "b", '{\n  "a": 1,\n  // two\n}'],
    ['{"a":1,}', "a", "{}"],
    ['{\n  // only\n  "a": 1,\n}', "a", "{\n  // only\n}"],
    ['{ "a": 1, /* only */ }', "a", "{ /* only */ }"],
  ])("%j without %s", (text, key, expected) => {
    expect(removeKey(text, key)).toBe(expected);
    const rest = parse(text) as Record<string, unknown>;
    delete rest[key];
    expect(parse(removeKey(text, key))).toEqual(rest);
  });

  it("takes the last item of a tight array, which jsonc-parser's own edit breaks", () => {
    const text = "[1,2]";
    expect(removeChild(text, rootOf(text), 1)).toBe("[1]");
  });
});

describe("replaceValue", () => {
  it.each([
    ['{"a": {"b": 1}, "c": 2}', '{"a": {"z": true}, "c": 2}'],
    ['{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}', '{\n  "a": {\n    "z": true\n  },\n  "c": 2\n}'],
  ])("keeps to the layout of %j", (text, expected) => {
    const root = rootOf(text);
    const node = memberOf(root, "a");
    expect(node && replaceValue(text, node, { z: true }, styleOf(text, root))).toBe(expected);
  });
});
