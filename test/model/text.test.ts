import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, graphemesOf, headAndTail, measures, printable, printableLine } from "../../src/model/text.ts";
import { meantTexts, rawUnseen } from "../support/channels/unseen-texts.ts";

describe("cut", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["", 0, ""],
    ["a", 0, ""],
    ["👍👍👍", 2, "👍…"],
    ["👨‍👩‍👧‍👦 family", 3, "…"],
    ["e\u0301e\u0301e\u0301", 4, "e\u0301…"],
  ])("%j to %i code points is %j", (text, most, expected) => {
    expect(cut(text, most)).toBe(expected);
  });

  it("measures after escaping and never cuts an escape", () => {
    const escape = (text: string): string => text.replaceAll("&", "&amp;");
    expect(cut("&&&", 15, measures.codePoints, escape)).toBe("&amp;&amp;&amp;");
    expect(cut("&&&", 14, measures.codePoints, escape)).toBe("&amp;&amp;…");
    expect(cut("&&&", 10, measures.codePoints, escape)).toBe("&amp;…");
  });

  it.each(Object.entries(measures))("fits always, counted in %s", (_name, measure) => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 0, max: 80 }), (text, most) => {
        const result = cut(text, most, measure);
        expect(measure(result)).toBeLessThanOrEqual(Math.max(most, 0));
        if (measure(text) <= most) expect(result).toBe(text);
      }),
    );
  });

  it("does not choke on ten megabytes", () => {
    expect(cut("x".repeat(10_000_000), 5)).toBe("xxxx…");
  });
});

describe("headAndTail", () => {
  it("replaces more than it inserts, and cuts no grapheme", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", " ", "é", "👍", "👨‍👩‍👧‍👦", "日"), maxLength: 300 });
    fc.assert(
      fc.property(letters, fc.integer({ min: 40, max: 200 }), (text, most) => {
        const short = headAndTail(text, most);
        expect(short.length <= most && (text.length > most || short === text)).toBe(true);
        if (text.length <= most) return;
        expect(short).toMatch(/^[^]* … \d+ characters … [^]*$/);
        const [head = "", tail = ""] = short.split(/ … \d+ characters … /);
        const kept = [...graphemesOf(text)];
        for (const part of [head, tail]) for (const each of graphemesOf(part)) expect(kept).toContain(each);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      }),
    );
  });
});

describe("printable", () => {
  it.each([
    ["plain", "plain"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["\u001B[31mred\u001B[0m", "red"],
    ["\u001B]0;title\u0007text", "text"],
    ["\u009D0;title\u0007text", "text"],
    ["\u009D8;;https://x\u009Clink\u009D8;;\u009C", "link"],
    ["\u009B31mred\u009B0m", "red"],
    ["\u009Dno end: all of this is shown", "no end: all of this is shown"],
    ["\u001B]8;;https://x\u001B\\link\u001B]8;;\u001B\\", "link"],
    ["bell\u0007 nul\u0000 del\u007F c1\u009B31m", "bell nul del c1"],
    ["\u202Egnp.exe\u2066", "gnp.exe"],
    ["1\u061C-2\u200E", "1-2"],
    ["tab\tstays", "tab\tstays"],
    ["\uD800lone", "\uFFFDlone"],
    ["\u001BPq\u001B\\dcs", "dcs"],
  ])("%j becomes %j", (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it.each([
    ["ls\u200B -la", "ls⟨U+200B⟩ -la"],
    [`ls${"\u2800".repeat(36)}; rm`, "ls⟨U+2800, 36 times⟩; rm"],
    ["a\uFFFCb\u3164\u115Fc", "a⟨U+FFFC⟩b⟨U+3164⟩⟨U+115F⟩c"],
    ["1\uFE0F a\u200Db \u{1F3F4}\u{E0072}\u{E006D}\u{E007F}", "1⟨U+FE0F⟩ a⟨U+200D⟩b 🏴⟨U+E0072⟩⟨U+E006D⟩⟨U+E007F⟩"],
    ["a\u2028b", "a\nb"],
    ["m\u200C\u200Cن\u200C\u200Cن", "m⟨U+200C, 2 times⟩ن⟨U+200C, 2 times⟩ن"],
  ])("%j shows as %j", (text, expected) => {
    expect(printable(text)).toBe(expected);
    expect(printable(expected)).toBe(expected);
  });

  it("leaves nothing unseen of all that Unicode has", () => {
    let count = 0;
    for (let point = 0x80; point < 0x11_0000; point += 1) {
      const sign = String.fromCodePoint(point);
      if (!rawUnseen.test(sign)) continue;
      count += 1;
      expect(printable(`a${sign}b`)).toMatch(/^a(?:⟨U\+[\dA-F]+⟩)?b$/);
    }
    expect(count).toBeGreaterThan(4000);
  });

  it.each(meantTexts)("leaves %s as people write it", (text) => {
    expect(printableLine(text)).toBe(text);
  });

  it("makes one line of many", () => {
    expect(printableLine(" a\n\n b\t c \r\n")).toBe("a b c");
  });
});

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
