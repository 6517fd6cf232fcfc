// The community's JSON Schema of Claude Code's settings, as the types that are made of it, judges what init writes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ClaudeCodeSettings } from "@schemastore/claude-code-settings";
import { afterAll, describe, expect, it } from "vitest";
import { bytes, textOf, wire } from "../round-trip/wire.ts";

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

/** The compiler's complaints about these settings; none when the schema allows them. */
function complaints(all: readonly unknown[]): string {
  const types = join(root, "node_modules/@schemastore/claude-code-settings/index.d.ts");
  const lines = all.map(
    (settings, index) => `export const s${index}: ClaudeCodeSettings = ${JSON.stringify(settings)};`,
  );
  const path = join(folder, "settings.ts");
  writeFileSync(path, [`import type { ClaudeCodeSettings } from ${JSON.stringify(types)};`, ...lines, ""].join("\n"));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions", "--ignoreConfig"];
  const ended = spawnSync(process.execPath, [tsc, ...flags, path], { encoding: "utf8", cwd: folder });
  return ended.stdout + ended.stderr;
}

describe("what init writes for Claude Code", () => {
  it("is allowed by the schema", () => {
    const written = sound.map((settings) => {
      const { plan, files } = wire("claude-code", { "settings.json": bytes(JSON.stringify(settings)) });
      expect(plan.changes).toHaveLength(1);
      return JSON.parse(textOf(files["settings.json"]) ?? "") as unknown;
    });
    const onWindows = {
      hooks: { Stop: [{ hooks: [{ type: "command", command: "C:/node.exe", args: ["C:/hook.cjs"], timeout: 10 }] }] },
    };
    expect(complaints([...written, onWindows])).toBe("");
  });

  it("would not be, with a mistake in it", () => {
    const entry = { type: "command", command: "x" };
    expect(complaints([{ hooks: { Stop: [entry] } }])).toMatch(/error TS/);
    expect(complaints([{ hooks: { Stopp: [{ hooks: [entry] }] } }])).toMatch(/error TS/);
    expect(complaints([{ hooks: { Stop: [{ hooks: [{ ...entry, timeoutSec: 1 }] }] } }])).toMatch(/error TS/);
  });
});
