import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { check } from "../../../src/commands/explain/check.ts";
import { maxRulesBytes } from "../../../src/rules/problems/document.ts";
import { UserError } from "../../../src/model/errors.ts";
import { findPlaces } from "../../../src/system/paths.ts";
import { commandIo } from "../../support/project/command-io.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-check-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ exitCode: number; stdout: string }> {
  let stdout = "";
  const io = commandIo(home, {
    stdout(text) {
      stdout += text;
    },
    stderr(text) {
      throw new Error(`said on stderr: ${text}`);
    },
    places: findPlaces({ HOME: home, HOOKBELL_CONFIG_DIR: home, HOOKBELL_STATE_DIR: join(home, "state") }, "linux"),
    env: {},
  });
  try {
    return { exitCode: await check(args, io), stdout };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { exitCode: error.exitCode, stdout: `${stdout}${error.message}` };
  }
}

const good = `{
  "channels": { "screen": { "type": "desktop" }, "bell": { "type": "sound" } },
  "rules": [{ "notify": ["screen", "bell"] }]
}
`;
const warned = good.replace('["screen", "bell"]', '["screen"]');
const broken = warned.replace('"type": "sound"', '"type": "sond"').replace('"notify"', '"level": "loud", "notify"');

function write(name: string, text: string): string {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
}

describe("hookbell check", () => {
  it("says that a good file is good", async () => {
    const file = write("rules.jsonc", good);
    const expected = { exitCode: 0, stdout: `${file}: 2 channels, 1 rule, no problems\n` };
    expect(await run()).toEqual(expected);
    expect(await run(file)).toEqual(expected);
    expect(await run("--config", file)).toEqual(expected);
  });

  it("shows warnings, which break nothing", async () => {
    const file = write("other.jsonc", warned);
    const { exitCode, stdout } = await run(file);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${file}:2:50  warning: no rule notifies this channel\n`);
    expect(stdout).toMatch(/: 2 channels, 1 rule, 1 warning\n$/);
  });

  it("says of which events a file notifies no one", async () => {
    const one = (when: object) =>
      JSON.stringify({ channels: { a: { type: "desktop" } }, rules: [{ name: "r", when, notify: ["a"] }] });
    const said = async (when: object) => (await run(write("other.jsonc", one(when)))).stdout;
    const failed =
      'no rule notifies anyone of failed turns (StopFailure); add a rule with "when": { "level": "error" }';
    expect(await said({ level: "attention" })).toContain(failed);
    expect(await said({ event: "StopFailure" })).toContain(
      "no rule notifies anyone of questions (Notification, PermissionRequest)",
    );
    expect(await said({ level: ["attention", "error"] })).not.toContain("no rule notifies anyone");
  });

  it("shows every problem of a broken file, in its order", async () => {
    const file = write("rules.jsonc", broken);
    const { exitCode, stdout } = await run();
    expect(exitCode).toBe(78);
    const places = stdout.split("\n").filter((line) => line.startsWith(`${file}:`));
    expect(places).toEqual([
      `${file}:2:50  warning: no rule notifies this channel`,
      `${file}:2:68  there is no channel type "sond"`,
      `${file}:3:24  expected one of "info", "success", "attention", "error"`,
      `${file}: 2 problems, 1 warning`,
    ]);
  });

  it("tells a program the same", async () => {
    const file = write("rules.jsonc", broken);
    const { exitCode, stdout } = await run("--json");
    expect(exitCode).toBe(78);
    expect(JSON.parse(stdout)).toEqual({
      file,
      status: "broken",
      problems: [
        { severity: "warning", path: "channels.bell", line: 2, column: 50, message: "no rule notifies this channel" },
        {
          severity: "error",
          path: "channels.bell.type",
          line: 2,
          column: 68,
          message: 'there is no channel type "sond"',
          hint: 'did you mean "sound"?',
        },
        {
          severity: "error",
          path: "rules.0.level",
          line: 3,
          column: 24,
          message: 'expected one of "info", "success", "attention", "error"',
        },
      ],
    });
    write("rules.jsonc", good);
    expect(JSON.parse((await run("--json")).stdout)).toEqual({
      file,
      status: "good",
      channels: 2,
      rules: 1,
      unheard: [],
      unheardQuestions: [],
      unnotified: [],
      problems: [],
    });
  });

  it("says that the built-in rules apply where there is no file", async () => {
    const file = join(home, "rules.jsonc");
    expect(await run()).toEqual({ exitCode: 0, stdout: `no rules file (${file}): the built-in rules apply\n` });
    const report: unknown = JSON.parse((await run("--json")).stdout);
    expect(report).toMatchObject({ file, status: "builtIn", problems: [] });
  });

  it.each<[what: string, args: () => string[], exitCode: number, message: RegExp]>([
    ["a file that is not there", () => [join(home, "none.jsonc")], 65, /^there is no file .*none\.jsonc$/],
    ["a file inside a file", () => [join(write("rules.jsonc", good), "x")], 65, /^there is no file /],
    [
      "a broken link (posix)",
      () => {
        symlinkSync("nowhere", join(home, "link"));
        return [join(home, "link")];
      },
      65,
      /^cannot read .*: it is a broken link: its target does not exist$/,
    ],
    ["a folder", () => [home], 65, /^cannot read .*: it is not a file but a directory, /],
    // Reading it would wait for a writer.
    [
      "a pipe (posix)",
      () => {
        execFileSync("mkfifo", [join(home, "pipe")]);
        return [join(home, "pipe")];
      },
      65,
      /^cannot read .*: it is not a file but a directory, a pipe, /,
    ],
    [
      "a file that is too large",
      () => [write("rules.jsonc", " ".repeat(maxRulesBytes + 1))],
      65,
      /^cannot read .*: it has 1048577 bytes; the maximum is 1048576$/,
    ],
    ["two files", () => ["a", "b"], 64, /^check takes one file$/],
    ["an unknown flag", () => ["--jsn"], 64, /--jsn/],
  ])("refuses %s", async (_what, args, exitCode, message) => {
    const result = await run(...args());
    expect(result.exitCode).toBe(exitCode);
    expect(result.stdout).toMatch(message);
  });

  it("shows no secret of the line with the mistake", async () => {
    const line = '"channels": { "team": { "type": "slak", "url": "https://hooks.slack.com/services/T0/B0/s3cr3t" } }';
    write("rules.jsonc", `{ ${line}, "rules": [{ "notify": ["team"] }] }`);
    const { stdout } = await run();
    expect(stdout).toContain('there is no channel type "slak"');
    expect(stdout).toContain("hooks.slack.com");
    expect(stdout).not.toContain("s3cr3t");
    expect((await run("--json")).stdout).not.toContain("s3cr3t");
  });
});
