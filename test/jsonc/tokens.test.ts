import fc from "fast-check";
import { expect, it } from "vitest";
import { tokensOf } from "../../src/jsonc/tokens.ts";
import { units } from "../support/faults/outside-text/growth.ts";

const rawOf = (text: string, keepsTrivia = false): string[] =>
  [...tokensOf(text, { keepsTrivia })].map(({ raw }) => raw);

it("ends after a comment that is not closed", () => {
  expect(rawOf(`${"x ".repeat(101)}/*`)).toEqual(Array(101).fill("x"));
  expect(rawOf('{ "a": 1 /* b', true)).toEqual(["{", " ", '"a"', ":", " ", "1", " ", "/* b"]);
});

it("gives every text back, in tokens that are not empty", () => {
  const texts = fc.array(fc.constantFrom(...units), { maxLength: 20 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const tokens = rawOf(text, true);
      expect(tokens.join("")).toBe(text);
      expect(tokens).not.toContain("");
    }),
  );
});

it("goes on where it is told to, and never back", () => {
  const tokens = tokensOf("a 'b \" c' d");
  const seen: string[] = [];
  for (const { raw, offset } of tokens) {
    seen.push(raw);
    tokens.goOnAt(raw.startsWith("'") ? offset + "'b \" c'".length : 0);
  }
  expect(seen).toEqual(["a", "'b", "d"]);
});
