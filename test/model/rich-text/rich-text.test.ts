// Markdown is read into a rich text, which is cut at any position and written as plain text.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../src/model/rich-text/parse-markdown.ts";
import { lengthOf, plainBlocks, sliceBlocks } from "../../../src/model/rich-text/rich-text.ts";
import { render } from "../../../src/model/rich-text/render.ts";
import { adversarialTexts } from "../../support/channels/adversarial-texts.ts";
import { finalMessages } from "./final-messages.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";
import { everyRow } from "../../support/rows.ts";

const plain = (markdown: string): string => render(parseMarkdown(markdown));

describe("Markdown as plain text", () => {
  it.each([
    ["## Done ... **the checkout**", "Done ... the checkout"],
    ["*a* _b_ **c** __d__ ~~e~~ `f`", "a b c d e f"],
    ["snake_case 2 * 3 * 4 a_b_c *.ts", "snake_case 2 * 3 * 4 a_b_c *.ts"],
    ["one\ntwo  \nthree", "one\ntwo\nthree"],
    ["one\n\n\n\ntwo", "one\n\ntwo"],
    ["- a\n- b\n  - c\n  - d\n- e", "• a\n• b\n  • c\n  • d\n• e"],
    ["3. a\n4. b\n   more", "3. a\n4. b\n   more"],
    ["> q\n> r\n>\n> > s", "> q\n> r\n> \n> > s"],
    ["```ts\nif (a < b) {\n  c();\n}\n```", "if (a < b) {\n  c();\n}"],
    ["    indented\n      more", "indented\n  more"],
    ["| a | b |\n|---|--:|\n| 1 | `x|y` |", "a | b\n1 | `x"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["<b>x</b> &amp; &lt;", "<b>x</b> & <"],
    ["\\*a\\* \\# b", "*a* # b"],
    ["", ""],
    [" \n\t\n", ""],
  ])("shows no sign of %j but its words", (markdown, text) => {
    expect(plain(markdown)).toBe(text);
  });
});

describe("a link", () => {
  it.each([
    ["[the docs](https://example.org/a?b=c)", "the docs (example.org)"],
    ["[https://good.example](https://evil.example/x)", "https://good.example (evil.example)"],
    ["<https://example.org/a_b>", "https://example.org/a_b"],
    ["see https://example.org/a_b_c, or not", "see https://example.org/a_b_c, or not"],
    ["[x](https://example.org:8443/)", "x (example.org:8443)"],
    ["![chart](https://img.example/c.png)", "chart (img.example)"],
    ["[cart.ts](src/cart.ts)", "cart.ts"],
    ["[x](javascript:alert(1)) [y](data:text/html,z)", "[x](javascript:alert(1)) [y](data:text/html,z)"],
    ["[mail](mailto:a@example.org)", "mail"],
    ["shop.example and a@example.org", "shop.example and a@example.org"],
    ["[**bold** `code`](https://example.org)", "bold code (example.org)"],
  ])("%j shows its host", (markdown, text) => {
    expect(plain(markdown)).toBe(text);
  });

  it("is written with an address that no syntax ends early", () => {
    const [link] = parseMarkdown("[x](<https://example.org/a(b)|c'd\"e>)");
    const written = render(link === undefined ? [] : [link], {
      text: (text) => text,
      break: "",
      strong: String,
      emphasis: String,
      strike: String,
      code: String,
      link: (inner, url, aside) => `${inner}=${url}${aside}`,
      paragraph: String,
      heading: String,
      codeBlock: String,
      quote: String,
      list: (items) => items.join(""),
      table: () => "",
      rule: "",
      gap: "",
    });
    expect(written).toBe("x=https://example.org/a%28b%29%7Cc%27d%22e (example.org)");
  });
});

describe("a slice", () => {
  it("of the last message of any turn and the rest are the whole", () =>
    everyRow(
      finalMessages.map(({ text }) => [text.slice(0, 30), text] as const),
      ([_, text]) => {
        const blocks = parseMarkdown(text);
        const total = lengthOf(blocks);
        for (const at of [0, 1, 2, 17, Math.floor(total / 2), total - 1, total]) {
          const [start, rest] = [sliceBlocks(blocks, 0, at), sliceBlocks(blocks, at, total)];
          expect(lengthOf(start) + lengthOf(rest)).toBe(total);
          expect(lengthOf(start)).toBeLessThanOrEqual(at);
          expect(render(start).isWellFormed()).toBe(true);
        }
      },
    ));

  it("goes on with the numbers of a list", () => {
    const blocks = parseMarkdown("1. aa\n2. bb\n3. cc");
    expect(render(sliceBlocks(blocks, 2, 6))).toBe("2. bb\n3. cc");
    expect(render(sliceBlocks(blocks, 3, 6))).toBe("2. b\n3. cc");
  });

  it("never cuts a grapheme", () => {
    const blocks = plainBlocks("a👩‍👩‍👧‍👦b");
    expect(render(sliceBlocks(blocks, 0, 5))).toBe("a");
    expect(render(sliceBlocks(blocks, 5, 14))).toBe("👩‍👩‍👧‍👦b");
  });
});

describe("a text without Markdown", () => {
  it("keeps its lines, and its paragraphs", () => {
    expect(render(plainBlocks("\n a\n  b\n\n \n\nc *d*\n"))).toBe("a\n  b\n\nc *d*");
  });
});

it("reads whatever is written, in time that grows with its length", () => {
  const nasty = ["_a", "a.", "*a **b", "[a](", "> ", "`", "<a ", "~a~", "|a", "a@", "[".repeat(50), "![[]()", "&#x"];
  for (const unit of nasty) expect(parseMarkdown(unit.repeat(slowRuns(200_000) / unit.length))).toBeDefined();
  for (const text of adversarialTexts) expect(render(parseMarkdown(text)).isWellFormed()).toBe(true);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...nasty, "\n", "\n\n", "- ", "1. ", "text ", "```", "    "), { maxLength: 200 }),
      (pieces) => {
        expect(render(parseMarkdown(pieces.join(""))).isWellFormed()).toBe(true);
      },
    ),
    { numRuns: slowRuns(100) },
  );
});
