import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isOnList, parseEntry } from "../../../src/answers/allow-list.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const signs = [
  " ",
  " ",
  "evil",
  " evil",
  "evil ",
  "npm",
  "test",
  "-x",
  "--",
  "a=1",
  "=",
  ".",
  "..",
  "/",
  "./evil",
  "../evil",

  ";",
  "&",
  "&&",
  "|",
  "||",
  "|&",
  "\n",
  "\r",
  "\r\n",
  "\t",
  "\v",
  "\f",
  "\u0085",
  "\u00A0",
  "\u2028",
  "\0",
  "\\",
  "\\\n",

  "$",
  "$(evil)",
  "${IFS}",
  "`evil`",
  "<(evil)",
  ">made",
  "<",
  "<<x",
  "'",
  '"',
  "$'\\n'",
  "#",
  "!",
  "!!",
  "*",
  "?",
  "[",
  "]",
  "~",
  "^",
  "%",
  "@",
  ":",
  ",",
  "+",
  "{evil,}",
  "{",
  "}",
  "(",
  ")",
  "；",
  "\u037E",
];

/** Programs that say that they ran: only `evil` leaves a mark. */
function pretendPrograms(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "scripts"));
  for (const path of ["npm", "scripts/npm", "evil", "scripts/evil"]) {
    const isEvil = path.endsWith("evil");
    writeFileSync(join(folder, path), isEvil ? `#!/bin/sh\n: > "${folder}/marked"\n` : "#!/bin/sh\n");
    chmodSync(join(folder, path), 0o755);
  }
  return folder;
}

it.each([
  ["Bash(npm test*)", "npm test"],
  ["Bash(npm test *)", "npm test "],
  ["Bash(np*)", "npm"],
  ["Bash(*/npm *)", "./scripts/npm "],
  ["Bash(./scripts/n* *)", "./scripts/npm "],
])("a real shell starts no other command by what %s allows", (entry, start) => {
  const folder = pretendPrograms();
  const before = readdirSync(folder);
  let ran = 0;
  const rest = fc.array(fc.constantFrom(...signs), { maxLength: 6 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(rest, (text) => {
      const command = start + text;
      if (!isOnList([entry], "Bash", { command })) return;
      ran += 1;
      for (const shell of ["/bin/sh", "/bin/bash"]) {
        spawnSync(shell, ["-c", command], { cwd: folder, env: { PATH: folder, HOME: folder }, timeout: 10_000 });
      }
      expect(readdirSync(folder)).toEqual(before);
    }),
    { numRuns: 600 },
  );
  expect(ran).toBeGreaterThan(20);
});

it("each entry is a tool and a pattern, or says what is wrong; and a `*` in the first word crosses no blank", () => {
  const words = fc.array(fc.constantFrom(...signs, "-", "a-b", "[a-z]", "x{2,1}", "\\d", "\\u{110000}", "*"), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(words, words, (pattern, call) => {
      const text = `Bash(${pattern.join("")})`;
      const command = call.join("");
      const entry = parseEntry(text);
      const isAllowed = isOnList([text], "Bash", { command });
      expect(Object.keys(entry)).toContain("problem" in entry ? "problem" : "isTool");
      if (!isAllowed) return;
      const [program = ""] = command.split(" ", 1);
      const [named = ""] = pattern.join("").split(" ", 1);
      expect(isOnList([`Bash(${named} *)`], "Bash", { command: `${program} x` })).toBe(true);
    }),
    { numRuns: 5000 },
  );
});
