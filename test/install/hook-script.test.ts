// The hook on Windows: what init puts into the state folder, and the Node program in it, which this machine's Node runs as well.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  emptyHookScript,
  hookScriptFiles,
  isScriptCurrent,
  lackOfScript,
  putHookScript,
} from "../../src/install/hook-script.ts";
import type { Installation } from "../../src/install/command/hook-command.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

const reporting = "console.log(JSON.stringify(process.argv.slice(1)));";

function installed(): Installation & { scriptPath: string } {
  const folder = temporaryFolder();
  const hookPath = join(folder, "Zoë's 日本", "dist", "hook.cjs");
  mkdirSync(dirname(hookPath), { recursive: true });
  writeFileSync(hookPath, reporting);
  const scriptPath = join(folder, "state", "hookbell-hook.cmd");
  const installation = { nodePath: process.execPath, hookPath, scriptPath, nodeForCmd: "%USERPROFILE%\\node.exe" };
  putHookScript(installation);
  return installation;
}

function call({ scriptPath }: { scriptPath: string }, env: NodeJS.ProcessEnv = {}): object {
  const program = hookScriptFiles(scriptPath)[1] ?? "";
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "--agent", "droid"], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("the hook for Windows", () => {
  it("is a script in ASCII with the line ends of Windows, and a program that knows where hookbell is", () => {
    const installation = installed();
    const [script = "", program = ""] = hookScriptFiles(installation.scriptPath).map((path) =>
      readFileSync(path, "utf8"),
    );
    expect(script).toMatch(/^@echo off\r\n(?:[\x20-\x7e]*\r\n)+$/);
    expect(script).toContain('set "node=%USERPROFILE%\\node.exe"\r\n');
    expect(program).toContain(`const hook = ${JSON.stringify(installation.hookPath)};\n`);
    expect(isScriptCurrent(installation)).toBe(true);
    expect(lackOfScript(installation)).toBe(undefined);
    expect(isScriptCurrent({ ...installation, hookPath: "/elsewhere/dist/hook.cjs" })).toBe(false);
  });

  it("calls hookbell's hook with the same arguments", () => {
    const installation = installed();
    const stdout = `${JSON.stringify([installation.hookPath, "--agent", "droid"])}\n`;
    expect(call(installation)).toEqual({ status: 0, stdout, stderr: "" });
  });

  it("says once that hookbell is gone, and names the settings that call it", () => {
    const installation = installed();
    const folder = dirname(installation.scriptPath);
    writeFileSync(join(folder, "installed.json"), '{"files":[{"path":"C:\\\\a.json"},{"path":"C:\\\\b.json"}]}');
    rmSync(installation.hookPath);
    expect(lackOfScript(installation)).toBe(`which calls ${installation.hookPath}, and that no longer exists`);
    expect(call(installation, { HOOKBELL_DISABLE: "1" })).toEqual({ status: 0, stdout: "", stderr: "" });
    const stderr = `hookbell: there is no hookbell in ${dirname(installation.hookPath)} any more: remove its hooks from C:\\a.json, C:\\b.json, or install it and run hookbell uninstall; if it has moved, run hookbell init again\n`;
    expect(call(installation)).toEqual({ status: 1, stdout: "", stderr });
    expect(call(installation)).toEqual({ status: 0, stdout: "", stderr: "" });
    writeFileSync(installation.hookPath, reporting);
    putHookScript(installation);
    rmSync(installation.hookPath);
    expect(call(installation)).toMatchObject({ status: 1 });
  });

  it("does nothing after uninstall, for agents that still call it", () => {
    const installation = installed();
    expect(emptyHookScript(installation.scriptPath)).toBe(true);
    expect(readFileSync(installation.scriptPath, "utf8")).toContain("@exit /b 0\r\n");
    expect(call(installation)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("is not complete without its program", () => {
    const installation = installed();
    const program = hookScriptFiles(installation.scriptPath)[1] ?? "";
    rmSync(program);
    expect(isScriptCurrent(installation)).toBe(false);
    expect(lackOfScript(installation)).toBe(`without ${program}, which it calls`);
  });
});
