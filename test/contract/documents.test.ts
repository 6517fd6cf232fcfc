// What the documents name is there: files, folders, ranks, npm's scripts, our own commands and their flags.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commandOf } from "../../src/cli/help.ts";
import { commandTable } from "../../src/cli/table.ts";
import { ranks } from "../../scripts/ranks.mjs";
import { everyRow } from "../support/rows.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => posix.join(folder, name));
const documents = [
  "",
  "docs",
  "docs/guides",
  "docs/reference",
  "docs/background",
  "hooks",
  "test/recorded-runs",
  ".github",
].flatMap(markdownIn);
const isThere = (...path: string[]): boolean => existsSync(join(root, ...path));

/** What stands in backticks or in a block of code. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) => block.split("\n"));
  const spans = text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`]+)`/g);
  return [...blocks, ...[...spans].map(([, span = ""]) => span)];
}

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");

/** The anchors that GitHub makes of headings: lower case, without punctuation, a number for those that come again. */
function anchorsIn(text: string): string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
  return headings.map((anchor, index) => {
    const before = headings.slice(0, index).filter((other) => other === anchor).length;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

describe("every document", () => {
  const everyDocument = (check: (text: string, document: string) => void): Promise<void> =>
    everyRow(documents, (document) => check(read(document), document));

  it("links to what is there", () =>
    everyDocument((text, document) => {
      const links = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)].map(([, path = ""]) => path);
      expect(links.filter((path) => !isThere(dirname(document), path))).toEqual([]);
    }));

  it("links to headings that are there", () =>
    everyDocument((text, document) => {
      const links = [...withoutCode(text).matchAll(/\]\((?![a-z]+:)([^)#]*)#([^)]+)\)/g)];
      const broken = links.filter(([, path = "", anchor = ""]) => {
        const target = path === "" ? document : join(dirname(document), path);
        return target.endsWith(".md") && !anchorsIn(read(target)).includes(anchor);
      });
      expect(broken.map(([link]) => link)).toEqual([]);
    }));

  it("names npm scripts that there are", () =>
    everyDocument((text) => {
      const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
      const named = [...text.matchAll(/\bnpm (?:run (?:--\w+ )?([\w:-]+)|(start|test))\b/g)].map(
        ([, run, short]) => run ?? short,
      );
      expect(named.filter((name = "") => !Object.hasOwn(scripts, name))).toEqual([]);
    }));

  it("names commands and flags that there are", () =>
    everyDocument((text) => {
      const calls = codeIn(text).flatMap((code) => [...code.matchAll(/^(?:\$ )?hookbell ([a-z]+)\b([^|;&`#]*)/g)]);
      const wrong = calls.filter(([, name = "", rest = ""]) => {
        const flags = rest.match(/(?<=\s)--?[a-z][\w-]*/g) ?? [];
        const help = commandTable[commandOf([name, ...rest.trim().split(" ")]) ?? ""];
        const known = Object.entries(help?.flags ?? {}).flatMap(([flag, { short }]) => [`--${flag}`, `-${short}`]);
        return help === undefined || flags.some((flag) => !["--help", ...known].includes(flag));
      });
      expect(wrong.map(([call]) => call)).toEqual([]);
    }));
});

describe("the words of", () => {
  const wordsIn = (text: string): number =>
    withoutCode(text)
      .split(/\s+/)
      .filter((word) => /\w/.test(word)).length;

  it("README.md are at most 900 without its code", () => {
    expect(wordsIn(read("README.md"))).toBeLessThanOrEqual(900);
  });

  it.each(markdownIn("docs/guides"))("%s are at most 600, with its code, and about what is there", (guide) => {
    const text = read(guide);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(600);
    expect(text).not.toMatch(/not (?:been )?tried|untried|\brc\.1\b|since version/);
  });
});

describe("anchors", () => {
  it("are those of GitHub", () => {
    const text = "# A `b-c` [Link](x.md)\n\n```sh\n# no heading\n```\n\n## What's new?\n\n## What's new?\n";
    expect(anchorsIn(text)).toEqual(["a-b-c-link", "whats-new", "whats-new-1"]);
  });
});

describe("a look at the documents", () => {
  it("finds what there is to hold against the tree", () => {
    const calls = documents
      .flatMap((document) => codeIn(read(document)))
      .filter((code) => /^\$? ?hookbell /.test(code));
    expect(calls.length).toBeGreaterThan(20);
    expect(documents).toEqual(expect.arrayContaining(["README.md", "docs/reference/AGENTS.md", "hooks/README.md"]));
  });
});

describe.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("the paths in %s", (document) => {
  const named = codeIn(read(document)).filter((code) =>
    /^[\w.-]+(?:\/[\w.-]+)*(?:\.(?:ts|mjs|sh|json)|\/)$/.test(code),
  );
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).map((path) => basename(path));
  /** Of a folder of the state, the layout's own tests know. */
  const ofTheState = ["incoming/", "program/", "outbox/", "dead/", "questions/"];

  it("are those of files and folders", () => {
    const isFound = (path: string): boolean =>
      isThere(path) || isThere("src", path) || isThere("test/support", path) || sources.includes(path);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !ofTheState.includes(path) && !isFound(path))).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const [tree = "", , ...others] = [...read("ARCHITECTURE.md").matchAll(/^```\n([\s\S]*?)^```/gm)].map(
    ([, block = ""]) => block,
  );
  const ranksBlock = [...read("ARCHITECTURE.md").matchAll(/^```\n(\d+ [\s\S]*?)^```/gm)][0]?.[1] ?? "";
  const inSrc = [...tree.matchAll(/^ {2}(\S+?)\/? {2,}/gm)].map(([, name]) => name);
  const atRoot = [...tree.matchAll(/^(\S+\/)(?: {2}(\S+\/))?/gm)].flatMap(([, ...names]) =>
    names.filter((name) => name !== undefined),
  );

  it("shows every file and folder of src, and no other", () => {
    expect(others).toEqual([]);
    expect(new Set(inSrc)).toEqual(new Set(readdirSync(join(root, "src"))));
  });

  it("shows every folder of the project", () => {
    const made = /^(?:node_modules|dist|coverage|\.git|\.idea|\.vscode)\b|^dist\./;
    const folders = readdirSync(root, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !made.test(entry.name),
    );
    expect(folders.map(({ name }) => name).filter((name) => !atRoot.includes(`${name}/`))).toEqual([]);
    expect(atRoot.filter((name) => !name.includes("*") && !isThere(name))).toEqual([]);
  });

  it("explains each word once, in the order of the alphabet", () => {
    const [, words = ""] = /^## Words\n([\s\S]*?)^## /m.exec(read("ARCHITECTURE.md")) ?? [];
    const explained = [...words.matchAll(/^\| (\w[\w -]*?) +\| \S/gm)].map(([, word = ""]) => word).slice(1);
    expect(explained.length).toBeGreaterThan(40);
    expect(explained).toEqual([...new Set(explained)].toSorted());
  });

  it("draws the ranks that the linter knows", () => {
    const drawn = ranksBlock
      .trim()
      .split("\n")
      .toReversed()
      .map((row) => row.split(/\s+/).slice(1));
    const known = ranks.map((row) => Object.keys(row).map((folder) => `${folder}/`));
    expect(drawn).toEqual(known);
  });
});
