import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hookSetups } from "../../../src/agents/hook-setups.ts";
import { findOwnNotifications, findQuestionTimeout } from "../../../src/install/target/managed-settings.ts";

let home = "";
let folder = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-noises-"));
  folder = join(home, ".agent");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const completion = /plays its own sound when it is done/;
const waiting = /plays its own sound when it waits/;
const claude = /may also send its own notifications/;
const codex = /sends its own notifications in the terminal/;

it.each<[id: keyof typeof hookSetups, file: string, text: string, noises: RegExp[]]>([
  ["droid", "settings.json", "{}", [completion, waiting]],
  ["droid", "settings.json", '{ // mine\n "completionSound": "off" }', [waiting]],
  ["droid", "settings.json", '{"completionSound":"fx-ok01","awaitingInputSound":"off"}', [completion]],
  ["droid", "settings.json", '{"completionSound":"off","awaitingInputSound":"off","soundFocusMode":"always"}', []],
  ["claude-code", "settings.json", '{"model":"x"}', [claude]],
  ["claude-code", "settings.json", '{"preferredNotifChannel":"terminal_bell"}', [claude]],
  ["claude-code", "settings.json", '{"preferredNotifChannel":"notifications_disabled"}', []],
  ["claude-code", "../.claude.json", '{"preferredNotifChannel":"notifications_disabled"}', []],
  ["claude-code", ".claude.json", '{"preferredNotifChannel":"notifications_disabled"}', []],
  ["codex", "config.toml", 'model = "x"\n', []],
  ["codex", "config.toml", "[tui]\nnotifications = true\n", [codex]],
  ["codex", "config.toml", "[tui]\nnotifications = false\n", []],
])("%s with %s %j", (id, file, text, noises) => {
  mkdirSync(folder);
  writeFileSync(resolve(folder, file), text);
  const found = findOwnNotifications({ hookSetup: hookSetups[id], folder });
  expect(found).toEqual(noises.map((noise) => expect.stringMatching(noise) as unknown));
});

it("believes the newer place first", () => {
  mkdirSync(folder);
  writeFileSync(join(home, ".claude.json"), '{"preferredNotifChannel":"notifications_disabled"}');
  writeFileSync(join(folder, "settings.json"), '{"preferredNotifChannel":"iterm2"}');
  expect(findOwnNotifications({ hookSetup: hookSetups["claude-code"], folder })).toHaveLength(1);
});

it.each([
  ["claude-code", '{"askUserQuestionTimeout":"60s"}', 60_000],
  ["claude-code", '{"askUserQuestionTimeout":"10m"}', 600_000],
  ["claude-code", '{"askUserQuestionTimeout":"never"}', undefined],
  ["claude-code", '{"askUserQuestionTimeout":60}', undefined],
  ["claude-code", "{}", undefined],
  ["droid", '{"askUserQuestionTimeout":"60s"}', undefined],
] as const)("%s with %s ends a question after %s ms", (id, text, ms) => {
  mkdirSync(folder);
  writeFileSync(join(folder, "settings.json"), text);
  expect(findQuestionTimeout({ hookSetup: hookSetups[id], folder })?.ms).toBe(ms);
});
