import { expect, it } from "vitest";
import { cardOf, headAndTail, textOfCall, visible } from "../../../src/dispatch/answers/card.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";
import { openQuestion } from "./sample.ts";

it.each([
  ["a\u202Eb", "a⟨U+202E⟩b"],
  ["a\u200Bb\u00ADc\uFEFF", "a⟨U+200B⟩b⟨U+00AD⟩c⟨U+FEFF⟩"],
  ["rm\u00A0-rf\u3000/", "rm⟨U+00A0⟩-rf⟨U+3000⟩/"],
  ["\u001B[2Kls", "⟨U+001B⟩[2Kls"],
  ["tag \u{E0041}", "tag ⟨U+E0041⟩"],
  ["a\rb", "a⟨U+000D⟩b"],
  ["one\r\ntwo\tthree é 日本 👍", "one\ntwo\tthree é 日本 👍"],
])("shows what cannot be seen: %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
});

it("shows every field of the input, what is run first", () => {
  const { text, isWhole } = textOfCall({ description: "tests", command: "npm test", dangerouslyDisableSandbox: true });
  expect(text).toBe("npm test\ndescription: tests\ndangerouslyDisableSandbox: true");
  expect(isWhole).toBe(true);
  expect(textOfCall({ file_path: "/p/a.ts", old_string: "a\nb", new_string: "c" }).text).toBe("/p/a.ts\n- a\n- b\n+ c");
});

it("is not whole where a credential is masked: anything could be behind it", () => {
  const { text, isWhole } = textOfCall({ command: "curl -H 'Authorization: Bearer abcdefghijklmnop1234' x.org" });
  expect(text).not.toContain("abcdefghijklmnop1234");
  expect(text).toContain("curl -H");
  expect(isWhole).toBe(false);
});

it("names a word of several alphabets", () => {
  expect(textOfCall({ command: "cat /home/u/раyments" }).text).toContain('note: "раyments" mixes letters');
});

it("keeps the beginning and the end of a long command, counts the rest, and does not call it whole", () => {
  const command = `echo start ${"x".repeat(1_000_000)} ; rm -rf ~`;
  const { text, isWhole } = textOfCall({ command });
  expect(text.length).toBeLessThan(70_000);
  expect(text).toMatch(/^echo start [^]*⋯ \d+ characters left out ⋯[^]* ; rm -rf ~$/);
  expect(isWhole).toBe(false);
  expect(headAndTail("abc", 3)).toEqual({ text: "abc", isWhole: true });
});

it("is whole only in a channel that shows all of it", () => {
  const question = openQuestion(temporaryState(), { text: "x".repeat(400), branch: "main" });
  expect(cardOf(question, "Claude Code", 300).isWhole).toBe(false);
  const { message, isWhole } = cardOf(question, "Claude Code", 400);
  expect(isWhole).toBe(true);
  expect(message).toMatchObject({ title: "Claude Code asks: Bash", body: "x".repeat(400) });
  expect(message.fields.map(({ label }) => label)).toEqual(["folder", "host", "branch"]);
});
