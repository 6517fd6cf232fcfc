import { describe, expect, it } from "vitest";
import { fitQuestionTitle, fitTitle, splitTitle } from "../../../src/channels/rendering/title.ts";
import type { Message } from "../../../src/model/message.ts";
import { everyRow } from "../../support/rows.ts";

const place = "acme-storefront-web (feature/checkout-redesign)";
const done = "Claude Code is done after 3m 5s";
const command = "run `git push --force-with-lease origin feature/checkout-redesign`?";
const message = (says: string, body = "", at = place): Message => ({
  title: `${at}: ${says}`,
  place: at,
  body,
  level: "success",
  fields: [],
});
const anything = (): boolean => true;

describe("fitTitle", () => {
  it("shortens the place, then the middle of the words", () =>
    everyRow(
      [
        [done, 80, `${place}: ${done}`],
        [done, 60, `acme-s…t-web (featur…esign): ${done}`],
        [done, 50, `feature/…redesign: ${done}`],
        [done, 35, done],
        [done, 20, "Claude C…after 3m 5s"],
        [command, 80, "featu…esign: run `git push --force-with-lease origin feature/checkout-redesign`?"],
        [command, 60, "run `git push --force-wi…origin feature/checkout-redesign`?"],
        [command, 1, "…"],
        [command, 0, ""],
      ],
      ([says, most, shown]) => {
        expect(fitTitle(message(says), "Stop", most)).toBe(shown);
        expect(Array.from(shown).length).toBeLessThanOrEqual(most);
      },
      (row) => JSON.stringify(row),
    ));

  it("shortens the longer of project and session", () => {
    expect(fitTitle(message(done, "", "shop (feature/checkout-redesign)"), "Stop", 55)).toBe(
      `shop (feature…edesign): ${done}`,
    );
    expect(fitTitle(message(done, "", "acme-storefront-web (main)"), "Stop", 55)).toBe(
      `acme-st…ont-web (main): ${done}`,
    );
  });

  it("escapes what is kept as a whole, so that no escape loses its neighbour", () => {
    const escape = (text: string): string => text.replace(/\{(?=\{)/g, "{ ");
    const shown = fitTitle({ title: "{{".repeat(40) }, "Stop", 50, undefined, escape);
    expect(shown).not.toContain("{{");
    expect(shown.length).toBeLessThanOrEqual(50);
  });

  it("takes a place that the title does not begin with for none", () => {
    const renamed = { ...message(done), title: "5 sessions wait for you" };
    expect(fitTitle(renamed, "Stop", 80)).toBe("5 sessions wait for you");
    expect(splitTitle(renamed, "Stop", anything)).toEqual({ title: "5 sessions wait for you", above: "" });
  });
});

describe("splitTitle", () => {
  it("keeps the title on one line of a phone", () =>
    everyRow(
      [
        ["run `npm test`?", "shop", "", "shop: run `npm test`?", ""],
        [done, place, "", `fea…ign: ${done}`, place],
        [done, "hookbell", "", `hoo…ell: ${done}`, "hookbell"],
        [done, "hookbell (words)", "", `words: ${done}`, "hookbell (words)"],
        [
          "Codex is done after 3m 5s",
          "hookbell (words)",
          "",
          "ho…ll (words): Codex is done after 3m 5s",
          "hookbell (words)",
        ],
        ["Claude Code was stopped by an error", "hookbell", "", "Claude Code was stopped by an error", "hookbell"],
        [command, "shop", "", "run `git push --…ure/checkout-redesign`?", `shop: ${command}`],
        // The body has the whole command already.
        [command, "shop", `${command}\nClaude Code waits.`, "run `git push --…ure/checkout-redesign`?", "shop"],
      ],
      ([says, at, body, title, above]) => {
        expect(splitTitle(message(says, body, at), "Stop", anything)).toEqual({ title, above });
      },
      (row) => JSON.stringify(row),
    ));

  it("leaves a rule's own title as long as the receiver takes it", () => {
    const own: Message = { ...message(done), title: "word ".repeat(20).trim(), place: undefined };
    expect(splitTitle(own, "Stop", anything)).toEqual({ title: own.title, above: "" });
    const { title, above } = splitTitle(own, "Stop", (text) => text.length <= 30);
    expect(title).toMatch(/^word .*….* word$/);
    expect(above).toBe(own.title);
  });
});

it("a question's title has the place as far as one line has room, since its card tells the folder", () => {
  expect(fitQuestionTitle(message("run `npm test`?"), "Stop", anything)).toBe(
    "acme-…-web (featu…sign): run `npm test`?",
  );
  expect(fitQuestionTitle(message(command), "Stop", anything)).toBe("run `git push --…ure/checkout-redesign`?");
});
