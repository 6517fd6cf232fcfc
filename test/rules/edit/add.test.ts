import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { removeChannel } from "../../../src/rules/edit/remove-channel.ts";
import { addChannel, type NewChannel } from "../../../src/rules/edit/add.ts";
import { defaultRulesText } from "../../../src/rules/default-rules.ts";
import { loadRules } from "../../../src/rules/load.ts";

const team: NewChannel = {
  name: "team",
  settings: { type: "slack", url: { env: "URL" } },
  joined: [],
  rules: [],
};
const added = '"team": { "type": "slack", "url": { "env": "URL" } }';

describe("addChannel", () => {
  it.each<[string, string, Partial<NewChannel>, string]>([
    [
      "keeps comments, and the habit of a last comma",
      '{\n  // why\n  "channels": {\n    "a": { "type": "desktop" }, // mine\n    // end\n  },\n  "rules": [],\n}\n',
      {},
      `{\n  // why\n  "channels": {\n    "a": { "type": "desktop" }, // mine\n    // end\n    ${added},\n  },\n  "rules": [],\n}\n`,
    ],
    [
      "keeps the habit of none",
      '{\n  "channels": {\n    "a": { "type": "desktop" } // mine\n  },\n  "rules": []\n}',
      {},
      `{\n  "channels": {\n    "a": { "type": "desktop" }, // mine\n    ${added}\n  },\n  "rules": []\n}`,
    ],
    [
      "keeps tabs and Windows' line ends",
      '{\r\n\t"channels": {\r\n\t\t"a": { "type": "desktop" }\r\n\t},\r\n\t"rules": []\r\n}\r\n',
      {},
      `{\r\n\t"channels": {\r\n\t\t"a": { "type": "desktop" },\r\n\t\t${added}\r\n\t},\r\n\t"rules": []\r\n}\r\n`,
    ],
    [
      "keeps the byte order mark",
      '\uFEFF{ "channels": { "a": { "type": "desktop" } }, "rules": [] }',
      {},
      `\uFEFF{ "channels": { "a": { "type": "desktop" }, ${added} }, "rules": [] }`,
    ],
    [
      "keeps all on one line, a comma at the end as well",
      '{"channels":{"a":{"type":"desktop"},},"rules":[]}',
      {},
      '{"channels":{"a":{"type":"desktop"},"team":{"type":"slack","url":{"env":"URL"}},},"rules":[]}',
    ],
    [
      "is the first of its file",
      '{\n  "channels": {},\n  "rules": []\n}',
      { rules: [{ name: "all", notify: ["team"] }] },
      `{\n  "channels": {\n    ${added}\n  },\n  "rules": [\n    { "name": "all", "notify": ["team"] }\n  ]\n}`,
    ],
    [
      "joins rules by their place, those that notify no one as well",
      '{\n  "channels": { "a": { "type": "desktop" } },\n  "rules": [\n    { "notify": ["a"] }, // one\n    { "notify": [] },\n    { "notify": ["a",] }\n  ]\n}',
      { joined: [0, 1, 2] },
      `{\n  "channels": { "a": { "type": "desktop" }, ${added} },\n  "rules": [\n    { "notify": ["a", "team"] }, // one\n    { "notify": ["team"] },\n    { "notify": ["a", "team",] }\n  ]\n}`,
    ],
  ])("%s", (_, text, more, expected) => {
    expect(addChannel(text, { ...team, ...more })).toBe(expected);
  });

  it("puts a rule before the first final one and its comments, and takes it out again", () => {
    const text = [
      '{ "channels": { "a": { "type": "desktop" } },',
      '  "rules": [',
      '    { "name": "one", "notify": ["a"] },',
      "    // It ends the reading.",
      '    { "name": "two", "notify": [], "final": true },',
      '    { "name": "three", "notify": ["a"] },',
      "  ] }",
    ].join("\n");
    const added = addChannel(text, { ...team, rules: [{ name: "more", notify: ["team"] }] });
    expect((parse(added) as { rules: { name: string }[] }).rules.map(({ name }) => name)).toEqual([
      "one",
      "more",
      "two",
      "three",
    ]);
    expect(added.split("\n").slice(3, 5)).toEqual([
      '    { "name": "more", "notify": ["team"] },',
      "    // It ends the reading.",
    ]);
    expect(removeChannel(added, "team", ["more"])).toBe(text);
    const oneLine = '{"channels":{"a":{"type":"desktop"}},"rules":[{"notify":["a"],"final":true}]}';
    const { rules } = parse(addChannel(oneLine, { ...team, rules: [{ notify: ["team"] }] })) as { rules: object[] };
    expect(rules).toEqual([{ notify: ["team"] }, { notify: ["a"], final: true }]);
  });

  it("spreads over lines what is too long for one", () => {
    const settings = {
      type: "email",
      smtp: { file: "~/.config/hookbell/mail.smtp" },
      from: "me@example.org",
      to: ["me@example.org"],
    };
    const text = addChannel('{\n  "channels": {\n  },\n  "rules": [\n  ]\n}', { ...team, settings });
    expect(text).toContain(
      [
        '    "team": {',
        '      "type": "email",',
        '      "smtp": { "file": "~/.config/hookbell/mail.smtp" },',
        '      "from": "me@example.org",',
        '      "to": ["me@example.org"]',
        "    }",
      ].join("\n"),
    );
  });

  it("makes a good file of the one to start from, and takes nothing out of it", async () => {
    const text = addChannel(defaultRulesText, { ...team, joined: [1, 2], rules: [{ name: "more", notify: ["team"] }] });
    const loaded = await loadRules(text);
    expect(loaded).toMatchObject({ status: "good", warnings: [] });
    const before = parse(defaultRulesText) as { channels: object; rules: { notify: string[] }[] };
    const after = parse(text) as typeof before;
    expect(after.channels).toEqual({ ...before.channels, team: team.settings });
    expect(after.rules.map(({ notify }) => notify.filter((name) => name !== "team"))).toEqual([
      // Before the first rule that is final.
      [],
      ...before.rules.map(({ notify }) => notify),
    ]);
    expect(after.rules.map(({ notify }) => notify.includes("team"))).toEqual([
      true,
      ...before.rules.map((_, index) => index === 1 || index === 2),
    ]);
    const comments = (all: string): string[] => all.match(/\/\/ .*/g) ?? [];
    expect(comments(text)).toEqual(comments(defaultRulesText));
  });
});
