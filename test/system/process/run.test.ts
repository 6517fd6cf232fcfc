import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProcess, treeKiller } from "../../../src/system/process/run.ts";

const node = process.execPath;
const env = { PATH: process.env.PATH ?? "" };
const timeoutMs = 60_000;

describe("runProcess", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hookbell-processes-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("hands over standard input and brings back what was written", async () => {
    const code = "process.stdin.pipe(process.stdout); console.error('e'); process.exitCode = 3";
    const result = await runProcess({ argv: [node, "-e", code], stdin: "käse", env, timeoutMs });
    expect(result).toEqual({ status: "exited", code: 3, stdout: "käse", stderr: "e\n" });
  });

  it("gives a program nothing but the environment it was handed (posix)", async () => {
    const code =
      "console.log(JSON.stringify(Object.keys(process.env).filter((name) => name !== '__CF_USER_TEXT_ENCODING')))";
    const result = await runProcess({ argv: [node, "-e", code], env: { ONLY: "1" }, timeoutMs });
    expect(result).toMatchObject({ stdout: '["ONLY"]\n' });
  });

  it("keeps the beginning of standard output, and whole lines of the end of standard error", async () => {
    const code = "process.stdout.write('x'.repeat(1e6)); process.stderr.write('y'.repeat(1e6) + '\\nthe end\\n')";
    const result = await runProcess({ argv: [node, "-e", code], env, timeoutMs, maxOutputBytes: 10 });
    expect(result).toMatchObject({ status: "exited", code: 0, stdout: "x".repeat(10), stderr: "the end\n" });
  });

  it("keeps no part of a line of standard error that is too long: it may be half a credential", async () => {
    const code = "process.stderr.write('token '.repeat(1e5))";
    const result = await runProcess({ argv: [node, "-e", code], env, timeoutMs, maxOutputBytes: 10 });
    expect(result).toMatchObject({ status: "exited", code: 0, stderr: "" });
  });

  it.each([
    ["no program", "hookbell-no-such-program", "ENOENT"],
    ["a folder (posix)", "/", "EACCES"],
  ])("says why there is nothing to start in the place of %s", async (_what, program, code) => {
    const argv = [program] as const;
    expect(await runProcess({ argv, env, timeoutMs })).toMatchObject({ status: "notStarted", code });
  });

  it("tells a signal from an exit (posix)", async () => {
    const argv = [node, "-e", "process.kill(process.pid, 'SIGTERM')"] as const;
    expect(await runProcess({ argv, env, timeoutMs })).toMatchObject({ status: "killed", signal: "SIGTERM" });
  });

  it("ends the whole group at the deadline, even what ignores SIGTERM", async () => {
    const pidFile = join(folder, "pid");
    const grandchild = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
    const code = `
      const child = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { stdio: "inherit" });
      require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
      console.log("ready");
      setInterval(() => {}, 1000);`;
    const deadline = new AbortController();
    const running = runProcess({ argv: [node, "-e", code], env, timeoutMs, signal: deadline.signal });
    while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await pause();
    deadline.abort();
    expect(await running).toMatchObject({ status: "timedOut" });
    const pid = Number(readFileSync(pidFile, "utf8"));
    while (isRunning(pid)) await pause();
    expect(isRunning(pid)).toBe(false);
  });

  it("starts nothing when the deadline has passed already", async () => {
    const made = join(folder, "made");
    const argv = [node, "-e", `require("fs").writeFileSync(${JSON.stringify(made)}, "")`] as const;
    expect(await runProcess({ argv, env, timeoutMs, signal: AbortSignal.abort() })).toMatchObject({
      status: "timedOut",
    });
    expect(existsSync(made)).toBe(false);
  });

  it("is not held up by a grandchild that keeps the pipes, nor by input that no one reads", async () => {
    const code = `
      const child = require("child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 30000)"], { stdio: "inherit", detached: true });
      require("fs").writeSync(1, String(child.pid));
      process.exit(0);`;
    const result = await runProcess({ argv: [node, "-e", code], stdin: "x".repeat(10e6), env, timeoutMs });
    expect(result).toMatchObject({ status: "exited", code: 0 });
    const pid = Number("stdout" in result ? result.stdout : "");
    expect(isRunning(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

/** A zombie that no one reaps in a container without an init counts as ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

it("on Windows, what a process has started is ended by the system's own program", () => {
  const argv = [String.raw`D:\Windows\System32\taskkill.exe`, "/T", "/F", "/PID", "42"];
  expect(treeKiller(42, { SystemRoot: String.raw`D:\Windows` })).toEqual(argv);
});
