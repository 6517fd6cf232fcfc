import { describe, expect, it } from "vitest";
import { channelTypes } from "../../support/channels/all-types.ts";
import { settingsOf } from "../../../src/rules/setting-info.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { maskSecrets } from "../../../src/rules/mask-secrets.ts";
import { lineAround, positionOf } from "../../../src/jsonc/position.ts";
import { showProblems } from "../../../src/rules/problems/show.ts";
import { everyRow } from "../../support/rows.ts";

const file = "rules.jsonc";

describe("a problem", () => {
  it("is shown with its place, its line, a caret and how to fix it", async () => {
    const text = '{\n  "channels": { "a": { "type": "dekstop" } },\n  "rules": [{ "notify": ["a"] }]\n}\n';
    const loaded = await loadRules(text);
    expect(showProblems(loaded.status === "broken" ? loaded.problems : [], { text, file, isColor: false })).toBe(
      [
        'rules.jsonc:2:32  there is no channel type "dekstop"',
        '    "channels": { "a": { "type": "dekstop" } },',
        "                                 ^^^^^^^^^",
        '  did you mean "desktop"?',
        "",
      ].join("\n"),
    );
  });

  it("is shown without a line where the whole file or its end is meant", () => {
    expect(showProblems([{ path: "", message: "too large" }], { text: "{}", file, isColor: false })).toBe(
      "rules.jsonc:1:1  too large\n",
    );
    expect(showProblems([{ path: "", message: "ends", offset: 2 }], { text: "{\n", file, isColor: false })).toBe(
      "rules.jsonc:2:1  ends\n",
    );
  });

  it("is told from a warning", () => {
    const warning = { path: "", message: "never read", severity: "warning", offset: 0, length: 2 } as const;
    expect(showProblems([warning], { text: "{}", file, isColor: false })).toBe(
      "rules.jsonc:1:1  warning: never read\n  {}\n  ^^\n",
    );
  });

  it("has colours only where they are wanted", () => {
    const problem = { path: "", message: "wrong", hint: "fix it", offset: 0 };
    const escape = "\u001B[";
    expect(showProblems([problem], { text: "{}", file, isColor: true })).toContain(escape);
    expect(showProblems([problem], { text: "{}", file, isColor: false })).not.toContain(escape);
  });

  it("cannot send anything to the terminal but text", () => {
    const text = '{ "\u001B]0;x\u0007\u202Eabc": 1 }';
    const shown = showProblems([{ path: "", message: "no \u001B[31mred\nline", offset: 2, length: 3 }], {
      text,
      file,
      isColor: false,
    });
    expect(shown.split("\n")[0]).toBe("rules.jsonc:1:3  no red line");
    expect(shown).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  });

  /** The line and the caret under it, for the place of `@`. */
  const caret = (line: string, columns = 40, length = 1): string[] => {
    const text = line.replace("@", "X");
    const offset = line.indexOf("@");
    return showProblems([{ path: "", message: "m", offset, length }], { text, file, isColor: false, columns })
      .split("\n")
      .slice(1, 3);
  };

  it.each<[what: string, line: string, shown: string, caret: string]>([
    ["a short line", "ab@cd", "  abXcd", "    ^"],
    ["tabs", "\t\ta@b", "      aXb", "       ^"],
    ["wide characters", "漢字@", "  漢字X", "      ^"],
    ["emoji", "🔔@", "  🔔X", "    ^"],
    ["combining marks", "e\u0301@", "  e\u0301X", "   ^"],
    ["a long line, at its start", `@${"a".repeat(90)}`, `  X${"a".repeat(35)}…`, "  ^"],
    ["a long line, at its end", `${"a".repeat(90)}@`, `  …${"a".repeat(35)}X`, `  ${" ".repeat(36)}^`],
    [
      "a long line, in the middle",
      `${"a".repeat(90)}@${"b".repeat(90)}`,
      `  …${"a".repeat(12)}X${"b".repeat(23)}…`,
      `  ${" ".repeat(13)}^`,
    ],
  ])("has its caret in the right place: %s", (_what, line, shown, under) => {
    expect(caret(line)).toEqual([shown, under]);
  });

  it("underlines no more than the line that is shown", () => {
    expect(caret("@bc", 40, 100)).toEqual(["  Xbc", "  ^^^"]);
    expect(caret(`@${"b".repeat(60)}`, 40, 100)[1]).toBe(`  ${"^".repeat(36)}`);
  });
});

describe("a position", () => {
  it.each<[text: string, offset: number, line: number, column: number, shown: string]>([
    ["", 0, 1, 1, ""],
    ["abc", 2, 1, 3, "abc"],
    ["abc", 3, 1, 4, "abc"],
    ["a\nb", 1, 1, 2, "a"],
    ["a\nb", 2, 2, 1, "b"],
    ["a\r\nb", 3, 2, 1, "b"],
    ["a\rb", 2, 2, 1, "b"],
    ["\uFEFFab", 2, 1, 2, "ab"],
    ["🔔🔔b", 4, 1, 3, "🔔🔔b"],
    ["a\n\nb", 2, 2, 1, ""],
    ["a\n", 2, 2, 1, ""],
  ])("in %j at %i", (text, offset, line, column, shown) => {
    expect(positionOf(text, offset)).toEqual({ line, column });
    expect(lineAround(text, offset, 100)).toMatchObject({ text: shown, isCutBefore: false, isCutAfter: false });
  });
});

describe("a line", () => {
  it("is looked at only around the place", () => {
    const line = lineAround(`ab\n${"x".repeat(1000)}Y${"z".repeat(1000)}`, 1003, 3);
    expect(line).toEqual({ text: "xxxYzz", index: 3, isCutBefore: true, isCutAfter: true });
  });
});

describe("the text that is shown hides what may be a secret", () => {
  it.each([
    ['{"url": "https://hooks.example.org/T0/B0"}', '{"url": "https://hooks.example.org••••••"}'],
    ['{"server": "http://127.0.0.1:8080"}', '{"server": "http://127.0.0.1:8080"}'],
    ['{"server": "https://ntfy.example.org:8443/push1"}', '{"server": "https://ntfy.example.org:8443/push1"}'],
    ['{"server": "https://me:pw@example.org/"}', '{"server": "https://••••••example.org•"}'],
    ['{"url": "http://127.0.0.1:8080/hooks/agents"}', '{"url": "http://127.0.0.1:8080/hooks/agents"}'],
    ['{"url": "http://localhost/abcdef123456"}', '{"url": "http://localhost•••••••••••••"}'],
    ['{"smtp": "smtps://me:pass@mail.example.org:465"}', '{"smtp": "smtps://••••••••mail.example.org:465"}'],
    ['{"password": "abc"}', '{"password": "•••"}'],
    ['{"password": 12345}', '{"password": •••••}'],
    ['{"headers": {"Authorization": "Bearer x y"}}', '{"headers": {"Authorization": "••••••••••"}}'],
    ['{"x": "0123456789abcdef"}', '{"x": "••••••••••••••••"}'],
    ['{"to": ["me@example.org"]}', '{"to": ["me@example.org"]}'],
    ['{"secret": {"env": "MY_SECRET_NUMBER_1"}}', '{"secret": {"env": "MY_SECRET_NUMBER_1"}}'],
    ['{"type": "slack", "name": "a word"}', '{"type": "slack", "name": "a word"}'],
    [
      '{"rules": [{"when": {"project": "shop-web-frontend-2"}}]}',
      '{"rules": [{"when": {"project": "shop-web-frontend-2"}}]}',
    ],
    ["{ // was https://example.org/T0", "{ // was https://example.org•••"],
    ['{"token": "abc', '{"token": "•••'],
    ['{"url": "a\\"b"}', '{"url": "••••"}'],
    ["{token: 'abc'}", "{token: •••••}"],
  ])("%s", (text, shown) => {
    expect(maskSecrets(text)).toBe(shown);
  });

  const secretSettings = channelTypes.flatMap((channelType) =>
    settingsOf(channelType).flatMap(({ key, isSecret }): [string, string][] =>
      isSecret ? [[channelType.type, key]] : [],
    ),
  );
  it("the value of every secret setting, however much it looks like a word", () =>
    everyRow(
      secretSettings,
      ([type, key]) => {
        const text = `{"channels": {"a": {"type": "${type}", "${key}": "sesame"}}, "rules": []}`;
        expect(maskSecrets(text)).not.toContain("sesame");
      },
      ([type, key]) => `${type}'s ${key}`,
    ));

  it("and keeps every place", () => {
    const text = '\uFEFF{\r\n\t"url": "https://example.org/🔔/x", # odd\n "key": \'x\' }\0';
    expect(maskSecrets(text)).toHaveLength(text.length);
  });
});
