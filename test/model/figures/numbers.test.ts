// Numbers in short, shares, changes and sparklines.
import { describe, expect, it } from "vitest";
import {
  formatChange,
  formatNumber,
  formatShare,
  formatShort,
  sparkline,
  withChange,
} from "../../../src/model/figures/numbers.ts";

describe("a number", () => {
  it.each([
    [0, "0"],
    [1204, "1,204"],
    [9_999_999, "9,999,999"],
    [12_345_678, "12,345,678"],
    [12_345_678.25, "12,345,678.25"],
    [2_500_000_000, "2,500,000,000"],
    [4.5833, "4.58"],
    [0.25, "0.25"],
    [1234.5, "1,234.5"],
    [-7, "-7"],
  ])("%d is %s", (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

describe("a number without much room", () => {
  it.each([
    [9_999_999, "9,999,999"],
    [12_345_678, "12.3M"],
    [2_500_000_000, "2.5B"],
    [0.25, "0.25"],
  ])("%d is %s", (value, text) => {
    expect(formatShort(value)).toBe(text);
  });
});

describe("a change", () => {
  it.each([
    [112, 100, "+12 %"],
    [50, 100, "-50 %"],
    [100, 100, "±0 %"],
    [100.2, 100, "±0 %"],
    [0, 100, "-100 %"],
    [5, 0, "new"],
    [0, 0, ""],
    [5, undefined, ""],
  ])("to %d from %s is %j", (now, before, text) => {
    expect(formatChange(now, before)).toBe(text);
  });
});

it.each([
  [61, 212, "61 (-71 %)"],
  [1300, 1000, "1,300 (+30 %)"],
  [7, 7, "7"],
  [5, 0, "5"],
])("%d beside %d is %j", (now, before, text) => {
  expect(withChange(now, before)).toBe(text);
});

it.each([
  [1, 3, "33.3 %"],
  [3, 3, "100 %"],
  [0, 0, ""],
])("%d of %d is %j", (part, total, text) => {
  expect(formatShare(part, total)).toBe(text);
});

describe("a sparkline", () => {
  it.each([
    [[0, 1, 2, 3, 4, 5, 6, 7], "▁▂▃▄▅▆▇█"],
    [[0, 0], "▁▁"],
    [[5], "█"],
    [[], ""],
    [[-3, 3], "▁█"],
  ])("of %j is %j", (values, text) => {
    expect(sparkline(values)).toBe(text);
  });

  it("leaves out what is not known", () => {
    expect(sparkline([7, undefined, 0])).toBe("█ ▁");
    expect(sparkline([undefined, 7, undefined, undefined], 2)).toBe("█ ");
  });

  it("averages what does not fit", () => {
    expect(sparkline([0, 0, 7, 7], 2)).toBe("▁█");
    expect([...sparkline(Array.from({ length: 365 }, (_, day) => day))]).toHaveLength(30);
  });
});
