import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { endWriters } from "../../../src/system/process/end-writers.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

/** A process whose standard output is the file, with the arguments of a hook. */
async function startWriter(path: string): Promise<ChildProcess> {
  const file = openSync(path, "a");
  const argv = ["-e", "setInterval(() => {}, 1e6)", "--", "--agent", "droid"];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", file, "ignore"] });
  closeSync(file);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child;
}

it.skipIf(process.platform !== "linux")("ends what writes to the file, and spares the shell", async () => {
  const path = join(temporaryFolder(), "file");
  const [shell, cat] = await Promise.all([startWriter(path), startWriter(path)]);
  const ended = once(cat, "exit");
  const end = (signal: NodeJS.Signals) => endWriters(path, { signal, shell: shell.pid, env: {} });
  expect(await end("SIGKILL")).toBe(2);
  expect(await ended).toEqual([null, "SIGKILL"]);
  // The shell may take its time until it goes on.
  expect(await end("SIGKILL")).toBe(1);
  expect(shell.signalCode).toBeNull();
  shell.kill("SIGKILL");
  await once(shell, "exit");
  expect(await end("SIGKILL")).toBe(0);
});

it.skipIf(process.platform !== "linux")("counts the shell until it has ended, though it writes no more", async () => {
  const folder = temporaryFolder();
  const shell = await startWriter(join(folder, "elsewhere"));
  writeFileSync(join(folder, "file"), "");
  const end = () => endWriters(join(folder, "file"), { signal: "SIGKILL", shell: shell.pid, env: {} });
  expect(await end()).toBe(1);
  shell.kill("SIGKILL");
  await once(shell, "exit");
  expect(await end()).toBe(0);
  // Its number may be another process's by now.
  expect(await endWriters(join(folder, "file"), { signal: "SIGKILL", shell: process.pid, env: {} })).toBe(0);
});
