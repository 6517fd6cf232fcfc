import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../src/jsonc/diff.ts";

const textOf = (before: string | undefined, after: string | undefined): string =>
  unifiedDiff("/home/me/s.json", before, after)
    .map(({ text }) => text)
    .join("\n");

describe("unifiedDiff", () => {
  it("shows three lines around a change", () => {
    expect(textOf("a\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n")).toBe(
      "--- /home/me/s.json\n+++ /home/me/s.json\n@@ -2,4 +2,4 @@\n b\n c\n d\n-e\n+E",
    );
  });

  it("says that a file is new or gone", () => {
    expect(textOf(undefined, "{}\n")).toBe("--- /dev/null\n+++ /home/me/s.json\n@@ -0,0 +1,1 @@\n+{}");
    expect(textOf("{}\n", undefined)).toBe("--- /home/me/s.json\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-{}");
  });

  it("shows a long line around what changes in it", () => {
    const before = `{"a":"${"x".repeat(5000)}","z":"${"y".repeat(5000)}"}`;
    const lines = unifiedDiff("f", before, before.replace('","z"', '","hooks":{},"z"'));
    expect(Math.max(...lines.map(({ text }) => text.length))).toBeLessThan(200);
    expect(lines.find(({ kind }) => kind === "added")?.text).toContain('"hooks":{}');
  });

  it.each([false, true])("shows no key that stands beside the change, however long the line (whole: %s)", (isWhole) => {
    const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const settings = { env: { GITHUB_TOKEN: token, PASSWORD: "vT7-kq2X-horse-9" } };
    for (const indent of [0, 2]) {
      const [before, after] = [settings, { ...settings, hooks: { Stop: [] } }].map((value) =>
        JSON.stringify(value, undefined, indent),
      );
      const text = unifiedDiff("s.json", before, after, isWhole)
        .map((line) => line.text)
        .join("\n");
      expect(text).toContain("GITHUB_TOKEN");
      expect(text).toContain("hooks");
      expect(text).not.toMatch(/ghp_|B4a|horse-9/);
    }
  });

  it("shows a long line that is put in or taken out whole, and one that stays by its beginning", () => {
    const long = "x".repeat(1000);
    expect(textOf("a\n", `a\n${long}\n`)).toContain(`\n+${long}`);
    expect(textOf(`a\n${long}\n`, "a\n")).toContain(`\n-${long}`);
    expect(textOf(`a\n${long}\n`, `b\n${long}\n`)).toMatch(/\n x{239}…$/);
  });

  it("prints nothing that a terminal obeys", () => {
    expect(textOf("a\n", "\u001B[31mred\u0007\r\n")).not.toMatch(/[\u001B\u0007\r]/);
  });
});
