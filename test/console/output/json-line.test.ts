import { describe, expect, it } from "vitest";
import { jsonLine } from "../../../src/console/output/text.ts";

describe("jsonLine", () => {
  it.each([
    ["plain", '"plain"\n'],
    ["ü 漢 🎉", '"ü 漢 🎉"\n'],
    ["\u001b[31m", '"\\u001b[31m"\n'],
    ["\u007f\u009b31m", '"\\u007f\\u009b31m"\n'],
    ["\u202eabc\u2066", '"\\u202eabc\\u2066"\n'],
    ["a\nb", '"a\\nb"\n'],
    ["\ud800", '"\\ud800"\n'],
  ])("writes %j as one harmless line", (value, line) => {
    expect(jsonLine(value)).toBe(line);
    expect(JSON.parse(line)).toBe(value);
  });

  it("escapes within keys and nested values", () => {
    expect(jsonLine({ "\u009b": [{ a: "\u202e" }] })).toBe('{"\\u009b":[{"a":"\\u202e"}]}\n');
  });
});
