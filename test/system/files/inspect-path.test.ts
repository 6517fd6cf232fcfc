import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

  it("is one below a folder that all can write, however far above", () => {
    const path = place(0o600, 0o700);
    const above = dirname(dirname(path));
    chmodSync(above, 0o777);
    expect(findDistrust(path)?.path).toBe(above);
    expect(findDistrust(path, me, dirname(path))).toBeUndefined();
  });

  it.each(["through a link", "through a chain of links"])("is one %s in a folder that all can write", (how) => {
    const path = place(0o600, 0o700);
    const open = join(temporaryFolder(), "open");
    mkdirSync(open);
    const first = join(open, "first");
    symlinkSync(dirname(path), first);
    const own = join(temporaryFolder(), "config");
    symlinkSync(first, own);
    expect(findDistrust(join(own, "rules.jsonc"))).toBeUndefined();
    chmodSync(open, 0o777);
    expect(findDistrust(join(how === "through a link" ? first : own, "rules.jsonc"))?.path).toBe(open);
  });

  it.runIf(me === 0)("is one through another user's link, also where only its owner can replace it", () => {
    const link = join(temporaryFolder(), "rules.jsonc");
    chmodSync(dirname(link), 0o1777);
    symlinkSync(place(0o600, 0o700), link);
    lchownSync(link, 12_345, 12_345);
    expect(findDistrust(link)).toMatchObject({ path: link, why: "belongs to user 12345, who can change it" });
  });

  it("is said of no link to itself", () => {
    const link = join(temporaryFolder(), "rules.jsonc");
    symlinkSync(link, link);
    expect(findDistrust(link)).toBeUndefined();
    expect(readRulesFile(link)).toEqual({ unreadable: expect.stringContaining("a link to itself") as string });
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
