import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { compileRegex, needsLibrary } from "../../../src/rules/schema/condition.ts";

describe("an expression of words", () => {
  it("needs no library, and any other one does", () => {
    for (const source of ["error", "(?i)error|fail|crash", "no such file|not-found", "a_1"]) {
      expect(needsLibrary(source), source).toBe(false);
    }
    for (const source of [
      "",
      "(?i)",
      "a|",
      "|a",
      "a||b",
      "a.b",
      "^a",
      "a+",
      "(a)",
      "(?m)a",
      "(?i)(?i)a",
      "ä",
      "a\nb",
      "a\n",
    ]) {
      expect(needsLibrary(source), JSON.stringify(source)).toBe(true);
    }
  });

  it("is found where RE2 finds it", () => {
    const signs = "aAkKsSiIzZ_ -1".split("");
    const sign = fc.constantFrom(...signs, "\u017F", "\u212A", "\u0131", "\u0130", "\n", "\uD83D", "é");
    const word = fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 3 });
    const sources = fc
      .tuple(fc.boolean(), fc.array(word, { minLength: 1, maxLength: 3 }))
      .map(([ignoresCase, words]) => `${ignoresCase ? "(?i)" : ""}${words.join("|")}`);
    fc.assert(
      fc.property(sources, fc.string({ unit: sign, maxLength: 8 }), (source, text) => {
        const compiled = compileRegex(source);
        const pattern = "pattern" in compiled ? compiled.pattern : undefined;
        expect(pattern?.kind === "regex" && pattern.isIn(text)).toBe(RE2JS.compile(source).matcher(text).find());
      }),
    );
  });
});
