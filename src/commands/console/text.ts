import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Styled text where colour may be used, plain text elsewhere. */
export function paint(io: { isColor: boolean }, style: Style, text: string): string {
  return io.isColor ? styleText(style, text, { validateStream: false }) : text;
}

/** `1 delivery`, `2 deliveries`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** Words in lines of at most `columns` characters; every line but the first stands behind this indentation, which does not count. */
export function wrap(text: string, columns: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

const steering = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/**
 * A value as one line of JSON. What JSON lets through and a terminal obeys (C1 controls, bidirectional overrides) is
 * written as `\uXXXX`: the same value, and harmless on a screen.
 */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    steering,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${escaped}\n`;
}
