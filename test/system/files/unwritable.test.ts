import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findWriteFault, remedyFor } from "../../../src/system/files/unwritable.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { everyRow } from "../../support/rows.ts";

describe("remedyFor", () => {
  it("names the folder or file that its owner may not use (posix)", () => {
    const folder = join(temporaryFolder(), "a folder");
    mkdirSync(folder);
    const file = join(folder, "file");
    writeFileSync(file, "");
    chmodSync(file, 0o400);
    chmodSync(folder, 0o555);
    const { uid } = statSync(folder);
    expect(remedyFor({ code: "EACCES" }, join(folder, ".tmp-1"), uid)).toEqual({ command: `chmod 700 '${folder}'` });
    expect(remedyFor({ code: "EACCES" }, file, uid)).toEqual({ command: `chmod 600 '${file}'` });
    chmodSync(folder, 0o700);
  });

  it("suits the error and the user", () =>
    everyRow(
      [
        [
          "EACCES",
          4711,
          /belongs to user \d+; set HOOKBELL_STATE_DIR to a folder of your own; to look at it:$/,
          /^ls -ld /,
        ],
        ["EACCES", null, /^fix that, or set HOOKBELL_STATE_DIR/, /^dir /],
        ["EROFS", 0, /file system writable again, or set HOOKBELL_STATE_DIR/, /^df -h /],
        ["ENOSPC", 0, /free some space, or set HOOKBELL_STATE_DIR/, /^df -h /],
        [
          "ENOTDIR",
          0,
          /^move what is there away, or set HOOKBELL_STATE_DIR to another folder; to look at it:$/,
          /^ls -ld /,
        ],
      ],
      ([code, user, fix, command]) => {
        const remedy = remedyFor({ code }, join(temporaryFolder(), "none", "file"), user);
        expect(remedy.fix).toMatch(fix);
        expect(remedy.command).toMatch(command);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("findWriteFault", () => {
  it("finds none in a usable folder, nor where no folder is", () => {
    const folder = temporaryFolder();
    expect(findWriteFault(folder, 1)).toBeUndefined();
    expect(findWriteFault(join(folder, "none"), 1)).toBeUndefined();
    expect(findWriteFault(folder, Number.MAX_SAFE_INTEGER)).toEqual({ code: "ENOSPC" });
  });
});
