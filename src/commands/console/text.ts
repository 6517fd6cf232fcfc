// Text for a terminal: colour, numbers, line breaks at words, JSON.
import { stripVTControlCharacters, styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Plain text where colour is off. */
export function paint(io: { isColor: boolean }, style: Style, text: string): string {
  return io.isColor ? styleText(style, text, { validateStream: false }) : text;
}

/** `1 delivery`, `2 deliveries`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** Lines of at most `columns` characters. Every line but the first gets the indent, which does not count. */
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

const minReportColumns = 60;

/** Where reports wrap: at least 60 columns on a terminal; never in a file or a pipe. */
export function reportColumns({ isTerminal, columns }: { isTerminal: boolean; columns: number }): number {
  return isTerminal ? Math.max(columns, minReportColumns) : Infinity;
}

/** The same, with output that wraps at words on a terminal. */
export function wrapping<Io extends { isTerminal: boolean; columns: number; stdout: (text: string) => void }>(
  io: Io,
): Io {
  return io.isTerminal ? { ...io, stdout: (text) => io.stdout(wrapLines(text, reportColumns(io))) } : io;
}

/** Further lines are indented like the first. */
function wrapLines(text: string, columns: number): string {
  const lines = text.split("\n").map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return indent + wrap(line.slice(indent.length), columns - indent.length, indent);
  });
  return lines.join("\n");
}

function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

const terminalControls = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** A value as one line of JSON. Characters that a terminal obeys (C1 controls, bidirectional overrides) are escaped. */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    terminalControls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${escaped}\n`;
}
