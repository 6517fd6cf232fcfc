// The board's rows at each size: the session that waits comes first, and nothing is drawn past the edge.
import fc from "fast-check";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { firstUi, selectedIn, type Ui } from "../../../src/wings/board/keys.ts";
import { drawBoard, printBoard, type Drawn, type Look } from "../../../src/wings/board/view.ts";
import { widthOf } from "../../../src/console/output/text.ts";
import type { BoardRow } from "../../../src/overview/board.ts";
import { noon } from "../../policies/messages.ts";
import { asking, rowsOf, working } from "./sample.ts";
import { anyText } from "../../support/random/any-text.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";

const lookOf = (columns: number, rows: number, more: Partial<Look> = {}): Look => ({
  columns,
  rows,
  isColor: false,
  nowMs: noon,
  ...more,
});

const draw = (rows: readonly BoardRow[], look: Look, ui: Ui = firstUi): Drawn =>
  drawBoard(rows, selectedIn(rows, ui), ui, look);

const seven = ["a", "b", "c", "d", "e", "f", "g"].map((name) => working(name));

describe.each([
  [60, 24],
  [80, 24],
  [120, 40],
  [200, 60],
  [80, 10],
  [40, 6],
])("at %i columns and %i rows", (columns, rows) => {
  it("the one of eight sessions that waits is in the first row, selected, and the screen is full", () => {
    const drawn = draw(rowsOf(...seven, asking("waits", "npm publish")), lookOf(columns, rows));
    expect(drawn.rows).toHaveLength(rows);
    expect(drawn.rows[0]).toMatch(/^ 1 needs you/);
    const [first, second = ""] = drawn.rows.slice(1);
    // On a small screen, the sessions need the row of the headings.
    if (rows >= 24) expect(first).toMatch(/^ {2}State +For {2}Session .*What/);
    expect(rows >= 24 ? second : first).toMatch(/^▸ needs you .*waits/);
    expect(drawn.rows.filter((row) => widthOf(row) > columns)).toEqual([]);
  });

  it("any text of an agent stays within the edge, and controls nothing", () => {
    const text = fc.oneof(anyText(), fc.constantFrom("漢字".repeat(90), "👩‍👩‍👧‍👦".repeat(60), "\u001B[2J\u0007", "x\r\ny"));
    fc.assert(
      fc.property(text, text, (name, command) => {
        const all = rowsOf(asking(name || "s", command), working(`${name}2`));
        for (const isColor of [false, true]) {
          const drawn = draw(all, lookOf(columns, rows, { isColor })).rows;
          const plain = drawn.map(stripVTControlCharacters);
          expect(plain.filter((row) => widthOf(row) > columns)).toEqual([]);
          expect(plain.join("")).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E]/);
        }
      }),
      { numRuns: slowRuns(40) },
    );
  });
});

describe("a question", () => {
  const command = Array.from({ length: 12 }, (_, index) => `echo ${index}`).join("\n");
  const all = rowsOf(asking("waits", command), ...seven);

  it("counts as seen only while all of it is on the screen", () => {
    expect(draw(all, lookOf(80, 40)).wholeQuestion).toBe("evt_waits");
    const small = draw(all, lookOf(80, 16));
    expect(small.wholeQuestion).toBeUndefined();
    expect(small.rows.join("\n")).toContain("… Space shows all of it");
    expect(small.rows.join("\n")).not.toContain("echo 11");
  });

  it("has the whole screen after Space, and still does not count where it must be scrolled", () => {
    const ui: Ui = { ...firstUi, mode: { kind: "whole", from: 0 } };
    const whole = draw(all, lookOf(80, 24), ui);
    expect(whole.rows.join("\n")).toMatch(/echo 0\n[^]*echo 11/);
    expect(whole.wholeQuestion).toBe("evt_waits");
    expect(draw(all, lookOf(80, 16), ui).wholeQuestion).toBeUndefined();
    const end = draw(all, lookOf(80, 16), { ...firstUi, mode: { kind: "whole", from: 99 } });
    expect(end.wholeQuestion).toBeUndefined();
    expect(end.rows.join("\n")).toContain("host: testhost");
  });

  it("never counts as seen with a row missing, at any size", () => {
    const size = fc.record({ columns: fc.integer({ min: 20, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) });
    const lines = fc.integer({ min: 1, max: 40 });
    const isWhole = fc.boolean();
    fc.assert(
      fc.property(size, lines, isWhole, ({ columns, rows }, count, isAlone) => {
        const asked = Array.from({ length: count }, (_, index) => `line ${index} of it`);
        const ui: Ui = isAlone ? { ...firstUi, mode: { kind: "whole", from: 0 } } : firstUi;
        const drawn = draw(rowsOf(asking("waits", asked.join("\n")), ...seven), lookOf(columns, rows), ui);
        if (drawn.wholeQuestion === undefined) return;
        const text = drawn.rows.map((row) => row.replace(/^ (?:│ )?/, "")).join("");
        for (const part of [...asked, "tool: Bash (Claude Code)", "host: testhost"]) {
          expect(text.replaceAll(" ", "")).toContain(part.replaceAll(" ", ""));
        }
      }),
      { numRuns: slowRuns(300) },
    );
  });

  it("that is one long line is broken, not cut", () => {
    const long = "x".repeat(500);
    const { rows, wholeQuestion } = draw(rowsOf(asking("waits", long)), lookOf(60, 24));
    const quoted = rows.filter((row) => row.startsWith(" │ "));
    expect(quoted.join("").match(/x/g)).toHaveLength(500);
    expect(wholeQuestion).toBe("evt_waits");
  });
});

it("the list keeps the selected session in view, and says where it is", () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    working(`s${String(index).padStart(3, "0")}`, noon - 1000 * (500 - index)),
  );
  const rows = rowsOf(...many);
  const drawn = draw(rows, lookOf(80, 24), { ...firstUi, selected: "codex\ns120" });
  expect(drawn.rows.filter((row) => row.startsWith("▸"))).toEqual([expect.stringContaining("s120")]);
  expect(drawn.rows.join("\n")).toMatch(/─ \d+ to \d+ of 200 ─/);
});

it("without colour no row has an escape sequence, and with colour there are only those that light and dark terminals show", () => {
  const all = rowsOf(asking("waits", "npm publish"), ...seven);
  const groups = [
    "needsYou",
    "failed",
    "waitsForLimit",
    "working",
    "waitsForSubagents",
    "unread",
    "quiet",
    "ended",
  ] as const;
  const rows = all.map((row, index) => ({ ...row, group: groups[index] ?? row.group }));
  expect(draw(rows, lookOf(80, 24)).rows.join("")).not.toContain("\u001B");
  const look = lookOf(80, 24, { isColor: true, notice: "The rules file is broken." });
  const codes = [
    ...draw(rows, look)
      .rows.join("")
      .matchAll(/\u001B\[([\d;]+)m/g),
  ].map(([, code]) => Number(code));
  const [normal, bold, dim, inverse, red, magenta] = [0, 1, 2, 7, 31, 35];
  const known = [normal, bold, dim, inverse, red, magenta, 22, 27, 39];
  expect(codes.filter((code) => !known.includes(code))).toEqual([]);
  expect(codes).toEqual(expect.arrayContaining([bold, red, magenta]));
});

it("printed once, it has every session and each question in full", () => {
  const command = Array.from({ length: 60 }, (_, index) => `echo ${index}`).join("\n");
  const printed = printBoard(
    rowsOf(...seven, asking("waits", command), asking("there", "make", {}, false)),
    lookOf(100, 0),
  );
  expect(printed).toMatch(/^ {2}State .*\n {2}needs you +1m {2}(?:waits|there)/);
  expect(printed).toContain("│ echo 59");
  expect(printed).toContain("Answer it in its terminal, which hookbell does not know.");
  expect(printBoard([], lookOf(100, 0))).toContain("No session is open");
});

describe("beside the list", () => {
  it("a broken rules file has a line of its own", () => {
    const notice = "The rules file is broken; the last good rules apply. To see why: hookbell check";
    const drawn = draw(rowsOf(...seven), lookOf(60, 24, { notice }));
    expect(drawn.rows).toHaveLength(24);
    expect(drawn.rows.slice(1, 3).join("")).toContain("To see why: hookbell check");
    expect(printBoard(rowsOf(...seven), { ...lookOf(100, 0), notice })).toContain("hookbell check");
  });

  it("what an act says is whole, also where it needs more than a row", () => {
    const says = 'Answers are off; to enable them, add "answers" to the rules file and run hookbell init.';
    const drawn = draw(rowsOf(...seven), lookOf(60, 24), { ...firstUi, says });
    expect(drawn.rows).toHaveLength(24);
    expect(drawn.rows.slice(-2).map((row) => row.trim())).toEqual([
      expect.stringMatching(/^Answers are off/),
      expect.stringMatching(/hookbell init\.$/),
    ]);
  });

  it("what an agent said uses the row, also with the signs of prose, and is broken at blanks below", () => {
    const words = "API error: overloaded — usually temporary … try again · or ask for help";
    const row = { ...rowsOf(working("a"))[0], words } as BoardRow;
    const drawn = draw([row], lookOf(80, 24)).rows;
    // Where it does not fit, its end is cut.
    expect(drawn[2]).toMatch(/API error: overloaded — usually tempora.*…$/);
    const quoted = drawn.filter((line) => line.startsWith(" │ ")).map((line) => line.slice(3).trimEnd());
    expect(quoted).toEqual([words]);
    const narrow = draw([row], lookOf(40, 24)).rows.filter((line) => line.startsWith(" │ "));
    expect(narrow.map((line) => line.slice(3).trimEnd()).join(" ")).toBe(words);
  });

  it("a session's long name leaves room for what it asks", () => {
    const name = "a-repository-with-a-very-long-name-indeed";
    const [, , row = ""] = draw(rowsOf(asking(name, "npm publish --access public")), lookOf(80, 24)).rows;
    expect(row).toContain("run `npm publish --access public`?");
  });
});
