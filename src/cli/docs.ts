// `hookbell docs`: lists the documents that come with the package, and prints one.
import { basename, join } from "node:path";
import { exitCodes, type ExitCode, usageError } from "../model/errors.ts";
import { nearest } from "../rules/nearest.ts";
import { readIfThere } from "../system/files/read.ts";
import { ownPackageFolder } from "../system/package.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { paint, reportColumns, wrap } from "../console/output/text.ts";
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

export function docs(args: string[], io: CommandIo): Promise<ExitCode> {
  const { positionals } = parseArguments(args, inspectCommands.docs.flags, 1);
  const chapters = readChapters(join(ownPackageFolder(), "docs"));
  const [topic] = positionals;
  io.stdout(topic === undefined ? listOf(chapters, io) : pageOf(topic, chapters).text);
  return Promise.resolve(exitCodes.done);
}

/** The tables of docs/README.md name them. Pages that the package does not have are left out. */
function readChapters(folder: string): Chapter[] {
  const index = readIfThere(join(folder, "README.md")) ?? "";
  return index.split(/^## /m).flatMap((part): Chapter[] => {
    const pages = [...part.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\) *\| (.*?) *\|$/gm)].flatMap(
      ([, path = "", covers = ""]): Page[] => {
        const text = readIfThere(join(folder, path));
        return text === undefined ? [] : [{ topic: topicOf(path), covers, text }];
      },
    );
    return pages.length === 0 ? [] : [{ title: part.split("\n", 1)[0] ?? "", pages }];
  });
}

/** `hooks/README.md` is about hooks. */
function topicOf(path: string): string {
  const name = basename(path, ".md").toLowerCase();
  return name === "readme" ? basename(join(path, "..")) : name;
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

function pageOf(topic: string, chapters: readonly Chapter[]): Page {
  const pages = chapters.flatMap((chapter) => chapter.pages);
  const asked = topic.toLowerCase().replace(/\.md$/, "");
  const found = pages.find((page) => page.topic === asked) ?? pages.find((page) => page.topic.includes(asked));
  if (found !== undefined) return found;
  const near = nearest(
    asked,
    pages.map((page) => page.topic),
  );
  throw usageError(
    "topic",
    `there is no page ${JSON.stringify(topic)}`,
    `${near === undefined ? "" : `did you mean ${near}? `}hookbell docs lists them`,
  );
}
