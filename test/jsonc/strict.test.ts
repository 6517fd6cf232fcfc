import { describe, expect, it } from "vitest";
import { readStrictJson } from "../../src/jsonc/strict.ts";

describe("readStrictJson", () => {
  it("reads JSON with or without a byte order mark", () => {
    expect(readStrictJson('\uFEFF{"a":[1]}\n')).toEqual({ value: { a: [1] } });
  });

  it.each<[string, string, object]>([
    ["nothing", " \n", { fault: "it is empty" }],
    [
      "a word",
      '{\n  "a": s3cret\n}',
      { fault: expect.stringMatching(/^it is not JSON \(/), position: { line: 2, column: 8 } },
    ],
    [
      "a comment",
      "{} // s3cret",
      { fault: expect.stringMatching(/^it is not JSON \(/), position: { line: 1, column: 4 } },
    ],
    [
      "a comma too many",
      '["s3cret",]',
      { fault: expect.stringMatching(/^it is not JSON \(/), position: { line: 1, column: 11 } },
    ],
    ["a control character", '"s3cret\u0001"', { fault: expect.stringMatching(/^it is not JSON/) }],
    ["UTF-16", "\uFFFD\uFFFDs\u0000", { fault: "it is not UTF-8 text" }],
    ["too many brackets", "[".repeat(200_000), { fault: expect.any(String) }],
  ])("says where %s is, and repeats nothing", (_what, text, expected) => {
    const reading = readStrictJson(text);
    expect(reading).toMatchObject(expected);
    expect(JSON.stringify(reading)).not.toContain("s3cret");
  });
});
