// The community's JSON Schema of Claude Code's settings, as the types that are made of it, judges what init writes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ClaudeCodeSettings } from "@schemastore/claude-code-settings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytes, textOf, install } from "../round-trip/install.ts";
import { everyRow } from "../../support/rows.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "hookbell-schema-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Settings that are sound before init comes. */
const sound: readonly ClaudeCodeSettings[] = [
  {},
  { model: "opus", permissions: { allow: ["Bash(ls:*)"], deny: [] }, env: { A: "1" } },
  { hooks: {} },
  {
    hooks: { Stop: [], PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "guard", timeout: 5 }] }] },
  },
  { disableAllHooks: true, preferredNotifChannel: "notifications_disabled" },
  { hooks: { Notification: [{ matcher: "idle_prompt", hooks: [{ type: "command", command: "say", async: true }] }] } },
];

const entry = { type: "command", command: "x" };
/** By what is wrong with it. */
const mistaken: Record<string, unknown> = {
  "no group": { hooks: { Stop: [entry] } },
  "an event that there is not": { hooks: { Stopp: [{ hooks: [entry] }] } },
  "a setting that there is not": { hooks: { Stop: [{ hooks: [{ ...entry, timeoutSec: 1 }] }] } },
};

/** The compiler's complaints about each of these settings, by name; none when the schema allows them. */
function complaints(all: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const types = join(root, "node_modules/@schemastore/claude-code-settings/index.d.ts");
  const names = Object.keys(all);
  const paths = names.map((name, index) => {
    const path = join(folder, `settings-${index}.ts`);
    const lines = [
      `import type { ClaudeCodeSettings } from ${JSON.stringify(types)};`,
      `export const s: ClaudeCodeSettings = ${JSON.stringify(all[name])};`,
    ];
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  });
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions", "--ignoreConfig"];
  const ended = spawnSync(process.execPath, [tsc, ...flags, ...paths], { encoding: "utf8", cwd: folder });
  const errors = (ended.stdout + ended.stderr).split("\n").filter((line) => /^\S/.test(line));
  // What is about no file would be lost: a compiler that did not start, or an option that it does not know.
  expect(errors.filter((line) => !/^settings-\d+\.ts\b.*: error TS/.test(line))).toEqual([]);
  return Object.fromEntries(
    names.map((name, index) => [name, errors.filter((line) => line.startsWith(`settings-${index}.ts`))]),
  );
}

// Go, in which the compiler is written, needs a newer Windows than Wine 8 is.
describe("what init writes for Claude Code (not under Wine)", () => {
  let found: Record<string, string[]>;
  const installed = sound.map((settings) => ({
    name: `into ${JSON.stringify(settings)}`,
    ...install("claude-code", { "settings.json": bytes(JSON.stringify(settings)) }),
  }));
  const written: Record<string, unknown> = Object.fromEntries(
    installed.map(({ name, files }) => [name, JSON.parse(textOf(files["settings.json"]) ?? "")]),
  );
  written["on Windows"] = {
    hooks: { Stop: [{ hooks: [{ type: "command", command: "C:/node.exe", args: ["C:/hook.cjs"], timeout: 10 }] }] },
  };
  // One run of the compiler takes seconds.
  beforeAll(() => {
    found = complaints({ ...written, ...mistaken });
  });

  it("is one change of the file", () =>
    everyRow(installed, ({ plan }) => {
      expect(plan.changes).toHaveLength(1);
    }));

  it("is allowed by the schema", () =>
    everyRow(Object.entries(written), ([name, settings]) => {
      expect(JSON.stringify(settings)).toContain("hook.cjs");
      expect(found[name]).toEqual([]);
    }));

  it("would not be, with a mistake in it", () =>
    everyRow(Object.keys(mistaken), (name) => {
      expect(found[name]?.length).toBeGreaterThan(0);
    }));
});
