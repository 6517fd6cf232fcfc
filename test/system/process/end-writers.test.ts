import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { endWriters } from "../../../src/system/process/end-writers.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

/** A process whose standard output is the file. */
async function startWriter(path: string): Promise<ChildProcess> {
  const file = openSync(path, "a");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: ["ignore", file, "ignore"] });
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
