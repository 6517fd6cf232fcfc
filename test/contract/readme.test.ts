import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { channelTypes } from "../../src/channels/all.ts";
import { commands } from "../../src/commands/index.ts";
import { formatDuration } from "../../src/model/duration.ts";
import { loadRules } from "../../src/rules/load.ts";
import { settingsOf } from "../../src/rules/setting-info.ts";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const packageJson = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  dependencies: Record<string, string>;
};

/** The cells of every table row. */
const rows = readme
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe("README", () => {
  it.each(channelTypes)(
    "has the row of channel type $type, as the code says it",
    ({ type, summary, expiresAfterMs }) => {
      const row = rows.find(([cell]) => cell === `\`${type}\``);
      expect(row?.[1]).toBe(summary);
      expect(row?.[3]).toBe(formatDuration(expiresAfterMs));
    },
  );

  it.each(channelTypes)("names as the main settings of $type some that it has", (channelType) => {
    const row = rows.find(([cell]) => cell === `\`${channelType.type}\``);
    const named = [...(row?.[2] ?? "").matchAll(/`(\w+)`/g)].map(([, key]) => key);
    const known = settingsOf(channelType).map(({ key }) => key);
    expect(named.filter((key = "") => !known.includes(key))).toEqual([]);
    expect(row?.[2] === "none").toBe(named.length === 0);
  });

  it("has no row of a channel type that is gone", () => {
    const start = rows.findIndex(([cell]) => cell === "type");
    const end = rows.findIndex(([cell], index) => index > start + 1 && cell === "what");
    const types = rows.slice(start + 2, end).map(([cell]) => cell?.replaceAll("`", ""));
    expect(types).toEqual(channelTypes.map(({ type }) => type));
  });

  it("names every dependency with what it is for", () => {
    const named = rows
      .filter(([, what]) => what !== undefined && what !== "")
      .map(([cell]) => cell?.replaceAll("`", ""));
    expect(Object.keys(packageJson.dependencies).filter((name) => !named.includes(name))).toEqual([]);
  });

  it.each(Object.keys(commands))("names the command %s", (name) => {
    expect(readme).toContain(`\`${name}\``);
  });

  it("shows a rules file that is good", () => {
    const [, sample = ""] = /```jsonc\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(loadRules(sample)).toMatchObject({ status: "good", warnings: [] });
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
