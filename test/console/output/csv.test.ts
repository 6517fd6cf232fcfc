// Rows as CSV: columns, quotes, formulas, and pieces of one file.
import { describe, expect, it } from "vitest";
import { createCsv, writeCsv } from "../../../src/console/output/csv.ts";

describe("CSV", () => {
  it("has objects as columns, lists as JSON, and nothing where a row has no such field", () => {
    const rows = [
      { date: "2026-03-01", ratio: { manual: 0.5 }, names: ["Go", "C"], isLate: true },
      { date: "2026-03-02", ratio: { manual: 1, other: 2 }, email: null },
    ];
    expect(writeCsv(rows)).toBe(
      [
        "date,ratio.manual,names,isLate,ratio.other,email",
        '2026-03-01,0.5,"[""Go"",""C""]",true,,',
        "2026-03-02,1,,,2,",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["@SUM", "'@SUM"],
    ['a "b"', '"a ""b"""'],
    ["a,b", '"a,b"'],
    ["a\nb", '"a\nb"'],
  ])("has the text %j as %j", (text, cell) => {
    expect(writeCsv([{ text }])).toBe(`text\n${cell}\n`);
  });

  it("has its header where the columns are known, also without rows", () => {
    expect(writeCsv([], [["date"], ["ratio", "manual"]])).toBe("date,ratio.manual\n");
    expect(writeCsv([])).toBe("");
  });

  it("comes in pieces with one header, and the columns of the first", () => {
    const write = createCsv([["date"]]);
    expect(write([{ date: "a", more: 1 }])).toBe("date,more\na,1\n");
    expect(write([{ date: "b", later: 2 }])).toBe("b,\n");
    expect(write([])).toBe("");
  });
});
