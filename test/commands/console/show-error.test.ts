import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/model/errors.ts";
import { showError } from "../../../src/commands/command-line.ts";

function show(error: unknown): { code: number; text: string } {
  let text = "";
  return { code: showError(error, { write: (more) => (text += more) }), text };
}

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: something, ${syscall} '/x/y'`), { code, syscall, path: "/x/y" });
}

describe("showError", () => {
  it("shows a person's mistake with its hint, every line of it indented", () => {
    const error = new UserError("usage.x", "no such thing", { hint: "one\ntwo", exitCode: 64 });
    expect(show(error)).toEqual({ code: 64, text: "hookbell: no such thing\n  one\n  two\n" });
    expect(show(new UserError("x", "failed"))).toEqual({ code: 1, text: "hookbell: failed\n" });
  });

  it.each([
    ["ENOSPC", "write", 73, "cannot use /x/y: the disk is full (ENOSPC)"],
    ["EACCES", "open", 73, "cannot use /x/y: permission denied (EACCES)"],
    ["EROFS", "mkdir", 73, "cannot use /x/y: the file system is read-only (EROFS)"],
    ["EACCES", "scandir", 1, "cannot read /x/y: permission denied (EACCES)"],
  ])("takes %s of %s for the machine's fault, not ours", (code, syscall, exitCode, line) => {
    const shown = show(systemError(code, syscall));
    expect(shown.code).toBe(exitCode);
    expect(shown.text.split("\n")[0]).toBe(`hookbell: ${line}`);
    expect(shown.text).toContain("HOOKBELL_STATE_DIR");
  });

  it.each([new TypeError("x is undefined"), systemError("ENOENT", "open"), "a string", undefined])(
    "asks for a report of anything else: %s",
    (thrown) => {
      const shown = show(thrown);
      expect(shown.code).toBe(70);
      expect(shown.text).toMatch(/^hookbell: this is a bug in hookbell; please report it with these lines:\n/);
    },
  );
});
