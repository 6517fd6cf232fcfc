// Readers of texts from outside end, and their time grows with the length of the text alone.
import { describe, expect, it } from "vitest";
import { growthProblem, repeated, timeOf, units } from "../../support/faults/outside-text/growth.ts";
import { outsideParsers } from "../../support/faults/outside-text/parsers.ts";
import { everyRow } from "../../support/rows.ts";

/** In UTF-16 units. So short a text finds loops without an end; test/endurance/texts/outside-text.test.ts takes longer ones. */
const length = 256;

function readAnyhow(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch {
    // What is refused is read, too.
  }
}

it("every reader of texts from outside ends for every text", () =>
  everyRow(Object.entries(outsideParsers), ([_, { read, around = [] }]) => {
    const endless = [["", ""] as const, ...around].flatMap((each) => {
      const texts = units.map((unit) => repeated(unit, each)(length));
      // A watchdog for each text costs more than what it watches: only where one of them has no end, each is tried alone.
      if (timeOf(() => texts.forEach((text) => readAnyhow(read, text)), "") !== "endless") return [];
      const found = texts.filter((text) => timeOf(read, text) === "endless");
      return found.length > 0 ? found : ["all of them together"];
    });
    expect(endless).toEqual([]);
  }));

describe("time grows with the length of a text", () => {
  it.each([
    ["a hook's command", "\n", 96 * 1024],
    ["settings in strict JSON", "// x\n", 256 * 1024],
    ["settings with comments", ",", 256 * 1024],
    ["settings in TOML", "[[hooks]]\nevent='x'\n", 16 * 1024 * 1024],
    ["the allow list", "/", 16 * 1024],
    ["the rules file", '\\"', 64 * 1024],
  ])("of %s that repeats %j", (name, unit, most) => {
    const parser = outsideParsers[name];
    if (parser === undefined) throw new Error(`there is no parser of ${name}`);
    const problems = [["", ""] as const, ...(parser.around ?? [])].flatMap(
      (around) => growthProblem(parser.read, repeated(unit, around), most) ?? [],
    );
    expect(problems).toEqual([]);
  });
});
