import { normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCodeHookSetup } from "../../../src/agents/known/claude-code/hook-setup.ts";
import { droidHookSetup } from "../../../src/agents/known/droid/hook-setup.ts";
import { placeFolder } from "../../../src/agents/hook-setup.ts";
import { fileRecordOf, withFileRecord, withInstallation } from "../../../src/install/record/record.ts";
import { emptyRecord, type FileRecord, parseRecord } from "../../../src/own-files/install-record.ts";
import { withSchema } from "../../../src/rules/edit/starter-rules.ts";

const file: FileRecord = {
  path: "/s.json",
  originalHash: null,
  writtenHash: "h",
  addedEvents: ["Stop"],
  hasAddedHooksKey: true,
  hasMadeFolder: false,
};

describe("the record", () => {
  it("comes back as it was written", () => {
    const installation = { hookPath: "/h/hook.cjs", nodePath: "/n/node" };
    const record = withInstallation(withFileRecord(emptyRecord, "/s.json", file), installation);
    expect(record).toMatchObject({ hookPaths: ["/h/hook.cjs"], nodePaths: ["/n/node"] });
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
    expect(fileRecordOf(record, "/s.json")).toEqual(file);
    expect(withFileRecord(record, "/s.json", undefined).files).toEqual([]);
    expect(withInstallation(record, installation)).toBe(record);
    expect(withInstallation(record, { ...installation, nodePath: "/m/node" }).nodePaths).toEqual([
      "/n/node",
      "/m/node",
    ]);
  });

  it.each([undefined, "", "{", "[]", "null", '{"hookPaths": 1}', '{"hookPaths": [], "files": [{}]}'])(
    "counts as empty when it is %j",
    (text) => {
      expect(parseRecord(text)).toEqual(emptyRecord);
    },
  );
});

describe("placeFolder", () => {
  it.each([
    [droidHookSetup, {}, "/home/me/.factory"],
    [droidHookSetup, { FACTORY_HOME_OVERRIDE: "/elsewhere" }, "/elsewhere/.factory"],
    [droidHookSetup, { FACTORY_HOME_OVERRIDE: "" }, "/home/me/.factory"],
    [claudeCodeHookSetup, {}, "/home/me/.claude"],
    [claudeCodeHookSetup, { CLAUDE_CONFIG_DIR: "/etc/claude" }, "/etc/claude"],
    [claudeCodeHookSetup, { CLAUDE_CONFIG_DIR: "relative" }, "/home/me/.claude"],
  ])("%#", (hookSetup, env, folder) => {
    expect(placeFolder(hookSetup.folders[0], env, "/home/me")).toBe(normalize(folder));
  });
});

describe("withSchema", () => {
  it.each([
    [
      '{\n  "$schema": "./x.json",\n  // c\n  "rules": []\n}\n',
      '{\n  "$schema": "file:///s",\n  // c\n  "rules": []\n}\n',
    ],
    ['{\n  "rules": []\n}\n', '{\n  "rules": [],\n  "$schema": "file:///s"\n}\n'],
    ["not json", "not json"],
  ])("puts the schema into %j, and changes nothing else", (text, expected) => {
    expect(withSchema(text, "file:///s")).toBe(expected);
  });
});
