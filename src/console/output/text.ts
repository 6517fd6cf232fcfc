// Formats text for the terminal: colour, numbers, line breaks, JSON.
import { styleText } from "node:util";
import getTruncatedWidth from "fast-string-truncated-width";

import type { Environment } from "../../system/environment.ts";
import { columnsIn } from "../../system/terminal/terminal.ts";

export { jsonLine } from "../../model/json.ts";
export { count } from "../../model/text.ts";

type Style = Parameters<typeof styleText>[0];

/** Plain text if colour is off. */
export function paint(io: { isColor: boolean }, style: Style, text: string): string {
  return io.isColor ? styleText(style, text, { validateStream: false }) : text;
}

/** Wraps at `columns` terminal cells. Every line but the first gets the indent, which does not count. */
export function wrap(text: string, columns: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

/** On a narrower screen, every word would have a line of its own. */
const minReportColumns = 20;

export interface ReportIo {
  isTerminal: boolean;
  columns: number;
  env?: Environment;
}

/** The width of reports: that of `COLUMNS` if it is set, else that of the terminal, unlimited in a file or pipe. */
export function reportColumns({ isTerminal, columns, env = {} }: ReportIo): number {
  return columnsIn(env) ?? (isTerminal ? Math.max(columns, minReportColumns) : Infinity);
}

/** The same io, with output wrapped on a terminal. */
export function wrapping<Io extends ReportIo & { stdout: (text: string) => void }>(io: Io): Io {
  return io.isTerminal
    ? withMembers(io, { stdout: (text: string) => io.stdout(wrapLines(text, reportColumns(io))) })
    : io;
}

/** A copy of the io with these members. Spreading it would open every stream, for which Node loads much code. */
export function withMembers<Io extends object, Members extends object>(io: Io, members: Members): Io & Members {
  const [its, own] = [io, members].map((each) => Object.getOwnPropertyDescriptors(each));
  return Object.defineProperties({}, { ...its, ...own }) as Io & Members;
}

/** Indents further lines like the first. */
export function wrapLines(text: string, columns: number): string {
  const lines = text.split("\n").map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return indent + wrap(line.slice(indent.length), columns - indent.length, indent);
  });
  return lines.join("\n");
}

/** The number of terminal cells that the text takes: 0 for a colour, 2 for a Chinese character. */
export function widthOf(text: string): number {
  // Most text is ASCII. The library would take longer for it than the rest of `--help`.
  return /^[\x20-\x7E]*$/.test(text) ? text.length : getTruncatedWidth(text).width;
}
