// Reports wrap at words on a terminal, and nowhere else.
import { describe, expect, it } from "vitest";
import { wrapping } from "../../../src/console/output/text.ts";

function written(text: string, columns: number, isTerminal = true): string {
  const out: string[] = [];
  wrapping({ isTerminal, columns, stdout: (part: string) => void out.push(part) }).stdout(text);
  return out.join("");
}

const words = (count: number): string => Array.from({ length: count }, () => "words").join(" ");

describe("a report", () => {
  it.each([
    ["at words, indented like the first line", `  ${words(12)}\n`, 62, `  ${words(10)}\n  ${words(2)}\n`],
    ["at the width of a narrow terminal", words(7), 35, `${words(6)}\nwords`],
    ["at 20 columns on a narrower one", words(4), 8, `${words(3)}\nwords`],
    ["without counting colours", `\u001B[31m${words(10)}\u001B[39m`, 60, `\u001B[31m${words(10)}\u001B[39m`],
    ["by the cells that a character takes", `${"日本 ".repeat(12)}日本`, 60, `${"日本 ".repeat(11)}日本\n日本`],
    ["leaving a longer word whole", "x".repeat(90), 60, "x".repeat(90)],
    ["leaving blanks between columns", "incoming     0  waiting\n", 60, "incoming     0  waiting\n"],
  ])("wraps %s", (_name, text, columns, expected) => {
    expect(written(text, columns)).toBe(expected);
  });

  it("is as it was in a file or a pipe", () => {
    expect(written(words(50), 60, false)).toBe(words(50));
  });
});
