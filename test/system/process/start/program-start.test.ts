// What Windows is given to start a program: found on PATH and by PATHEXT, and by what can run it.
import { describe, expect, it } from "vitest";
import {
  programStart,
  type ProgramProblem,
  type ProgramStart,
} from "../../../../src/system/process/start/program-start.ts";
import { everyRow } from "../../../support/rows.ts";

const env = {
  Path: String.raw`"C:\Program Files\nodejs";relative;C:\tools`,
  PATHEXT: ".COM;.EXE;.BAT;.CMD;.VBS;.JS",
  SystemRoot: String.raw`C:\Windows`,
};
const system = String.raw`C:\Windows\System32`;
const files = [
  String.raw`C:\Program Files\nodejs\node.exe`,
  String.raw`C:\Program Files\nodejs\npm.cmd`,
  String.raw`C:\Program Files\nodejs\npm.ps1`,
  String.raw`C:\tools\notify.ps1`,
  String.raw`C:\tools\script.js`,
  String.raw`C:\shop\node.bat`,
  String.raw`C:\shop\ring.bat`,
];

const start = (...argv: [string, ...string[]]): ProgramStart | ProgramProblem =>
  programStart(argv, { env, cwd: String.raw`C:\shop`, platform: "win32", isThere: (path) => files.includes(path) });
const inCmd = (line: string): ProgramStart => ({
  program: `${system}\\cmd.exe`,
  args: ["/e:on", "/v:off", "/d", "/s", "/c", `"${line}"`],
  env: { ...env, HOOKBELL_PERCENT: "%" },
  windowsVerbatimArguments: true,
});

describe("on Windows, a program", () => {
  it("is found as a shell finds it, but never in the current folder", () =>
    everyRow<[program: string, path: string | undefined]>(
      [
        ["node", String.raw`C:\Program Files\nodejs\node.exe`],
        ["node.exe", String.raw`C:\Program Files\nodejs\node.exe`],
        ["script", undefined],
        ["script.js", undefined],
        ["ring", undefined],
        ["nothing", undefined],
        [String.raw`C:\Program Files\nodejs\node`, String.raw`C:\Program Files\nodejs\node.exe`],
        [String.raw`C:\tools\script.js`, String.raw`C:\tools\script.js`],
      ],
      ([program, path]) =>
        expect(start(program)).toEqual(
          path === undefined
            ? { code: "ENOENT", detail: `there is no program ${program}` }
            : { program: path, args: [], env },
        ),
    ));

  it("that is a script of cmd.exe gets its arguments as they are", () =>
    everyRow<[argv: [string, ...string[]], line: string]>(
      [
        [["npm", "test"], String.raw`"C:\Program Files\nodejs\npm.cmd" "test"`],
        [["./ring", ""], String.raw`"C:\shop\ring.bat" ""`],
        [["ring.bat".padStart(10, ".\\"), "a & b"], String.raw`"C:\shop\ring.bat" "a & b"`],
        [["npm", 'say "hi"'], String.raw`"C:\Program Files\nodejs\npm.cmd" "say ""hi"""`],
        [["npm", "C:\\shop\\"], String.raw`"C:\Program Files\nodejs\npm.cmd" "C:\shop\\"`],
        [["npm", String.raw`a\"b`], String.raw`"C:\Program Files\nodejs\npm.cmd" "a\\""b"`],
        [
          ["npm", "%PATH% 100%"],
          String.raw`"C:\Program Files\nodejs\npm.cmd" "%HOOKBELL_PERCENT%PATH%HOOKBELL_PERCENT% 100%HOOKBELL_PERCENT%"`,
        ],
        [["npm", "^ ! | > <"], String.raw`"C:\Program Files\nodejs\npm.cmd" "^ ! | > <"`],
      ],
      ([argv, line]) => expect(start(...argv)).toEqual(inCmd(line)),
      ([, line]) => line,
    ));

  it("that is such a script gets no line break, after which cmd.exe would read no more", () => {
    for (const text of ["a\nb", "a\rb", "a\0b"]) expect(start("npm", text)).toMatchObject({ code: "EINVAL" });
    expect(start("node", "a\nb")).toMatchObject({ args: ["a\nb"] });
  });

  it("that is a script of PowerShell is run by the system's own", () => {
    expect(start("notify", "it's done")).toEqual({
      program: `${system}\\WindowsPowerShell\\v1.0\\powershell.exe`,
      args: ["-NoProfile", "-ExecutionPolicy", "RemoteSigned", "-File", String.raw`C:\tools\notify.ps1`, "it's done"],
      env,
    });
  });
});

it("elsewhere, the system finds a program itself", () => {
  expect(programStart(["npm", "a\nb"], { env, platform: "linux" })).toEqual({
    program: "npm",
    args: ["a\nb"],
    env,
  });
});
