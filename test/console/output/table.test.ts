// Tables fit the terminal, whatever its width and whatever the texts are.
import getTruncatedWidth from "fast-string-truncated-width";
import { describe, expect, it } from "vitest";
import { type Column, renderTable } from "../../../src/console/output/table.ts";

const columns: Column[] = [
  { header: "User", cells: ["ann@example.com", "日本語の利用者@example.com"], minWidth: 8, footer: "All" },
  { header: "Credits", cells: ["1,204", "7"], isRight: true, footer: "1,211" },
  { header: "", cells: [], bars: [1204, 7] },
  { header: "Sessions", cells: ["3", "1"], isRight: true, omit: 1 },
  { header: "Trend", cells: ["▁█", "█▁"], omit: 2 },
];
const show = (width: number, given: readonly Column[] = columns): string =>
  renderTable(given, { columns: width, isColor: false });

describe("a table", () => {
  it("aligns, and fills the room with bars", () => {
    expect(show(80)).toBe(
      [
        "User                        Credits                              Sessions  Trend",
        "ann@example.com               1,204  ██████████████████████████         3  ▁█",
        "日本語の利用者@example.com        7  ▏                                  1  █▁",
        "──────────────────────────  ───────  ──────────────────────────  ────────  ─────",
        "All                           1,211",
        "",
      ].join("\n"),
    );
  });

  it("cuts texts before it leaves out columns, the least important first", () => {
    const given: Column[] = [{ header: "Key", cells: ["a", "b"] }, ...columns];
    const headersAt = (width: number): string[] => show(width, given).split("\n")[0]?.split(/\s+/) ?? [];
    expect(headersAt(39)).toEqual(["Key", "User", "Credits", "Sessions", "Trend"]);
    expect(headersAt(33)).toEqual(["Key", "User", "Credits", "Sessions"]);
    expect(headersAt(25)).toEqual(["Key", "User", "Credits"]);
    expect(show(25, given)).toContain("ann@exampl…");
  });

  it("cuts the first column, which says whose a row is, when nothing else is left", () => {
    const headersAt = (width: number): string[] => show(width).split("\n")[0]?.split(/\s+/) ?? [];
    expect(headersAt(45)).toEqual(["User", "Credits", "Sessions"]);
    expect(headersAt(44)).toEqual(["User", "Credits"]);
    expect(show(35)).toContain("日本語の利用者@example.com");
    expect(show(20)).toContain("ann@exampl…");
  });

  it("is as wide as a command's output: a pipe cuts nothing, unless COLUMNS says so", () => {
    const lengthIn = (io: { isTerminal: boolean; env?: Record<string, string> }): number | undefined =>
      renderTable([{ header: "User", cells: ["x".repeat(300)], minWidth: 8 }], { columns: 80, isColor: false, ...io })
        .split("\n")
        .at(1)?.length;
    expect(lengthIn({ isTerminal: false })).toBe(300);
    expect(lengthIn({ isTerminal: true })).toBe(80);
    expect(lengthIn({ isTerminal: false, env: { COLUMNS: "200" } })).toBe(200);
    expect(lengthIn({ isTerminal: true, env: { COLUMNS: "200" } })).toBe(200);
    expect(lengthIn({ isTerminal: true, env: { COLUMNS: "wide" } })).toBe(80);
  });

  it("says below a command's table what was left out, and what would show it; a drawn screen has no room for that", () => {
    const note = "Columns left out: Sessions; Trend. To see all, set COLUMNS=52, or append | cat\n";
    const io = { isTerminal: true, columns: 44, isColor: false };
    const withNote = renderTable(columns, io);
    expect(withNote.replaceAll(/\n(?!$)/g, " ")).toMatch(new RegExp(`${note.replaceAll(/[.|]/g, String.raw`\$&`)}$`));
    expect(renderTable(columns, { ...io, columns: 80 })).not.toContain("left out");
    expect(show(44)).not.toContain("left out");
    const several = { headers: new Set<string>(), columns: 0 };
    expect(renderTable(columns, io, several)).not.toContain("left out");
    expect([...several.headers]).toEqual(["Sessions", "Trend"]);
  });

  it.each([17, 20, 28, 33, 40, 60, 80, 200])("is no wider than %d characters", (width) => {
    const widths = show(width)
      .split("\n")
      .map((line) => getTruncatedWidth(line).width);
    expect(Math.max(...widths)).toBeLessThanOrEqual(width);
  });

  it("shows no control characters of its texts", () => {
    const text = show(80, [{ header: "Tool", cells: ["a\u001b[2Jb\nc\u202ed"] }]);
    expect(text).toBe("Tool\nab cd\n");
  });

  it("keeps columns of one name apart", () => {
    expect(
      show(80, [
        { header: "", cells: ["a"] },
        { header: "", cells: ["b"] },
      ]),
    ).toBe("\na  b\n");
  });

  it.each([
    [
      [10, 5, 1, 0, -1],
      ["██████████", "█████", "█", "", ""],
    ],
    [
      [1000, 1],
      ["██████████", "▏"],
    ],
    [
      [0, 0],
      ["", ""],
    ],
  ])("has bars for %j", (bars, expected) => {
    const lines = show(13, [
      { header: "x", cells: bars.map(() => "x") },
      { header: "", cells: [], bars },
    ]).split("\n");
    expect(lines.slice(1, -1).map((line) => line.slice(3))).toEqual(expected);
  });

  it("fills a bar's column only at the value that it is given for that", () => {
    const columns: Column[] = [
      { header: "x", cells: ["x"] },
      { header: "", cells: [], bars: [0.5], barMax: 1 },
    ];
    expect(show(13, columns)).toBe("x\nx  █████\n");
  });
});
