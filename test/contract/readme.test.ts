import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadRules } from "../../src/rules/load.ts";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const packageJson = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  dependencies: Record<string, string>;
};

describe("docs/background/DEPENDENCIES.md", () => {
  it("names every dependency", () => {
    const page = readFileSync(new URL("docs/background/DEPENDENCIES.md", root), "utf8");
    const named = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
    expect(Object.keys(packageJson.dependencies).filter((name) => !named.includes(name))).toEqual([]);
  });
});

describe("README.md", () => {
  it("shows a rules file that is good", async () => {
    const [, sample = ""] = /```jsonc\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(await loadRules(sample)).toMatchObject({ status: "good", warnings: [] });
  });

  it("links to files that are there", () => {
    const links = [...readme.matchAll(/\]\((?!https:)([^)#]+)\)/g)].map(([, path]) => path ?? "");
    expect(links.length).toBeGreaterThan(3);
    for (const path of links) expect(() => readdirOrRead(path)).not.toThrow();
  });
});

function readdirOrRead(path: string): void {
  const url = new URL(path, root);
  try {
    readFileSync(url);
  } catch {
    readdirSync(url);
  }
}
