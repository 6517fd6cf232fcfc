import { describe, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { docs } from "../../src/cli/docs.ts";
import type { CommandIo } from "../../src/console/command-io.ts";
import { commandIo } from "../support/project/command-io.ts";

const root = new URL("../../", import.meta.url);

async function read(...args: string[]): Promise<string> {
  return await readAt({}, ...args);
}

async function readAt(screen: Partial<CommandIo>, ...args: string[]): Promise<string> {
  const out: string[] = [];
  await docs(args, commandIo("/home/ada", { stdout: (text) => out.push(text), ...screen }));
  return out.join("");
}

describe("docs", () => {
  it("lists each page once, by chapter", async () => {
    const listed = await read();
    expect(listed.match(/^\w+$/gm)).toEqual(["Guides", "Reference", "Background"]);
    const topics = [...listed.matchAll(/^ {2}([\w-]+) {2,}\S/gm)].map(([, topic]) => topic);
    expect(topics).toEqual(expect.arrayContaining(["get-started", "rules", "security"]));
    expect(topics).toEqual([...new Set(topics)]);
  });

  it.each([
    ["rules", "docs/reference/RULES.md"],
    ["RULES.md", "docs/reference/RULES.md"],
    ["phone", "docs/guides/your-phone.md"],
    ["hooks-by-hand", "hooks/README.md"],
    // The command's page.
    ["serve", "docs/reference/PAGE.md"],
  ])("prints the page of %s", async (topic, path) => {
    expect(await read(topic)).toBe(readFileSync(new URL(path, root), "utf8"));
  });

  it.each([
    [["mute"], /^## Mute\n[^]*hookbell unmute[^]*\n\nThe whole page: hookbell docs attention\n$/],
    [["quiet", "hours"], /^## Quiet hours\n/],
    // A notification of a new hook names this.
    [["it was not you"], /^## If it was not you who added the program\n\n1\. \*\*Disconnect/],
    [["slack"], /^These pages have sections about "slack":\n(?: {2}hookbell docs [\w-]+: .+\n)+$/],
  ] as const)("finds %j by the headings", async (words, expected) => {
    const text = await read(...words);
    expect(text).toMatch(expected);
    expect(text.match(/^## /gm)?.length ?? 0).toBeLessThan(2);
  });

  it.each([
    [
      ["add", "phone"],
      'there is no page "add phone"',
      /^nearest: your-phone(?:, [\w-]+){0,2}; hookbell docs lists them$/,
    ],
    [["zzz"], 'there is no page "zzz"', /^hookbell docs lists them$/],
  ] as const)("names the pages nearest to %j", async (words, message, hint) => {
    await expect(read(...words)).rejects.toMatchObject({ message, hint: expect.stringMatching(hint) });
  });

  it("names the page of the command first where several are about a word", async () => {
    expect(await read("hooks")).toMatch(
      /^These pages are about "hooks":\n {2}hookbell docs guard: .*\n {2}hookbell docs hook-places: .*\n {2}hookbell docs hooks-by-hand: .*\n$/,
    );
  });

  it.each([40, 60, 100])("wraps a page at %i columns of a terminal, and leaves code as it is", async (columns) => {
    const screen = { isTerminal: true, columns };
    const shown = await readAt(screen, "guard");
    const code = /^```[^]*?^```$/gm;
    expect(shown.match(code)).toEqual((await read("guard")).match(code));
    const long = shown
      .replace(code, "")
      .split("\n")
      .filter((line) => !line.startsWith("#") && line.length > columns && line.trim().includes(" "));
    expect(long).toEqual([]);
    expect(shown).not.toMatch(/\]\(/);
    expect(shown.replace(/\s+/g, " ")).toContain(
      "Hook places (hookbell docs hook-places) lists the files of each agent.",
    );
    expect(await readAt(screen, "it was not you")).toMatch(/^## If it was not you .*\n\n1\. \*\*Disconnect .*\n {3}\S/);
  });

  it("says what a misspelt topic may mean", async () => {
    await expect(read("rulse")).rejects.toMatchObject({
      message: 'there is no page "rulse"',
      hint: "did you mean rules? hookbell docs lists them",
    });
  });
});
