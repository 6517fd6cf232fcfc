import { expect, it } from "vitest";
import { fitTitle } from "../../../src/channels/rendering/title.ts";
import { everyRow } from "../../support/rows.ts";

it("a title is cut at its end, between words where one ends near", () =>
  everyRow(
    [
      ["shop: asks to run a command", 40, "shop: asks to run a command"],
      ["shop: asks to run a command", 20, "shop: asks to run a…"],
      ["shop: asks to run a command", 19, "shop: asks to run…"],
      ["shop: asks to run a command", 1, "…"],
      ["shop: asks to run a command", 0, ""],
      [`${"x".repeat(40)} is done`, 30, `${"x".repeat(29)}…`],
      ["a b", 2, "a…"],
      ["👨‍👩‍👧 family", 3, "…"],
      ["", 20, "Stop"],
    ],
    ([title, most, shown]) => {
      expect(fitTitle({ title }, "Stop", most)).toBe(shown);
      expect(Array.from(shown).length).toBeLessThanOrEqual(most);
    },
    (row) => JSON.stringify(row),
  ));

it("what is kept is escaped as a whole, so that no escape loses its neighbour", () => {
  const escape = (text: string): string => text.replace(/\{(?=\{)/g, "{ ");
  const shown = fitTitle({ title: "{{".repeat(40) }, "Stop", 50, undefined, escape);
  expect(shown).not.toContain("{{");
  expect(shown.length).toBeLessThanOrEqual(50);
});
