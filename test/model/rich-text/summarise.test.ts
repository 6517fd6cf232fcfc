// A summary keeps the beginning and the closing question of what agents write at the end of a turn.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../src/model/rich-text/parse-markdown.ts";
import { render } from "../../../src/model/rich-text/render.ts";
import { summarise } from "../../../src/model/rich-text/summarise.ts";
import { measures } from "../../../src/model/text.ts";
import { finalMessages } from "./final-messages.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";
import { everyRow } from "../../support/rows.ts";

const plain = (markdown: string): string => render(parseMarkdown(markdown));
const words = (text: string): string => text.replace(/\s+/g, " ");

it("is tried with sixty messages", () => {
  expect(finalMessages.length).toBeGreaterThanOrEqual(60);
});

describe("the summary of the last message of any turn", () => {
  const everyMessage = (check: (message: (typeof finalMessages)[number]) => void): Promise<void> =>
    everyRow(finalMessages, check, ({ text }) => JSON.stringify(text.slice(0, 40)));

  it("keeps its first sentence and its end in 300 characters", () =>
    everyMessage(({ text, first, last }) => {
      const summary = summarise(text, 300);
      expect(measures.codePoints(summary)).toBeLessThanOrEqual(300);
      expect(plain(summary)).toContain("…");
      expect(words(plain(summary))).toContain(words(plain(first)));
      expect(words(plain(summary))).toContain(words(plain(last)));
    }));

  it("stays within any limit, and is Markdown of whole formats", () =>
    everyMessage(({ text }) => {
      for (const limit of [0, 1, 5, 20, 60, 120, 200]) {
        const summary = summarise(text, limit);
        expect(measures.codePoints(summary)).toBeLessThanOrEqual(limit);
        // Shown as text it has no signs of formats that were cut in two.
        expect(plain(summary)).not.toMatch(/\*\*|~~|```|\]\(/);
      }
    }));
});

it("leaves a text alone that fits", () => {
  const text = "*Almost*  as it   was\n\n\n- x";
  expect(summarise(text, 300)).toBe(text);
});

it("keeps what is no format as it is", () => {
  const text = `Use \\*args, \\_private, # 7 and a < b. ${"Word ".repeat(100)}\n\n1\\. Is \\[x\\](y) fine?`;
  expect(plain(summarise(text, 200))).toMatch(
    /^Use \*args, _private, # 7 and a < b\. [^]*…\n\n1\. Is \[x\]\(y\) fine\?$/,
  );
});

it("prefers the question to the second half of a long first sentence", () => {
  const first = `I have changed ${"a lot of things and ".repeat(20)} that is it.`;
  expect(summarise(`${first}\n\nMay I push?`, 100)).toMatch(/^I have changed a lot .*…\n\nMay I push\?$/);
});

it("keeps to the limit whatever is written", () => {
  const markdown = fc.array(
    fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(..."*_`#>-[]()|~\n\n ?.1".split(""))),
    {
      maxLength: 300,
    },
  );
  fc.assert(
    fc.property(markdown, fc.integer({ min: 0, max: 120 }), (pieces, limit) => {
      const summary = summarise(pieces.join(""), limit);
      expect(measures.codePoints(summary)).toBeLessThanOrEqual(limit);
      expect(summary.isWellFormed()).toBe(true);
    }),
    { numRuns: slowRuns(300) },
  );
});
