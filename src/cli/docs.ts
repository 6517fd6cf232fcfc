// `hookbell docs`: lists the documents that come with the package, and prints one.
import { basename, join } from "node:path";
import { exitCodes, type ExitCode, usageError } from "../model/errors.ts";
import { nearest } from "../rules/nearest.ts";
import { readIfThere } from "../system/files/read.ts";
import { ownPackageFolder } from "../system/package.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { paint, reportColumns, wrap } from "../console/output/text.ts";
import { forTerminal } from "./docs-text.ts";
import { inspectCommands } from "../commands/help/inspect.ts";

interface Page {
  /** The word for it, such as `your-phone`. */
  topic: string;
  /** What it covers. */
  covers: string;
  text: string;
}

interface Chapter {
  title: string;
  pages: Page[];
}

const maxWords = 10;

export function docs(args: string[], io: CommandIo): Promise<ExitCode> {
  const { positionals } = parseArguments(args, inspectCommands.docs.flags, maxWords);
  const chapters = readChapters(join(ownPackageFolder(), "docs"));
  const asked = positionals.join(" ").trim();
  if (asked === "") io.stdout(listOf(chapters, io));
  else {
    const text = answerTo(asked, chapters);
    io.stdout(io.isTerminal ? forTerminal(text, reportColumns(io), pageAt(chapters)) : text);
  }
  return Promise.resolve(exitCodes.done);
}

/** The tables of docs/README.md name them. Pages that the package does not have are left out. */
function readChapters(folder: string): Chapter[] {
  const index = readIfThere(join(folder, "README.md")) ?? "";
  return index.split(/^## /m).flatMap((part): Chapter[] => {
    const pages = part.split("\n").flatMap((row): Page[] => {
      const [, link = "", covers = ""] = row.split("|");
      const path = /\(([^()]+\.md)\)/.exec(link)?.[1];
      const text = path === undefined ? undefined : readIfThere(join(folder, path));
      return path === undefined || text === undefined
        ? []
        : [{ topic: topicOf(path, link), covers: covers.trim(), text }];
    });
    return pages.length === 0 ? [] : [{ title: part.split("\n", 1)[0] ?? "", pages }];
  });
}

/** That of a `README.md` is its title in the list. */
function topicOf(path: string, link: string): string {
  const name = basename(path, ".md").toLowerCase();
  return name === "readme" ? wordsOf(/\[([^\][]*)\]/.exec(link)?.[1] ?? "").join("-") : name;
}

/** How a page is read to which another one has a link. */
function pageAt(chapters: readonly Chapter[]): (link: string) => string | undefined {
  const topics = new Set(chapters.flatMap(({ pages }) => pages.map(({ topic }) => topic)));
  return (link) => {
    const [path = ""] = link.split("#", 1);
    const name = basename(path, ".md").toLowerCase();
    return path.endsWith(".md") && !path.includes(":") && topics.has(name) ? `hookbell docs ${name}` : undefined;
  };
}

function listOf(chapters: readonly Chapter[], io: CommandIo): string {
  const width = Math.max(0, ...chapters.flatMap(({ pages }) => pages.map(({ topic }) => topic.length)));
  const indent = width + 4;
  const parts = chapters.map(({ title, pages }) => {
    const rows = pages.map(
      ({ topic, covers }) =>
        `  ${topic.padEnd(width)}  ${wrap(covers, reportColumns(io) - indent, " ".repeat(indent))}`,
    );
    return [paint(io, "bold", title), ...rows].join("\n");
  });
  return `${parts.join("\n\n")}\n\nTo read one: hookbell docs TOPIC\n`;
}

/** What was asked for: a page by its name, else the sections by their headings; or the pages that come nearest. */
function answerTo(asked: string, chapters: readonly Chapter[]): string {
  const pages = chapters.flatMap((chapter) => chapter.pages);
  const name = asked.toLowerCase().replace(/\.md$/, "");
  const sole = pages.find(({ topic }) => topic === name);
  if (sole !== undefined) return sole.text;
  // A page about the command of this name comes before one that only has the word in its own name.
  const ofCommand = pages.filter(({ covers }) => covers.includes(`\`hookbell ${name}\``));
  const named = pages.filter((each) => each.topic.includes(name) && !ofCommand.includes(each));
  if (ofCommand.length > 1) {
    const rows = [...ofCommand, ...named].map(({ topic, covers }) => `  hookbell docs ${topic}: ${covers}`);
    return `These pages are about ${JSON.stringify(asked)}:\n${rows.join("\n")}\n`;
  }
  const page = ofCommand[0] ?? named[0];
  if (page !== undefined) return page.text;
  const words = wordsOf(name);
  const all = pages.flatMap(({ topic, text }) => sectionsOf(text).map((section) => ({ topic, ...section })));
  const found = words.length === 0 ? [] : all.filter(({ heading }) => hasAll(wordsOf(heading), words));
  const exact = found.filter(({ heading }) => heading.toLowerCase() === name);
  const [only, ...others] = exact.length === 1 ? exact : found;
  if (only !== undefined && others.length === 0)
    return `${only.text.trimEnd()}\n\nThe whole page: hookbell docs ${only.topic}\n`;
  if (found.length > 0) {
    const rows = found.map(({ topic, heading }) => `  hookbell docs ${topic}: ${heading}`);
    return `These pages have sections about ${JSON.stringify(asked)}:\n${rows.join("\n")}\n`;
  }
  throw usageError("topic", `there is no page ${JSON.stringify(asked)}`, nearestPages(name, words, pages));
}

function nearestPages(name: string, words: readonly string[], pages: readonly Page[]): string {
  const meant = nearest(
    name,
    pages.map(({ topic }) => topic),
  );
  if (meant !== undefined) return `did you mean ${meant}? ${listed}`;
  // A word of a page's name or heading says more than one of its text, and a rare word more than a frequent one.
  const scored = pages.map(({ topic, covers, text }) => {
    const said = wordsOf([topic, covers, ...sectionsOf(text).map(({ heading }) => heading)].join(" "));
    const inText = new Set(wordsOf(text));
    const score = words.reduce((sum, word) => sum + (hasAll(said, [word]) ? 10 : 0) + (inText.has(word) ? 1 : 0), 0);
    return { topic, score };
  });
  const near = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  if (near.length === 0) return listed;
  const topics = near.slice(0, maxNear).map(({ topic }) => topic);
  return `nearest: ${topics.join(", ")}; ${listed}`;
}

const listed = "hookbell docs lists them";
const maxNear = 3;

interface Section {
  heading: string;
  /** The lines from its heading up to the next one of the same rank. */
  text: string;
}

/** A line of a code block is no heading. */
function sectionsOf(text: string): Section[] {
  const lines = text.split("\n");
  let isCode = false;
  const headings = lines.flatMap((line, at) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const [, marks, heading] = (isCode ? undefined : /^(##+) (.+)$/.exec(line)) ?? [];
    return marks === undefined || heading === undefined ? [] : [{ at, rank: marks.length, heading }];
  });
  return headings.map(({ at, rank, heading }, index) => {
    const next = headings.slice(index + 1).find((each) => each.rank <= rank);
    return { heading: heading.replaceAll("`", ""), text: lines.slice(at, next?.at).join("\n") };
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A word may be written only in part, such as `escalat`. */
function hasAll(words: readonly string[], asked: readonly string[]): boolean {
  return asked.every((part) => words.some((word) => word.startsWith(part)));
}
