// A rules file is read into rules, or into problems that say where they are.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Secret } from "../../src/model/privacy/secret.ts";
import { loadRules } from "../../src/rules/load.ts";
import type { Rules } from "../../src/rules/rules.ts";
import { maxDepth, maxProblems, maxRulesBytes } from "../../src/rules/problems/document.ts";
import { positionOf } from "../../src/jsonc/position.ts";
import { brokenChannels, brokenJson, brokenRules } from "./broken-files.ts";
import { anyText } from "../support/random/any-text.ts";
import { slowRuns } from "../support/random/slow-runs.ts";
import { everyRow } from "../support/rows.ts";

async function said(text: string): Promise<string[]> {
  const loaded = await loadRules(text);
  const problems = [...(loaded.status === "broken" ? loaded.problems : []), ...loaded.warnings];
  return problems.map(({ severity, message, hint, offset = 0 }) => {
    const { line, column } = positionOf(text, offset);
    return `${line}:${column}  ${severity === "warning" ? "warning: " : ""}${message}${hint === undefined ? "" : ` (${hint})`}`;
  });
}

async function goodRules(text: string): Promise<Rules> {
  const loaded = await loadRules(text);
  if (loaded.status === "broken") throw new Error((await said(text)).join("\n"));
  return loaded.rules;
}

describe("a rules file with a mistake says where it is, and what else is wrong", () => {
  it("for every mistake that people make", () =>
    everyRow([...brokenJson, ...brokenChannels, ...brokenRules], async ([_mistake, text, expected]) => {
      expect(await said(text)).toEqual(expected);
    }));

  it("keeps the file usable when there are only warnings", async () => {
    for (const [, text, expected] of [...brokenJson, ...brokenChannels, ...brokenRules]) {
      const isBroken = expected.some((line) => !line.includes("  warning: "));
      expect((await loadRules(text)).status).toBe(isBroken ? "broken" : "good");
    }
  });

  it("tells mistakes in several channels and rules at once, in the order of the file", async () => {
    const text = `{
  "channels": {
    "one": { "type": "dekstop" },
    "two": { "type": "sound", "volume": 7 },
  },
  "rules": [
    { "notify": ["three"], "when": { "evnt": "Stop" } },
    { "notify": ["one", "two"], "title": "{titel}", "level": "loud" },
  ],
}`;
    expect((await said(text)).map((line) => line.split("  ")[0])).toEqual([
      "3:22",
      "4:41",
      "7:18",
      "7:38",
      "8:44",
      "8:62",
    ]);
  });

  it("refuses a file that is too large or too deep to look at", async () => {
    const large = `{ "channels": {}, "rules": [] }${" ".repeat(maxRulesBytes)}`;
    expect(await said(large)).toEqual([`1:1  larger than ${maxRulesBytes} bytes, the maximum of a rules file`]);
    const deep = "[".repeat(maxRulesBytes - 10);
    expect(await said(deep)).toEqual([`1:${maxDepth + 1}  nested more than ${maxDepth} levels deep`]);
  });

  const many = 2000;
  const wrongChannels = Object.fromEntries(
    Array.from({ length: many }, (_, index) => [`channel-${index}`, { type: "x" }]),
  );
  const wrongRules = Array.from({ length: many }, (_, index) => ({ notify: [`chanel-${index}`], wen: {} }));
  it.each<[what: string, text: string]>([
    ["rules that are none", `{ "channels": {}, "rules": [${"1,".repeat(many)}] }`],
    ["unknown channels", JSON.stringify({ channels: {}, rules: wrongRules })],
    ["channels of no type", JSON.stringify({ channels: wrongChannels, rules: wrongRules })],
    ["unknown keys", `{ ${Array.from({ length: many }, (_, index) => `"key-${index}": 1`).join()} }`],
    ["keys that stand twice", `{ "channels": {}, "rules": [], ${'"key": 1,'.repeat(many)} }`],
    [
      "texts in place of objects",
      JSON.stringify({ channels: {}, rules: [{ notify: Array.from({ length: many }, () => 1) }] }),
    ],
    ["words", `{ ${"word ".repeat(many)}`],
    ["missing commas", `{ "channels": {}, "rules": [ ${'"x" '.repeat(many)} ] }`],
  ])("stops looking at some point: %s", async (_what, text) => {
    const loaded = await loadRules(text);
    expect(loaded.status === "broken" && loaded.problems.length).toBe(maxProblems + 1);
    expect((await said(text))[maxProblems]).toMatch(/ {2}more problems follow$/);
  });

  it("quotes no secret", async () => {
    const secret = "xoxb-0123456789-abcdefghij";
    for (const url of [
      `"${secret}"`,
      `"ftp://${secret}.example/${secret}"`,
      `{ "env": ["${secret}"] }`,
      `["${secret}"]`,
    ]) {
      const text = `{ "channels": { "a": { "type": "slack", "url": ${url} } }, "rules": [{ "notify": ["a"] }] }`;
      const lines = await said(text);
      expect(lines).toHaveLength(1);
      expect(lines.join()).not.toContain(secret);
    }
  });
});

describe("a good rules file", () => {
  const text = `\uFEFF// mine
{
  "$schema": "./rules.schema.json",
  "channels": {
    "screen": { "type": "desktop", "expireAfter": "90s" },
    /* literal secrets are fine */
    "team": { "type": "slack", "url": "https://hooks.slack.com/services/T0/B0/abc" },
    "constructor": { "type": "sound" },
  },
  "rules": [
    { "name": "all of it", "when": { "event": ["Stop", "Notification"], "project": { "not": "scratch-*" } },
      "notify": ["screen", "team"], "level": "error", "title": "{project}", "body": "", "final": true, "fallback": ["team"] },
    { "notify": ["constructor"] },
  ],
}
`;

  it("becomes channels with their types and settings", async () => {
    const { channels } = await goodRules(text);
    expect(Object.keys(channels)).toEqual(["screen", "team", "constructor"]);
    expect(channels.screen).toMatchObject({
      name: "screen",
      type: "desktop",
      channelType: { type: "desktop" },
      expiresAfterMs: 90_000,
      settings: { daemonSound: false },
    });
    const team = channels.team;
    expect(team?.expiresAfterMs).toBe(team?.channelType.expiresAfterMs);
    expect(team?.settings).toMatchObject({ url: { from: "literal", value: expect.any(Secret) } });
    expect(JSON.stringify(channels)).not.toContain("hooks.slack.com");
  });

  it("becomes rules with what they leave out filled in", async () => {
    const { rules } = await goodRules(text);
    expect(rules[0]).toMatchObject({
      name: "all of it",
      notify: ["screen", "team"],
      level: "error",
      title: { parts: [{ name: "project" }] },
      body: { parts: [] },
      final: true,
      fallback: ["team"],
    });
    expect(rules[0]?.when.map(({ field }) => field)).toEqual(["event", "project"]);
    expect(rules[1]).toEqual({
      name: "rule 2",
      when: [],
      notify: ["constructor"],
      final: false,
      fallback: [],
      policies: {},
    });
  });

  it("has no name but its own", async () => {
    const { channels } = await goodRules(`{ "channels": {}, "rules": [{ "notify": [] }] }`);
    expect(channels.toString).toBeUndefined();
    expect(channels.constructor).toBeUndefined();
  });

  const fingerprintOf = async (channel: string): Promise<string | undefined> =>
    (await goodRules(`{ "channels": { "a": ${channel} }, "rules": [{ "notify": ["a"] }] }`)).channels.a?.fingerprint;

  it.each([
    ["spaces and comments", `{"type":"slack", /* x */ "url":{"env":"A"},}`, true],
    ["another variable", `{ "type": "slack", "url": { "env": "B" } }`, false],
    ["one more setting", `{ "type": "slack", "url": { "env": "A" }, "expireAfter": "1h" }`, false],
  ])("has the same fingerprint only with the same settings: %s", async (_what, channel, isSame) => {
    const fingerprint = await fingerprintOf(`{ "type": "slack", "url": { "env": "A" } }`);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect((await fingerprintOf(channel)) === fingerprint).toBe(isSame);
  });
});

describe("whatever stands in the file", () => {
  const jsonish = fc.string({
    unit: fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      ":",
      ",",
      "a",
      "'",
      "\\",
      "u",
      "#",
      "/",
      "*",
      "\n",
      "1",
      "-",
      " ",
      "\uFEFF",
    ),
    maxLength: 60,
  });

  it.each([
    ["any text", anyText()],
    ["something like JSON", jsonish],
    ["any JSON", fc.json()],
  ])("%s is either rules or problems with places in it", async (_what, texts) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const loaded = await loadRules(text);
        if (loaded.status === "good") return;
        expect(loaded.problems.length).toBeGreaterThan(0);
        for (const { offset = 0, length = 0 } of loaded.problems) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(text.length);
          expect(length).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: slowRuns(500) },
    );
  });

  it("any value at any place of a good file is either rules or problems", async () => {
    const file = (): unknown => ({
      $schema: "x",
      channels: { a: { type: "slack", url: "https://example.org/x" } },
      rules: [{ name: "x", when: { event: "Stop" }, notify: ["a"], level: "info", title: "x", final: true }],
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pathsOf(file())), fc.jsonValue(), async (path, value) => {
        const text = JSON.stringify(replaceAt(file(), path, value));
        expect(["good", "broken"]).toContain((await loadRules(text)).status);
      }),
      { numRuns: slowRuns(300) },
    );
  });

  it("an object whose length is no number is a problem at its key", async () => {
    const text = '{ "channels": {}, "rules": [{ "notify": [], "when": { "event": { "length": [{}] } } }] }';
    expect(await loadRules(text)).toMatchObject({
      status: "broken",
      problems: [{ path: "rules.0", message: '"length" is not a setting here', offset: text.indexOf('"length"') }],
    });
  });

  it("any text as an expression, a glob or a template is either compiled or refused", async () => {
    const pieces = fc.string({ unit: fc.constantFrom(...Array.from("a(?<=!)[]{}|*+.\\pd1,-^$xQE:PN")), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(pieces, anyText()), async (text) => {
        const rule = { notify: ["a"], when: { message: { matches: text }, cwd: text }, title: text };
        const file = JSON.stringify({ channels: { a: { type: "desktop" } }, rules: [rule] });
        expect(["good", "broken"]).toContain((await loadRules(file)).status);
      }),
      { numRuns: slowRuns(300) },
    );
  });
});

/** The path of every value inside. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsOf(inner).map((path) => [key, ...path])]);
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === key ? replaceAt(inner, rest, replacement) : inner));
  return { ...(value as object), [key]: replaceAt((value as Record<string, unknown>)[key], rest, replacement) };
}
