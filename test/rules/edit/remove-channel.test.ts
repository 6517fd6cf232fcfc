import { expect, it } from "vitest";
import { removeChannel, secretFilesIn } from "../../../src/rules/edit/remove-channel.ts";

const rows: [name: string, before: string, after: string][] = [
  ["on one line", '{"channels":{"a":{},"b":{}},"rules":[]}', '{"channels":{"b":{}},"rules":[]}'],
  ["the only one", '{"channels":{"a":{}},"rules":[{"notify":["a"]}]}', '{"channels":{},"rules":[{"notify":[]}]}'],
  [
    "named by several rules, twice in one",
    '{"channels":{"b":{},"a":{}},"rules":[{"notify":["a","b"]},{"notify":["b","a"],"fallback":["a"]},{"notify":["a","a"]}]}',
    '{"channels":{"b":{}},"rules":[{"notify":["b"]},{"notify":["b"]},{"notify":[]}]}',
  ],
  [
    "one of the fallbacks",
    '{"channels":{"b":{},"a":{}},"rules":[{"notify":["b"],"fallback":["a", "b"]}]}',
    '{"channels":{"b":{}},"rules":[{"notify":["b"],"fallback":["b"]}]}',
  ],
  [
    "with comments and commas at the end",
    '\uFEFF{\r\n  // mine\r\n  "channels": {\r\n    "a": { "type": "x" }, // the first\r\n    "b": {},\r\n  },\r\n  "rules": [{ "notify": ["b", "a"] }], // a\r\n}\r\n',
    '\uFEFF{\r\n  // mine\r\n  "channels": {\r\n    "b": {},\r\n  },\r\n  "rules": [{ "notify": ["b"] }], // a\r\n}\r\n',
  ],
  [
    "and the remark behind it, the last one",
    '{\n  "channels": {\n    "b": {}, // b\n    // above\n    "a": {} // a, too\n  },\n  "rules": []\n}\n',
    '{\n  "channels": {\n    "b": {} // b\n    // above\n  },\n  "rules": []\n}\n',
  ],
  [
    "and the remark behind it, the only one",
    '{\n  "channels": {\n    "a": {\n      "x": 1\n    }, /* a */ \n  },\n  "rules": []\n}\n',
    '{\n  "channels": {},\n  "rules": []\n}\n',
  ],
  [
    "not a remark behind several",
    '{\n  "channels": {\n    "b": {}, "a": {} // both\n  },\n  "rules": []\n}\n',
    '{\n  "channels": {\n    "b": {} // both\n  },\n  "rules": []\n}\n',
  ],
  [
    "not what goes on in the next line",
    '{\n  "channels": {\n    "a": {}, /* of\n    b */ "b": {}\n  },\n  "rules": []\n}\n',
    '{\n  "channels": {\n     /* of\n    b */ "b": {}\n  },\n  "rules": []\n}\n',
  ],
  ["a text that only says its name", '{"channels":{"b":{"x":"a"}},"rules":[{"name":"a"}]}', ""],
];
it.each(rows)("takes out a channel: %s", (_, before, after) => {
  expect(removeChannel(before, "a")).toBe(after === "" ? before : after);
});

it.each([
  ["a rule of its own", '{"notify":["a"],"name":"a: done"}', ""],
  ["one that is called otherwise", '{"notify":["a"],"name":"b: done"}', '{"notify":[],"name":"b: done"}'],
  ["one that others share", '{"notify":["a","b"],"name":"a: done"}', '{"notify":["b"],"name":"a: done"}'],
  ["one that was silent before", '{"notify":[],"name":"a: done"}', '{"notify":[],"name":"a: done"}'],
  [
    "one that silences others",
    '{"notify":["a"],"name":"a: done","final":true}',
    '{"notify":[],"name":"a: done","final":true}',
  ],
])("takes out %s or leaves it", (_, before, after) => {
  const text = (rule: string): string => `{"channels":{"b":{}},"rules":[${rule}]}`;
  expect(removeChannel(text(before).replace('{"b"', '{"a":{},"b"'), "a", ["a: done"])).toBe(text(after));
});

it("knows where the secrets are", () => {
  const text = '{"channels":{"a":{"x":{"file":"~/f"},"h":{"A":{"file":"/g"},"B":{"env":"C"}}},"b":{"argv":["file"]}}}';
  expect(secretFilesIn(text)).toEqual([
    { channel: "a", file: "~/f" },
    { channel: "a", file: "/g" },
  ]);
});
