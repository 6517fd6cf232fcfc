// The design tokens of the page: what is text can be read on each ground, in light and dark, and no colour stands elsewhere.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** A page without a wing has no styles of its tab. */
const read = (file: string): string => {
  const path = fileURLToPath(new URL(`../../../web/${file}`, import.meta.url));
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
const page = read("page.css");
const usage = read("usage/usage.css");

type Tokens = Readonly<Record<string, string>>;

/** The custom properties of each block of `:root`: light, then what dark changes. */
function tokensOf(styles: string): { light: Tokens; dark: Tokens } {
  const blocks = [...styles.matchAll(/:root \{([^}]*)\}/g)].map(([, block = ""]) =>
    Object.fromEntries([...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value])),
  );
  const [light = {}, dark = {}] = blocks;
  return { light, dark: { ...light, ...dark } };
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const grounds = ["back", "card"];
/** What is written or drawn, on what, with how much contrast. */
const pairs: readonly [string, readonly string[], number][] = [
  ["text", [...grounds, "past", "need-back"], 4.5],
  ["soft", [...grounds, "past"], 4.5],
  ["link", [...grounds, "need-back"], 4.5],
  ["need", [...grounds, "need-back"], 4.5],
  ["allow", grounds, 4.5],
  ["on-allow", ["allow"], 4.5],
  ["card", ["need"], 4.5],
  ["edge", grounds, 3],
  ...["turns", "waits", "failures"].map((mark) => [mark, [...grounds, "past"], 3] as [string, string[], number]),
];

describe.each(["light", "dark"] as const)("the colours of the page, %s,", (scheme) => {
  const tokens = tokensOf(page)[scheme];

  it.each(pairs)("%s can be told from its grounds", (name, under, least) => {
    for (const ground of under) {
      expect(contrast(tokens[name] ?? "", tokens[ground] ?? ""), `${name} on ${ground}`).toBeGreaterThanOrEqual(least);
    }
  });

  it("each series of a chart can be told from its card", () => {
    const series = Object.entries(tokensOf(usage)[scheme]).filter(([name]) => name.startsWith("series"));
    expect(series).toHaveLength(usage === "" ? 0 : 8);
    for (const [name, colour] of series) {
      expect(contrast(colour, tokens.card ?? ""), name).toBeGreaterThanOrEqual(3);
    }
  });
});

it("no colour, and no size of text, stands outside of the tokens", () => {
  for (const styles of [page, usage]) {
    const rules = styles.replaceAll(/:root \{[^}]*\}/g, "").replaceAll(/\/\*[^]*?\*\//g, "");
    expect(rules.match(/(?<![\w-])#[\da-f]{3,8}\b|\brgba?\(|\bhsl\(/g) ?? []).toEqual([]);
    expect(rules.match(/font-size: (?!var\(--|inherit)[^;]+/g) ?? []).toEqual([]);
  }
  const { light, dark } = tokensOf(page);
  const used = new Set([...`${page}${usage}`.matchAll(/var\(--([\w-]+)\)/g)].map(([, name = ""]) => name));
  const known = new Set([...Object.keys({ ...light, ...dark }), ...Object.keys(tokensOf(usage).light)]);
  // How many lines a row has is no token.
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !used.has(name))).toEqual([]);
});
