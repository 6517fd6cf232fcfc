import * as fc from "fast-check";
import { expect, it } from "vitest";
import { cut, graphemesOf } from "../../src/model/text.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const unit = fc.constantFrom("a", "\u0301", "😀", "👩‍👩‍👧", "🇩🇪", "\r\n", "\uD800", "한");

it("finds the same graphemes in windows as in one piece", () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 1500, size: "max" }), (parts) => {
      const text = parts.join("");
      expect([...graphemesOf(text)]).toEqual([...segmenter.segment(text)].map(({ segment }) => segment));
    }),
    { numRuns: 50 },
  );
});

it("loses nothing of a letter with more marks than a window holds", () => {
  const text = `e${"\u0301".repeat(5000)}😀`;
  expect([...graphemesOf(text)].join("")).toBe(text);
});

it("cuts a text of millions of characters, which is not to take a test's whole time", () => {
  const text = "ä\n".repeat(2_000_000);
  expect(cut(text, 20_000)).toBe(`${text.slice(0, 19_999)}…`);
});
