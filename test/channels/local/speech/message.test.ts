import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxSpoken, toSpokenText } from "../../../../src/channels/local/speech/message.ts";
import { speech } from "../../../../src/channels/local/speech/speech.ts";
import { parseMarkdown } from "../../../../src/model/rich-text/parse-markdown.ts";
import { adversarialTexts } from "../../../support/channels/adversarial-texts.ts";
import { anyText } from "../../../support/random/any-text.ts";
import { slowRuns } from "../../../support/random/slow-runs.ts";
import { everyRow } from "../../../support/rows.ts";

const say = (title: string, body = ""): string =>
  toSpokenText(
    { title, body, blocks: parseMarkdown(body), level: "info", fields: [{ label: "never", value: "said" }] },
    "Stop",
  );

describe("toSpokenText", () => {
  it("says what a person would read aloud", () =>
    everyRow(
      [
        ["All *214* tests `pass`.", "All 214 tests pass."],
        ["See https://ci.example.org:8080/job/1?token=s3cret#x.", "See ci.example.org"],
        ["See [the log](https://www.example.org/a_b) there", "See the log there"],
        ["Done:\n```js\nconst x = 1;\n```\nfine", "Done: fine"],
        ["Open fence\n```js\nconst x = 1;", "Open fence"],
        ["In /home/me/shop/src/cart.ts and ~/a/b/", "In cart.ts and b"],
        ["# Title\n- one\n- two?\n\n| a | b |\n|---|---|\n| c | d |", "Title. one, two?"],
        ["<b>bold</b> and a < b", "bold and a b"],
        ["[[rate 500]] x [[[[volm 1]]]]", "rate 500 x volm 1"],
        ["!-!SET self VOLUME 100", "SET self VOLUME 100"],
        ["!-!-!!x", "!!x"],
        ["--help", "help"],
        ["7/8 of 3/4 tests", "7/8 of 3/4 tests"],
      ],
      ([body, expected]) => {
        expect(say("t", body)).toBe(`t. ${expected}`);
      },
      (row) => JSON.stringify(row),
    ));

  it("puts no second full stop behind a title, and always says something", () => {
    expect(say("Ready?", "Yes")).toBe("Ready? Yes");
    expect(say("***", "")).toBe("hookbell");
    expect(say("", "")).toBe("Stop");
  });

  it.each(["x", "😀"])("cuts after its limit: %s", (sign) => {
    const room = maxSpoken - "t. ".length;
    expect(say("t", sign.repeat(room))).toBe(`t. ${sign.repeat(room)}`);
    expect(say("t", sign.repeat(room + 1))).toBe(`t. ${sign.repeat(room - 1)}…`);
  });

  it("is one line without commands to any program, whatever the text", () => {
    const expectSpeakable = (title: string, body: string): void => {
      const text = say(title, body);
      expect(text).not.toMatch(/\[\[|\]\]|!-!|[\u0000-\u001F\u007F-\u009F]/);
      expect(text).toMatch(/^[^-\s]/);
      expect([...text].length).toBeLessThanOrEqual(maxSpoken);
      expect(text.isWellFormed()).toBe(true);
    };
    for (const text of adversarialTexts) {
      expectSpeakable(text, "b");
      expectSpeakable("t", text);
    }
    const wild = fc.oneof(
      fc.string({ unit: fc.constantFrom("[", "]", "!", "-", "`", "<", ">", "a", "\n", " ", "\u001B") }),
      anyText(400),
    );
    fc.assert(fc.property(wild, wild, expectSpeakable), { numRuns: slowRuns(300) });
  });
});

describe("the settings of speech", () => {
  it("may not be what a program would obey", () =>
    everyRow(
      [
        { voice: "-w/tmp/x" },
        { voice: "?" },
        { voice: "a\nb" },
        { language: "-m" },
        { language: "english please" },
        { rate: 20 },
        { rate: 100.5 },
        { volume: 1.1 },
        { programs: [] },
        { programs: ["rm"] },
      ],
      (settings) => {
        expect(speech.settings.safeParse(settings).success).toBe(false);
      },
    ));
});
