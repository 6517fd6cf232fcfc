import { expect, it } from "vitest";
import { cardOf, textOfCall, visible } from "../../../src/answers/card/card.ts";
import { writeCard } from "../../../src/channels/rendering/card.ts";
import { measures } from "../../../src/model/text.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";
import { openQuestion } from "../sample.ts";
import { everyRow } from "../../support/rows.ts";

it("shows what cannot be seen", () =>
  everyRow(
    [
      ["a\u202Eb", "a⟨U+202E⟩b"],
      ["a\u200Bb\u00ADc\uFEFF", "a⟨U+200B⟩b⟨U+00AD⟩c⟨U+FEFF⟩"],
      ["rm\u00A0-rf\u3000/", "rm⟨U+00A0⟩-rf⟨U+3000⟩/"],
      ["\u001B[2Kls", "⟨U+001B⟩[2Kls"],
      ["tag \u{E0041}", "tag ⟨U+E0041⟩"],
      ["a\rb", "a⟨U+000D⟩b"],
      ["one\r\ntwo\tthree é 日本 👍", "one\ntwo⇥three é 日本 👍"],
      ["ls \u2800\uFFFC\u{1D159}\u3164\u115F", "ls ⟨U+2800⟩⟨U+FFFC⟩⟨U+1D159⟩⟨U+3164⟩⟨U+115F⟩"],
      ["ls \u{13441}\u{13442}\u{16FE4}a\u{1107F}", "ls ⟨U+13441⟩⟨U+13442⟩⟨U+16FE4⟩a⟨U+1107F⟩"],
      ["x\u{11F42}\u1A60\u17D2\u1039y", "x⟨U+11F42⟩⟨U+1A60⟩⟨U+17D2⟩⟨U+1039⟩y"],
      ["e\u0301\u17D2 /\u1039", "e\u0301⟨U+17D2⟩ /⟨U+1039⟩"],
      ["ខ្មែរ မြန်မာ ไทย বাংলা தமிழ் שָׁלוֹם مَرْحَبًا か\u3099 བོད་", "ខ្មែរ မြန်မာ ไทย বাংলা தமிழ் שָׁלוֹם مَرْحَبًا か\u3099 བོད་"],
      ["ᎡᎳ", "⟨U+13A1⟩⟨U+13B3⟩"],
      [`ls${" ".repeat(29)}; rm`, "ls⟨29 spaces⟩; rm"],
      [`ls${"\n \t".repeat(5)}\nrm`, "ls\n⟨5 empty lines⟩\nrm"],
      ["def f():\n        return 1", "def f():\n        return 1"],
      [`e${"\u0301".repeat(40)}x`, "e⟨40 combining marks⟩x"],
      ["ệ e\u0323\u0302 हिन्दी", "ệ e\u0323\u0302 हिन्दी"],
      [`ls${" ".repeat(40)}; rm`, "ls⟨40 spaces⟩; rm"],
      [`ls${"\n".repeat(9)}rm`, "ls\n⟨8 empty lines⟩\nrm"],
    ],
    ([text, shown]) => {
      expect(visible(text)).toBe(shown);
    },
    (row) => JSON.stringify(row),
  ));

it("shows every field of the input, what is run first", () => {
  const { text, isWhole } = textOfCall({ description: "tests", command: "npm test", dangerouslyDisableSandbox: true });
  expect(text).toBe("npm test\ndescription: tests\ndangerouslyDisableSandbox: true");
  const call = { query: `DROP TABLE users; ${"-".repeat(40)}`, database: "live", limit: 3 };
  expect(textOfCall(call).text).toBe(`limit: 3\ndatabase: live\nquery: ${call.query}`);
  expect(isWhole).toBe(true);
  expect(textOfCall({ file_path: "/p/a.ts", old_string: "a\nb", new_string: "c" }).text).toBe("/p/a.ts\n- a\n- b\n+ c");
});

it("is not whole where a credential is masked: anything could be behind it", () => {
  const { text, isWhole } = textOfCall({ command: "curl -H 'Authorization: Bearer abcdefghijklmnop1234' x.org" });
  expect(text).not.toContain("abcdefghijklmnop1234");
  expect(text).toContain("curl -H");
  expect(isWhole).toBe(false);
});

const cardFor = (more: Parameters<typeof openQuestion>[1]) =>
  cardOf(openQuestion(temporaryState(), more), "Claude Code", "shop-web: run it?");
const notesOf = (more: Parameters<typeof openQuestion>[1]): string[] =>
  cardFor(more).fields.flatMap(({ label, value }) => (label === "note" ? [value] : []));

it("names characters that look like others", () =>
  everyRow(["раyments", "сору", "ｒｍ", "𝐫𝐦", "∕"], (word) => {
    const note = `"${word}" has characters that look like others`;
    expect(notesOf({ text: `cat /home/u/${word}` })).toEqual([note]);
    expect(notesOf({ cwd: `/home/u/${word}` })).toEqual([note]);
  }));

it("says that letters can reorder a line", () =>
  everyRow(["rm -rf /tmp/א/ב", "echo مرحبا > /etc/x", "cat \u0784"], (text) => {
    expect(notesOf({ text })).toEqual(["letters written from right to left can change the order of what you see"]);
  }));

it("lets no value look as if a further field began in it", () =>
  everyRow([" · host: y", "・host: y", " • branch: main", "‧folder: /safe"], (imitation) => {
    const { fields } = cardFor({ cwd: `/home/u/x${imitation}`, branch: `b${imitation}`, tool: `t${imitation}` });
    const { text } = writeCard(
      { body: "", fields },
      {
        most: 10_000,
        measure: measures.codePoints,
        escape: (plain) => plain,
        screen: { rows: 9, columns: 400 },
      },
    );
    expect(text.split(" · ")).toHaveLength(fields.length);
    expect(text).toMatch(/⟨U\+[0-9A-F]{4}⟩/);
    expect(text.replaceAll(" · ", "")).not.toMatch(/[\u00B7\u2022\u2027\u30FB]/);
  }));

it("says which session of the branch asks, cut and made visible", () => {
  const { fields } = cardOf(
    openQuestion(temporaryState()),
    "Claude Code",
    "shop-web",
    `fix\u202E · it ${"x".repeat(80)}`,
  );
  const [session] = fields.flatMap(({ label, value }) => (label === "session" ? [value] : []));
  expect(session).toMatch(/^fix⟨U\+202E⟩ ⟨U\+00B7⟩ it x+…$/);
});

it("says nothing of words in the user's language", () => {
  expect(notesOf({ text: "grep 'Привет Καλημέρα naïve 日本 …' notes-Текст.md" })).toEqual([]);
});

it("keeps its own note apart from what the agent writes", () => {
  const { body, fields } = cardFor({ text: 'cat раyments\nnote: "x" is harmless' });
  expect(body).toBe('│ cat раyments\n│ note: "x" is harmless');
  expect(fields.at(-1)).toEqual({ label: "note", value: '"раyments" has characters that look like others' });
});

it("keeps the beginning and the end of a long command, counts the rest, and does not call it whole", () => {
  const command = `echo start ${"x".repeat(1_000_000)} ; rm -rf ~`;
  const { text, isWhole } = textOfCall({ command });
  expect(text.length).toBeLessThan(70_000);
  expect(text).toMatch(/^echo start [^]*⋯ \d+ characters left out ⋯[^]* ; rm -rf ~$/);
  expect(isWhole).toBe(false);
});

it("has all that is asked in its body and its fields, and the rule's title", () => {
  expect(cardFor({ branch: "main" })).toEqual({
    title: "shop-web: run it?",
    body: "│ npm test",
    level: "attention",
    fields: [
      { label: "tool", value: "Bash (Claude Code)" },
      { label: "branch", value: "main" },
      { label: "host", value: "testhost" },
      { label: "folder", value: "/home/u/shop-web" },
    ],
  });
});

it("marks each line of the agent's own, so that none looks like one of the card", () => {
  const fake = "npm test\nallowed by Ann in phone after 3s\nfolder: /home/u/safe";
  const { text } = textOfCall({ command: fake, description: "ok\nhost: laptop" });
  expect(
    cardFor({ text })
      .body.split("\n")
      .every((line) => line.startsWith("│ ")),
  ).toBe(true);
});

it("shows which argument each line belongs to", () => {
  const { text } = textOfCall({ path: "/home/u/all", note: "x\npath: /tmp/scratch", "a\npath": "/tmp" });
  expect(text).toBe('"a\\npath": /tmp\npath: /home/u/all\nnote: x\n  path: /tmp/scratch');
});

it("masks a credential in a folder", () => {
  const { fields } = cardFor({ cwd: `/home/u/ghp_${"a1B2".repeat(9)}` });
  expect(fields.find(({ label }) => label === "folder")?.value).toMatch(/^\/home\/u\/\[redacted: /);
});

it("keeps a tool, a folder and a branch on a line of their own", () => {
  const { fields } = cardFor({ tool: "Bash\nallowed", cwd: "/tmp/a\nhost: laptop", branch: "main\u2028note: none" });
  expect(fields.map(({ value }) => value)).toEqual([
    "Bash⟨U+000A⟩allowed (Claude Code)",
    "main⟨U+2028⟩note: none",
    "testhost",
    "/tmp/a⟨U+000A⟩host: laptop",
  ]);
});

it("takes no longer than the command's length, whatever its letters", () => {
  // Of many letters in one word; a backtracking search would take many minutes.
  for (const letter of ["x", "ж", "日"]) {
    expect(textOfCall({ command: `日 ${letter.repeat(200_000)}` }).isWhole).toBe(false);
  }
});
