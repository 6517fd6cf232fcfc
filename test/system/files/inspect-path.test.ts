import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findDistrust } from "../../../src/system/files/inspect-path.ts";
import { readRulesFile } from "../../../src/rules/read-rules-file.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const me = process.getuid?.() ?? 0;

function place(fileMode: number, folderMode: number): string {
  const folder = join(temporaryFolder(), "config");
  mkdirSync(folder);
  const path = join(folder, "rules.jsonc");
  writeFileSync(path, "{}");
  chmodSync(path, fileMode);
  chmodSync(folder, folderMode);
  return path;
}

describe.runIf(process.platform !== "win32")("a file that another user could change", () => {
  it.each([
    ["private", 0o600, 0o700],
    ["readable by all", 0o644, 0o755],
    ["in a folder where only owners replace files", 0o644, 0o1777],
  ])("is not one that is %s", (_name, fileMode, folderMode) => {
    const path = place(fileMode, folderMode);
    expect(findDistrust(path)).toBeUndefined();
    expect(readRulesFile(path)).toEqual({ text: "{}" });
  });

  it.each([
    ["writable by all", 0o646, 0o755, "rules.jsonc"],
    ["in a folder that all can write", 0o644, 0o777, "config"],
  ])("is one that is %s: rules are refused, with the way to fix it", (_name, fileMode, folderMode, named) => {
    const path = place(fileMode, folderMode);
    expect(findDistrust(path)?.path.endsWith(named)).toBe(true);
    expect(readRulesFile(path)).toEqual({
      unreadable: expect.stringMatching(/can be changed by other users \(mode \d+\); to use it: chmod go-w/) as string,
    });
  });

  it("is one behind a link", () => {
    const path = place(0o646, 0o755);
    const link = join(temporaryFolder(), "rules.jsonc");
    symlinkSync(path, link);
    expect(findDistrust(link)?.path).toBe(path);
  });

  it("is one that a group may write, unless the group is its owner's alone", () => {
    const path = place(0o664, 0o700);
    const isOwnGroup = process.getgid?.() === me;
    expect(findDistrust(path) === undefined).toBe(isOwnGroup);
  });

  it.runIf(me === 0)("is another user's", () => {
    const path = place(0o600, 0o700);
    chownSync(path, 12_345, 12_345);
    expect(findDistrust(path)).toMatchObject({ path, why: "belongs to user 12345, who can change it" });
  });

  it("is not one that is missing", () => {
    expect(findDistrust(join(temporaryFolder(), "none"))).toBeUndefined();
  });
});
