// A repository's own file: where it is looked for, what it may say, and what is refused.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findWorkTree } from "../../src/system/files/git.ts";
import { readProjectFile, type ProjectFileReading } from "../../src/rules/project-file.ts";

let home = "";
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hookbell-project-")));
  for (const folder of ["shop/.git", "shop/web/ui", "plain/deep"]) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, "shop/.git/HEAD"), "ref: refs/heads/main\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

const read = (folder = "shop"): ProjectFileReading | undefined => readIn(join(home, folder));
function readIn(folder: string): ProjectFileReading | undefined {
  return readProjectFile(folder, findWorkTree(folder, home)?.root);
}

/** The settings, or what is wrong. */
function outcome(text: string): unknown {
  put("shop/.hookbell.jsonc", text);
  const reading = read();
  return reading?.status === "good" ? reading.file : reading?.problems.map(({ message }) => message).join("; ");
}

describe("a repository's own file", () => {
  it("is the nearest one, up to the folder with .git", () => {
    put(".hookbell.jsonc", '{ "label": "home" }');
    expect(read("shop/web/ui")).toBeUndefined();
    put("shop/.hookbell.jsonc", '{ "label": "root" }');
    expect(read("shop/web/ui")).toMatchObject({ status: "good", file: { label: "root" } });
    put("shop/web/.hookbell.jsonc", "{}");
    expect(read("shop/web/ui")).toEqual({ status: "good", file: { path: join(home, "shop/web/.hookbell.jsonc") } });
    expect(read("shop")).toMatchObject({ file: { label: "root" } });
  });

  it("is found in a folder whose name has its accent apart, and names the repository in one form", () => {
    const apart = "re\u0301sume\u0301";
    mkdirSync(join(home, apart, ".git"), { recursive: true });
    writeFileSync(join(home, apart, ".git/HEAD"), "ref: refs/heads/main\n");
    put(`${apart}/.hookbell.jsonc`, '{ "label": "cv" }');
    expect(read(apart)).toMatchObject({ file: { label: "cv" } });
    expect(findWorkTree(join(home, apart), home)?.repository).toBe("r\u00E9sum\u00E9");
  });

  it.each([
    ["outside of a repository", "plain/deep"],
    ["in a folder that only a home under git holds", "plain"],
    ["in a folder that is not absolute", "../shop"],
  ])("is not looked for %s", (_what, folder) => {
    put("plain/deep/.hookbell.jsonc", '{ "mute": true }');
    put("plain/.hookbell.jsonc", '{ "mute": true }');
    put(".git/HEAD", "ref: refs/heads/dotfiles\n");
    expect(folder.startsWith("..") ? readIn(folder) : read(folder)).toBeUndefined();
  });

  it.each<[text: string, expected: object]>([
    ["{}", {}],
    ['{ "mute": true, } // comment', { mute: true }],
    ['{ "$schema": "x", "notify": ["team"], "label": "client A" }', { notify: ["team"], label: "client A" }],
  ])("may say %s", (text, expected) => {
    expect(outcome(text)).toEqual({ path: join(home, "shop/.hookbell.jsonc"), ...expected });
  });

  it.each<[text: string, expected: RegExp]>([
    ["", /^the file is empty$/],
    ["{", /ends too early/],
    ["[]", /expected an object/],
    ['{ "channels": { "x": { "type": "command", "argv": ["sh"] } } }', /no setting "channels"/],
    [
      '{ "rules": [], "level": "error", "content": "full" }',
      /no setting "rules".*no setting "level".*no setting "content"/,
    ],
    ['{ "mute": "yes" }', /expected true or false/],
    ['{ "notify": [] }', /for silence write "mute": true/],
    ['{ "label": "" }', /cannot be empty/],
    ['{ "label": "a\\u001b[31mred" }', /no control characters/],
    [`{ "label": "${"x".repeat(33)}" }`, /at most 32/],
    ['{ "label": "a", "label": "b" }', /appears twice/],
    [`{ "label": "a" } ${" ".repeat(17_000)}`, /more than 16384 bytes/],
    ['{ "label": '.repeat(40), /levels deep/],
  ])("may not say %s", (text, expected) => {
    expect(outcome(text)).toMatch(expected);
  });

  it.each<[what: string, put: (path: string) => void, expected: RegExp]>([
    ["a symbolic link (posix)", (path) => symlinkSync("/etc/passwd", path), /symbolic link/],
    ["a broken link (posix)", (path) => symlinkSync("nowhere", path), /symbolic link/],
    ["a pipe (posix)", (path) => execFileSync("mkfifo", [path]), /not a regular file/],
    ["a folder", (path) => mkdirSync(path), /not a regular file/],
  ])("is not %s", (_what, place, expected) => {
    place(join(home, "shop/web/.hookbell.jsonc"));
    put("shop/.hookbell.jsonc", "{}");
    const reading = read("shop/web/ui");
    expect(reading?.status === "broken" && reading.problems[0]?.message).toMatch(expected);
    expect(JSON.stringify(reading)).not.toContain("root:");
  });
});
