// Rules files and deliveries with the names of 1.0.0-rc.1 work as they did, and `check` says the new names.
import { describe, expect, it } from "vitest";
import { positionOf } from "../../../src/jsonc/position.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { rulesJsonSchema } from "../../../src/rules/json-schema.ts";
import type { Rules } from "../../../src/rules/rules.ts";
import { rulesNamed } from "../../../src/rules/schema/old-names.ts";

const withNames = (while_: string, running: string, value: string): string => `{
  "channels": { "desk": { "type": "desktop" } },
  "defaults": { "${while_}": "soften" },
  "rules": [
    { "name": "one", "when": { "event": "Stop", "${running}": ["1", "2"] }, "notify": ["desk"] },
    { "name": "two", "notify": ["desk"], "${while_}": "${value}" },
  ],
}`;
const before = withNames("whileHelpersRun", "runningHelpers", "tell");
const now = withNames("whileSubagentsRun", "runningSubagents", "notify");

async function goodRules(text: string): Promise<Rules> {
  const loaded = await loadRules(text);
  if (loaded.status === "broken") throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
  return loaded.rules;
}

async function said(text: string): Promise<string[]> {
  const loaded = await loadRules(text);
  const problems = [...(loaded.status === "broken" ? loaded.problems : []), ...loaded.warnings];
  return problems.map(({ severity = "error", path, message, hint, offset = 0, length = 0 }) => {
    const { line, column } = positionOf(text, offset);
    const about = text.slice(offset, offset + length);
    return `${line}:${column} ${about} ${severity}, ${path}: ${message}${hint === undefined ? "" : ` (${hint})`}`;
  });
}

describe("old names in a rules file", () => {
  it("mean what the new ones mean", async () => {
    const { channels, ...rules } = await goodRules(before);
    const { channels: _, ...expected } = await goodRules(now);
    expect(rules).toEqual(expected);
    expect(rules.rules.map(({ policies }) => policies.whileSubagentsRun)).toEqual(["soften", "notify"]);
    expect(rules.rules[0]?.when.map(({ field }) => field)).toEqual(["event", "runningSubagents"]);
    expect(Object.keys(channels)).toEqual(["desk"]);
  });

  it("have one warning for each use, which says the new name; new ones have none", async () => {
    const ofSetting = '"whileHelpersRun" is called "whileSubagentsRun" now';
    expect(await said(before)).toEqual([
      `3:17 "whileHelpersRun" warning, defaults.whileHelpersRun: ${ofSetting}`,
      `5:49 "runningHelpers" warning, rules.0.when.runningHelpers: "runningHelpers" is called "runningSubagents" now`,
      `6:42 "whileHelpersRun" warning, rules.1.whileHelpersRun: ${ofSetting}`,
      '6:61 "tell" warning, rules.1.whileSubagentsRun: "tell" is called "notify" now',
    ]);
    expect(await said(now.replace('"soften"', '"hold"'))).toEqual([
      '3:38 "hold" warning, defaults.whileSubagentsRun: "hold" is called "defer" now',
    ]);
    expect(await said(now)).toEqual([]);
  });

  it("are a mistake beside the new one in the same object, and nothing else is said of them", async () => {
    const both = now
      .replace('"notify" },\n', '"notify", "whileHelpersRun": "defer" },\n')
      .replace('"event"', '"runningHelpers": "0", "event"');
    expect(await said(both)).toEqual([
      '5:32 "runningHelpers" error, rules.0.when.runningHelpers: "runningHelpers" is the old name of "runningSubagents", which is here, too (keep "runningSubagents")',
      '6:73 "whileHelpersRun" error, rules.1.whileHelpersRun: "whileHelpersRun" is the old name of "whileSubagentsRun", which is here, too (keep "whileSubagentsRun")',
    ]);
  });

  it("have the same values, with mistakes at their places", async () => {
    expect(await said(before.replace('"tell"', '"notif"'))).toContainEqual(
      expect.stringMatching(/^6:61 "notif" error, rules\.1\.whileSubagentsRun: .*\(did you mean "notify"\?\)$/),
    );
  });

  it("are old names only where the new ones stand", async () => {
    const elsewhere = now.replace('"name": "two"', '"name": "two", "runningHelpers": "1"');
    expect(await said(elsewhere)).toEqual([
      expect.stringMatching(/^6:22 "runningHelpers" error, rules\.1\.runningHelpers: there is no setting/),
    ]);
  });

  it("are offered by editors as outdated", () => {
    const { properties, definitions } = rulesJsonSchema([]) as {
      properties: Record<string, { properties: Record<string, object> }>;
      definitions: Record<string, { properties: Record<string, { properties: Record<string, object> }> }>;
    };
    const outdated = (name: string) => ({ deprecated: true, description: `the old name of ${name}` });
    const ofFile = properties.defaults?.properties;
    const ofRule = definitions.rule?.properties;
    expect(ofFile?.whileHelpersRun).toEqual({ ...ofFile?.whileSubagentsRun, ...outdated("whileSubagentsRun") });
    expect(ofRule?.whileHelpersRun).toEqual({ ...ofRule?.whileSubagentsRun, ...outdated("whileSubagentsRun") });
    const when = ofRule?.when?.properties;
    expect(when?.runningHelpers).toEqual({ ...when?.runningSubagents, ...outdated("runningSubagents") });
    expect(when?.runningSubagents).not.toHaveProperty("deprecated");
  });
});

it("a built-in rule is found by its old name, unless the file has a rule of that name", async () => {
  const named = async (...names: string[]) => {
    const rules = names.map((name) => ({ name, notify: ["desk"] }));
    return (await goodRules(JSON.stringify({ channels: { desk: { type: "desktop" } }, rules }))).rules;
  };
  const found = async (name: string, ...names: string[]) =>
    rulesNamed(await named(...names), name).map((each) => each.name);
  expect(await found("broke off", "done", "failed")).toEqual(["failed"]);
  expect(await found("session broke", "session failed")).toEqual(["session failed"]);
  expect(await found("broke off", "broke off", "failed")).toEqual(["broke off"]);
  expect(await found("failed", "broke off")).toEqual([]);
  expect(await found("toString", "failed")).toEqual([]);
});
