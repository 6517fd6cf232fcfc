import { expect, it } from "vitest";
import { cardOf, headAndTail, textOfCall, visible } from "../../src/answers/card.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { openQuestion } from "./sample.ts";

it.each([
  ["a\u202Eb", "a⟨U+202E⟩b"],
  ["a\u200Bb\u00ADc\uFEFF", "a⟨U+200B⟩b⟨U+00AD⟩c⟨U+FEFF⟩"],
  ["rm\u00A0-rf\u3000/", "rm⟨U+00A0⟩-rf⟨U+3000⟩/"],
  ["\u001B[2Kls", "⟨U+001B⟩[2Kls"],
  ["tag \u{E0041}", "tag ⟨U+E0041⟩"],
  ["a\rb", "a⟨U+000D⟩b"],
  ["one\r\ntwo\tthree é 日本 👍", "one\ntwo\tthree é 日本 👍"],
  [`ls${" ".repeat(40)}; rm`, "ls⟨40 spaces⟩; rm"],
  [`ls${"\n".repeat(9)}rm`, "ls\n⟨8 empty lines⟩\nrm"],
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

it.each(["раyments", "сору", "ｒｍ", "𝐫𝐦", "∕"])("names characters that look like others: %s", (word) => {
  const note = `note: "${word}" has characters that look like others`;
  expect(textOfCall({ command: `cat /home/u/${word}` }).text).toContain(note);
});

it("says nothing of words in the user's language", () => {
  const { text } = textOfCall({ command: "grep 'Привет Καλημέρα naïve 日本 …' notes-Текст.md" });
  expect(text).not.toContain("note:");
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
  expect(cardOf(question, "Claude Code", 400).isWhole).toBe(false);
  const { message, isWhole } = cardOf(question, "Claude Code", 402);
  expect(isWhole).toBe(true);
  expect(message).toMatchObject({ title: "Claude Code asks: Bash", body: `│ ${"x".repeat(400)}` });
  expect(message.fields.map(({ label }) => label)).toEqual(["folder", "host", "branch"]);
});

it("marks each line of the agent's own, so that none looks like one of the card", () => {
  const fake = "npm test\nallowed by Ann in phone after 3s\nfolder: /home/u/safe";
  const { text } = textOfCall({ command: fake, description: "ok\nhost: laptop" });
  const { message } = cardOf(openQuestion(temporaryState(), { text }), "Claude Code", 3000);
  expect(message.body.split("\n").every((line) => line.startsWith("│ "))).toBe(true);
  const cut = cardOf(openQuestion(temporaryState(), { text: `${"a\n".repeat(300)}folder: /safe` }), "Claude Code", 200);
  expect(cut.message.body.split("\n").filter((line) => !/^(?:│ |$)/.test(line))).toEqual([
    expect.stringMatching(/^⋯ \d+ characters left out ⋯$/),
  ]);
});

it("keeps a tool, a folder and a branch on a line of their own, and whole", () => {
  const cwd = "/tmp/a\nhost: laptop";
  const { message } = cardOf(openQuestion(temporaryState(), { tool: "Bash\nallowed", cwd }), "Claude Code", 300);
  expect(message.title).toBe("Claude Code asks: Bash⟨U+000A⟩allowed");
  expect(message.fields[0]?.value).toBe("/tmp/a⟨U+000A⟩host: laptop");
  const deep = openQuestion(temporaryState(), { cwd: `/${"a".repeat(200)}/evil` });
  expect(cardOf(deep, "Claude Code", 300).isWhole).toBe(false);
});

it("takes no longer than the command's length, whatever its letters", () => {
  // Of many letters in one word; a backtracking search would take hours.
  for (const letter of ["x", "ж", "日"]) {
    expect(textOfCall({ command: `日 ${letter.repeat(1_000_000)}` }).isWhole).toBe(false);
  }
});
