// A terminal of the person's own: no process of the test is above it, as none of an agent's is above a person's.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { shellQuoted } from "../../../src/model/text.ts";
import { cliPath, type Project } from "./running-project.ts";
import { longestWaitMs } from "../longest-wait.ts";

export const personParts = ["script", "setsid"];

/** `$1` is the command line, `$2` the folder. The shell around it ends at once. */
const inTerminal = `(setsid script -qec "$1" "$2/shown" </dev/null >/dev/null 2>&1
  echo $? >"$2/code.tmp"; mv "$2/code.tmp" "$2/code") &`;

/** What the person sees of a command of hookbell's that they run, and its exit code. `before` goes before the command, `cli` is another hookbell. */
export async function runAsPerson(
  project: Project,
  args: readonly string[],
  before = "",
  cli = cliPath,
): Promise<{ code: number; shown: string }> {
  const folder = mkdtempSync(join(project.home, "terminal-"));
  const line = `${before} ${[process.execPath, cli, ...args].map(shellQuoted).join(" ")}`;
  spawn("sh", ["-c", inTerminal, "sh", line, folder], { env: project.env, cwd: project.home, stdio: "ignore" });
  const code = await untilWritten(join(folder, "code"));
  return { code: Number(code), shown: readFileSync(join(folder, "shown"), "utf8").replaceAll("\r", "") };
}

/** For a file that another process renames to this path. */
export async function untilWritten(path: string): Promise<string> {
  for (const deadline = Date.now() + longestWaitMs; !existsSync(path); await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`${path} was never written`);
  }
  return readFileSync(path, "utf8");
}
