// Commands that hookbell advises can be typed as they are: into a POSIX shell, and on Windows into PowerShell.
import { expect, it } from "vitest";
import {
  copyCommand,
  makeFolderCommand,
  makeRunnableAdvice,
  makeWritableCommand,
  removeCommand,
  typedWord,
  unsetCommand,
  writeSecretAdvice,
} from "../../../src/model/places/user-shell.ts";
import { everyRow } from "../../support/rows.ts";

it("a word is quoted where the shell would read something into it", () =>
  everyRow<[word: string, posix: string, windows: string]>(
    [
      ["shop", "shop", "shop"],
      [
        String.raw`C:\Users\Ann\rules.jsonc`,
        String.raw`'C:\Users\Ann\rules.jsonc'`,
        String.raw`C:\Users\Ann\rules.jsonc`,
      ],
      ["C:\\Users\\Ann Lee", "'C:\\Users\\Ann Lee'", '"C:\\Users\\Ann Lee"'],
      ["a&b;c", "'a&b;c'", '"a&b;c"'],
      ["it's", String.raw`'it'\''s'`, `"it's"`],
      ["C:\\a\u201cb", "'C:\\a\u201cb'", "'C:\\a\u201cb'"],
      ["$it's", String.raw`'$it'\''s'`, "'$it''s'"],
    ],
    ([word, posix, windows]) => {
      expect(typedWord(word, "linux")).toBe(posix);
      expect(typedWord(word, "win32")).toBe(windows);
    },
  ));

it("each system has its own commands", () => {
  const all = (platform: NodeJS.Platform): string[] => [
    removeCommand(["/a", "/b c"], platform),
    copyCommand("/a", "/b", platform),
    makeFolderCommand("/a b", platform),
    unsetCommand("X", platform),
    makeWritableCommand("/a", platform),
    makeRunnableAdvice("/a", platform),
    writeSecretAdvice(platform),
  ];
  expect(all("linux")).toEqual([
    "rm -r /a '/b c'",
    "cp /a /b",
    "mkdir -m 700 '/a b'",
    "unset X",
    "chmod u+w /a",
    "run chmod +x /a",
    "write the secret into it, mode 0600",
  ]);
  expect(all("win32")).toEqual([
    `Remove-Item -Recurse /a, "/b c"`,
    "Copy-Item /a /b",
    'mkdir "/a b"',
    "Remove-Item Env:X",
    "attrib -r /a",
    "name a program (.exe) or a script (.cmd, .bat, .ps1)",
    "write the secret into it",
  ]);
});
