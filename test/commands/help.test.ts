// help.ts is written by hand; what each command accepts stands in its own file.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { helpFor, overview } from "../../src/commands/help.ts";
import { commands } from "../../src/commands/index.ts";
import { stripVTControlCharacters } from "node:util";

const plain = { isColor: false };

/** `--json` and so on, as the command's source declares them for the parser. */
function acceptedFlags(name: string): string[] {
  const root = new URL("../../src/", import.meta.url);
  const files: Record<string, string[]> = {
    hook: ["intake/hook-arguments.ts"],
    channels: ["commands/channels/channels.ts", "commands/channels/add/add.ts"],
  };
  const all = readdirSync(root, { recursive: true, encoding: "utf8" });
  const own = all.filter((path) => path.startsWith("commands/") && basename(path) === `${name}.ts`);
  const source = (files[name] ?? own).map((path) => readFileSync(new URL(path, root), "utf8")).join("\n");
  const declared = [...source.matchAll(/(?:"([\w-]+)"|\b(\w+)): \{ type: "(?:string|boolean)"/g)];
  const flags = declared.map(([, quoted, bare]) => `--${quoted ?? bare}`);
  const byHand = name === "hook" ? [...source.matchAll(/"(--[\w-]+)"/g)].map(([, flag]) => flag ?? "") : [];
  return [...new Set([...flags, ...byHand, "--help"])].sort();
}

function shownFlags(text: string): string[] {
  return [...text.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag ?? "").sort();
}

describe.each(commands.map(({ name }) => name))("the help of %s", (name) => {
  const text = helpFor(name, plain);

  it("has every flag that the command accepts, and no other", () => {
    expect(acceptedFlags(name)).toContain("--help");
    expect(shownFlags(text)).toEqual(acceptedFlags(name));
  });

  it("begins with how it is written, naming only flags that it explains", () => {
    const [usage = ""] = text.split("\n");
    expect(usage).toMatch(new RegExp(`^hookbell ${name}( |$)`));
    const named = [...usage.matchAll(/--[\w-]+/g)].map(([flag]) => flag);
    expect(shownFlags(text)).toEqual(expect.arrayContaining(named));
  });

  it("says what the command takes in as many columns as a terminal has", () => {
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
    expect(text.endsWith("\n")).toBe(true);
  });

  it("is the same in colour", () => {
    expect(stripVTControlCharacters(helpFor(name, { isColor: true }))).toBe(text);
  });
});

describe("the overview", () => {
  it("has every command once, in the order of the registry", () => {
    const rows = [...overview(plain).matchAll(/^ {2}(\w+) +\S/gm)].map(([, name]) => name);
    expect(rows).toEqual(commands.map(({ name }) => name));
  });

  it("fits into eighty columns", () => {
    for (const line of overview(plain).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
