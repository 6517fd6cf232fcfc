import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { headersSetting, secretSetting } from "../../src/channels/settings.ts";
import { UserError } from "../../src/model/errors.ts";
import { Secret } from "../../src/model/privacy/secret.ts";
import { resolveSecrets } from "../../src/system/secrets.ts";

const settings = z.strictObject({
  token: secretSetting("a token"),
  headers: headersSetting("headers").optional(),
  name: z.string().optional(),
});

describe("resolveSecrets", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "hookbell-secrets-"));
    writeFileSync(join(home, "token"), "  from-a-file\n", { mode: 0o600 });
    const utf16 = Buffer.from("\uFEFFfrom-powershell\r\n", "utf16le");
    writeFileSync(join(home, "utf16"), utf16, { mode: 0o600 });
    writeFileSync(join(home, "empty"), "\n", { mode: 0o600 });
    mkdirSync(join(home, "folder"));
    // Windows has no such program.
    spawnSync("mkfifo", [join(home, "pipe")]);
    writeFileSync(join(home, "large"), "a".repeat(64 * 1024 + 1), { mode: 0o600 });
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const resolve = (token: unknown, more: object = {}) =>
    resolveSecrets(settings.parse({ token, ...more }), { TOKEN: "from-env", EMPTY: "", PATH: process.env.PATH }, home);

  it.each([
    ["as it stands", "as it stands"],
    [{ env: "TOKEN" }, "from-env"],
    [{ file: "~/token" }, "from-a-file"],
    [{ file: "~/utf16" }, "from-powershell"],
    [{ command: [process.execPath, "-p", "process.argv[1]", "$HOME *"] }, "$HOME *"],
  ])("finds %j", async (source, expected) => {
    const { token } = await resolve(source);
    expect(token).toBeInstanceOf(Secret);
    expect(token.reveal()).toBe(expected);
  });

  it("finds a script below the home folder", async () => {
    const [name, text] =
      process.platform === "win32" ? ["print.cmd", "@echo from-home\r\n"] : ["print", "#!/bin/sh\necho from-home\n"];
    writeFileSync(join(home, name), text, { mode: 0o700 });
    expect((await resolve({ command: ["~/print"] })).token.reveal()).toBe("from-home");
  });

  it("finds secrets in lists and records, and leaves the rest as it is", async () => {
    const resolved = await resolve("a", { headers: { authorization: { env: "TOKEN" } }, name: "plain" });
    expect(resolved.headers?.authorization?.reveal()).toBe("from-env");
    expect(resolved.name).toBe("plain");
  });

  it.each([
    [{ env: "MISSING" }, /token: the environment variable MISSING is not set/],
    [{ env: "EMPTY" }, /EMPTY is not set/],
    [{ file: "~/none" }, /there is no file ~\/none/],
    [{ file: "~/empty" }, /~\/empty is empty/],
    [{ file: "~/folder" }, /~\/folder cannot be read \(it is a folder/],
    [{ file: "~/empty/below" }, /there is no file ~\/empty\/below/],
    [{ file: "~/large" }, /~\/large cannot be read \(it has more than 65536 bytes\)/],
    [{ command: ["hookbell-no-such-program"] }, /could not be started \(ENOENT\)/],
    [
      { command: [process.execPath, "-e", "console.log('s3cret'); console.error('s3cret'); process.exitCode = 4"] },
      /exit code 4/,
    ],
    [{ command: [process.execPath, "-e", ""] }, /printed nothing/],
  ])("says what is wrong with %j", refuses);

  it.each([
    [{ file: "/dev/zero" }, /\/dev\/zero cannot be read \(.*device\)/],
    [{ file: "~/pipe" }, /~\/pipe cannot be read \(.*pipe/],
  ])("says what is wrong with %j (posix)", refuses);

  async function refuses(source: object, message: RegExp): Promise<void> {
    const error = await resolve(source).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ code: "secret.missing", message: expect.stringMatching(message) });
    expect((error as UserError).hint).toBeTypeOf("string");
    expect((error as UserError).message).not.toContain("s3cret");
  }

  it("takes nothing for a secret source that a person wrote", async () => {
    const lookalike = { from: "literal", value: "x" };
    expect(await resolveSecrets({ lookalike }, {}, home)).toEqual({ lookalike });
  });
});
