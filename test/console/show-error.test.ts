import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { UserError } from "../../src/model/errors.ts";
import { showError } from "../../src/cli/command-line.ts";
import { findPlaces } from "../../src/system/paths.ts";

function show(error: unknown): { code: number; text: string } {
  let text = "";
  const io = { stderr: (more: string) => void (text += more), places: { ...findPlaces({}), stateDir } };
  return { code: showError(error, io), text };
}

const stateDir = resolve("/x");
const path = join(stateDir, "y");

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: something, ${syscall} '${path}'`), { code, syscall, path });
}

describe("showError", () => {
  it("shows a person's mistake with its hint, every line of it indented", () => {
    const error = new UserError("usage.x", "no such thing", { hint: "one\ntwo", exitCode: 64 });
    expect(show(error)).toEqual({ code: 64, text: "hookbell: no such thing\n  one\n  two\n" });
    expect(show(new UserError("x", "failed"))).toEqual({ code: 1, text: "hookbell: failed\n" });
  });

  it.each([
    ["ENOSPC", "write", 73, "cannot use PATH: the disk is full (ENOSPC)"],
    ["EACCES", "open", 73, "cannot use PATH: permission denied (EACCES)"],
    ["EROFS", "mkdir", 73, "cannot use PATH: the file system is read-only (EROFS)"],
    ["EACCES", "scandir", 1, "cannot read PATH: permission denied (EACCES)"],
    ["ENOTREG", "read", 1, "cannot read PATH: it is not a regular file but a folder, a pipe, a socket or a device"],
    ["EFBIG", "read", 1, "cannot read PATH: it is too large (EFBIG)"],
    ["EINVAL", "copyfile", 73, "cannot use PATH: the system cannot do that here (EINVAL)"],
  ])("takes %s of %s for the machine's fault, not ours", (code, syscall, exitCode, line) => {
    const shown = show(systemError(code, syscall));
    expect(shown.code).toBe(exitCode);
    expect(shown.text.split("\n")[0]).toBe(`hookbell: ${line.replace("PATH", path)}`);
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

  it("advises to move the state folder only for what is in it", () => {
    const error = Object.assign(systemError("ENOTREG", "read"), { path: resolve("/y/settings.json") });
    expect(show(error).text).not.toContain("HOOKBELL_STATE_DIR");
    expect(show(error).text).toContain("move what is there away; to look at it:");
  });

  it("quotes in a report nothing of a text that was read", () => {
    const thrown = ((): unknown => {
      try {
        return JSON.parse("s3cret=s3cret");
      } catch (error) {
        return error;
      }
    })();
    expect(String(thrown)).toContain("s3cret");
    const { text } = show(thrown);
    expect(text).toMatch(/^hookbell: this is a bug[^\n]*\nSyntaxError: it is not JSON\n {4}at /);
    expect(text).not.toContain("s3cret");
  });
});
