// What npm shows of the package, and what it must not do when it is installed.
import { readFileSync, existsSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const facts = JSON.parse(read("package.json")) as {
  homepage: string;
  files: string[];
  scripts: Record<string, string>;
  engines: { node: string };
  devDependencies: Record<string, string>;
};

describe("package.json", () => {
  it("says who made it, where it lives, and where to report faults", () => {
    const { repository, bugs, homepage, ...rest } = JSON.parse(read("package.json")) as Record<string, unknown>;
    const home = "https://github.com/hookbell/hookbell";
    expect(repository).toEqual({ type: "git", url: `git+${home}.git` });
    expect(bugs).toEqual({ url: `${home}/issues` });
    expect(homepage).toBe(`${home}#readme`);
    expect(rest).toMatchObject({
      name: "hookbell",
      author: expect.stringMatching(/\w/),
      license: "MIT",
      description: expect.stringMatching(/^.{40,200}$/),
      keywords: expect.arrayContaining(["coding-agent", "hooks", "notifications"]),
    });
    expect(rest).not.toHaveProperty("funding");
    expect(rest).not.toHaveProperty("private");
  });

  it("needs the Node that the documents name", () => {
    const [, oldest] = /^>=(\d+\.\d+)\.0$/.exec(facts.engines.node) ?? [];
    for (const document of ["README.md", "docs/reference/INSTALL.md", "docs/reference/PLUGINS.md"]) {
      expect(read(document)).toContain(`Node.js ${oldest} or newer`);
    }
  });

  it("packs paths that are there, and leaves out paths of folders that it packs", () => {
    const packed = facts.files.filter((path) => !path.startsWith("!"));
    // A build makes it.
    expect(packed.filter((path) => path !== "dist" && !existsSync(new URL(path, root)))).toEqual([]);
    const leftOut = facts.files.filter((path) => path.startsWith("!")).map((path) => path.slice(1));
    expect(leftOut.filter((path) => !packed.includes(path.split("/")[0] ?? ""))).toEqual([]);
  });

  it("runs no script when it is installed", () => {
    expect(Object.keys(facts.scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
  });
});
