// `doctor` names what came in and was not understood, and agents that are newer than what was tested.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { examineNotUnderstood, examineVersions } from "../../../src/commands/doctor/not-understood.ts";
import { installedVersion, isNewer } from "../../../src/install/target/installed-version.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { payloadOf } from "../../support/project/running-project.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const day = 24 * 60 * 60_000;

describe("what was not understood", () => {
  const prepare = (agentId = "claude-code") => {
    const running = prepareDispatcher();
    running.writeRules({ channels: { ops: { type: "webhook", url: "http://127.0.0.1:9/x" } }, rules: [] });
    const said = () =>
      examineNotUnderstood(running, running.dispatcher.layout).map(({ status, text, ...rest }) => ({
        status,
        text: text.replace(/last [^)]*/, "last now"),
        ...rest,
      }));
    const accept = (event: string, more = {}): void =>
      void writeIncoming(running.dispatcher.layout, payloadOf(event, more), { agentId, nowMs: running.clock.now() });
    return { ...running, accept, said };
  };

  it("is named, with how often, and how to report it", async () => {
    const { accept, run, said } = prepare();
    accept("MoonPhase");
    accept("MoonPhase");
    accept("Stop", { stop_hook_active: "yes" });
    await run({ idleMs: 0 });
    expect(said()).toEqual([
      {
        status: "warning",
        text: "Claude Code sent an event that hookbell does not know: MoonPhase (2 times, last now)",
        fix: expect.stringMatching(/^rules can name it; if it asks you something, report it at https:.*issues\./),
        command: "hookbell log --all",
      },
      {
        status: "warning",
        text: 'Claude Code, Stop: the field stop_hook_active is the string "yes", not a boolean; it was left out (once, last now)',
        fix: expect.stringContaining("a newer Claude Code may write it so; report it at https:"),
        command: "hookbell log --all",
      },
    ]);
  });

  it("is left out after a week, and of what is understood there is nothing", async () => {
    const { accept, run, said, clock } = prepare();
    accept("MoonPhase");
    await run({ idleMs: 0 });
    clock.turn(8 * day);
    accept("Stop");
    await run({ idleMs: 0 });
    expect(said()).toEqual([]);
  });

  it("of many kinds is counted", async () => {
    const { accept, run, said } = prepare();
    for (let index = 0; index < 12; index += 1) accept(`Moon${String.fromCharCode(65 + index)}`);
    await run({ idleMs: 0 });
    expect(said().length).toBe(9);
    expect(said().at(-1)?.text).toBe("4 more kinds of what hookbell does not know");
  });

  it("of any other program is its own affair", async () => {
    const { accept, run, said, journal } = prepare("generic");
    accept("ApprovalWanted");
    await run({ idleMs: 0 });
    expect([said(), journal("notice")]).toEqual([[], []]);
  });

  it("is told once a name where it sounds like a question", async () => {
    const { accept, run, journal } = prepare();
    for (const name of ["ApprovalWanted", "ApprovalWanted", "ToolQuestionAsked", "MoonPhase"]) accept(name);
    await run({ idleMs: 0 });
    expect(journal("notice").map(({ body }) => /not know: (\w+)/.exec(String(body))?.[1])).toEqual([
      "ApprovalWanted",
      "ToolQuestionAsked",
    ]);
  });
});

describe("an agent's version", () => {
  const put = (folder: string, path: string, text = ""): string => {
    const file = join(folder, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
    return file;
  };

  it.each([
    [
      "node/v20.20.2/lib/node_modules/codex/bin/codex.js",
      "node/v20.20.2/lib/node_modules/codex/package.json",
      "0.171.0",
    ],
    ["lib/node_modules/@openai/codex/bin/codex.js", "lib/node_modules/@openai/codex/package.json", "0.172.1"],
    ["share/claude/versions/2.1.332", undefined, "2.1.332"],
    ["Caskroom/claude-code/2.2.0/claude", undefined, "2.2.0"],
    ["bin/claude", undefined, undefined],
    ["lib/node_modules/odd/cli.js", "lib/node_modules/odd/package.json", undefined],
  ])("of a link to %s is read from files (posix)", (program, manifest, version) => {
    const folder = temporaryFolder();
    const path = put(folder, program);
    if (manifest !== undefined) put(folder, manifest, version === undefined ? "{}" : JSON.stringify({ version }));
    const link = join(folder, "link");
    symlinkSync(path, link);
    expect(installedVersion(link)).toBe(version);
  });

  it.each([
    [
      "codex.cmd",
      'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@openai\\codex\\bin\\codex.js" %*',
    ],
    ["codex.ps1", '& "node$exe"  "$basedir/node_modules/@openai/codex/bin/codex.js" $args'],
  ])("that npm starts by its script %s is read from the package", (name, line) => {
    const folder = temporaryFolder();
    put(folder, "node_modules/@openai/codex/bin/codex.js");
    put(folder, "node_modules/@openai/codex/package.json", '{"version":"0.172.1"}');
    expect(installedVersion(put(folder, name, `@ECHO off\r\n${line}\r\n`))).toBe("0.172.1");
    expect(installedVersion(put(folder, `other-${name}`, "@echo off\r\n"))).toBeUndefined();
  });

  it("of a program that is not there is not known", () => {
    expect(installedVersion(join(temporaryFolder(), "none"))).toBeUndefined();
  });

  it.each([
    ["2.1.332", "2.1.332", false],
    ["2.1.333", "2.1.332", true],
    ["2.2.0", "2.1.332", true],
    ["10.0.0", "9.9.9", true],
    ["2.1.9", "2.1.332", false],
  ])("%s is newer than %s: %s", (one, other, expected) => {
    expect(isNewer(one, other)).toBe(expected);
  });

  it("is named where it is newer than what was tested", () => {
    const home = temporaryFolder();
    const name = process.platform === "win32" ? "codex.exe" : "codex";
    const program = put(home, `codex/99.1.0/bin/${name}`);
    const env = { PATH: dirname(program), HOME: home };
    const io = { env, places: { home } as never, platform: process.platform };
    expect(examineVersions(io)).toEqual([
      {
        status: "ok",
        text: expect.stringMatching(/^Codex 99\.1\.0 is newer than [\d.]+, the newest that hookbell was/),
      },
    ]);
  });
});
