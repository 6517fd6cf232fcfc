// Other machines: real sshd's on this one, each with a home of its own, and a person's ssh that knows them by name.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { longestWaitMs } from "../longest-wait.ts";
import { findPart } from "../parts.ts";
import { processesWithEnvironment } from "../project/processes.ts";
import { end, type Ended, type Project } from "../project/running-project.ts";

export const sshParts = ["sshd", "ssh", "ssh-keygen"];

export interface SshHost {
  name: string;
  home: string;
  /** The private key of the machine itself. */
  hostKey: string;
  /** The folder that `remote add` makes there. */
  state: string;
  start(): Promise<void>;
  /** Ends sshd and all its connections, as when the network is cut. */
  cut(): Promise<void>;
  /** Kills what the connections run there, but not the connections. */
  killScripts(): void;
  /** The hook there, as an agent of that machine runs it. */
  hook(input: string, args?: readonly string[]): Promise<Ended>;
  /** The same, as a process. */
  startHook(args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  waiting(): string[];
}

/** Connects the project's `ssh` with so many new machines, of which the ones in `busybox` have nothing else on PATH. */
export async function sshHosts(
  project: Project,
  names: readonly string[],
  busybox: readonly string[] = [],
): Promise<SshHost[]> {
  const folder = join(project.home, "ssh");
  mkdirSync(folder);
  const key = join(folder, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  const config = join(folder, "config");
  const common = `IdentityFile ${key}\nIdentitiesOnly yes\nStrictHostKeyChecking accept-new\nUserKnownHostsFile ${folder}/known\nLogLevel ERROR\n`;
  writeFileSync(config, "");
  // OpenSSH finds the person's configuration by the system's list of users, not by HOME.
  const ssh = join(folder, "bin", "ssh");
  mkdirSync(dirname(ssh));
  writeFileSync(ssh, `#!/bin/sh\nexec ${findPart("ssh")} -F '${config}' "$@"\n`);
  chmodSync(ssh, 0o755);
  project.env.PATH = `${dirname(ssh)}:${project.env.PATH ?? ""}`;
  const hosts: SshHost[] = [];
  let text = "";
  for (const name of names) {
    const port = await freePort();
    text += `Host ${name}\nHostName 127.0.0.1\nPort ${port}\n${common}`;
    hosts.push(sshHost(folder, name, port, key, busybox.includes(name)));
  }
  writeFileSync(config, text);
  for (const host of hosts) await host.start();
  return hosts;
}

function sshHost(folder: string, name: string, port: number, key: string, isBusybox: boolean): SshHost {
  const home = join(folder, "hosts", name);
  mkdirSync(home, { recursive: true });
  const path = isBusybox ? busyboxFolder(join(folder, "busybox")) : "/usr/local/bin:/usr/bin:/bin";
  const hostKey = join(folder, `${name}-host-key`);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", hostKey]);
  const config = join(folder, `${name}-sshd`);
  writeFileSync(
    config,
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${hostKey}\nAuthorizedKeysFile ${key}.pub\nStrictModes no\nPermitRootLogin yes
UsePAM no\nPidFile none\nMaxStartups 100\nSetEnv HOME=${home} PATH=${path}\n`,
  );
  let sshd: ChildProcess | undefined;
  const state = join(home, ".local", "state", "hookbell");
  const cut = async (): Promise<void> => {
    if (sshd?.pid === undefined) return;
    for (const pid of descendants(sshd.pid)) kill(pid);
    kill(sshd.pid);
    sshd = undefined;
    while (await isOpen(port)) await sleep(10);
  };
  const startHook: SshHost["startHook"] = (args, env = {}) =>
    spawn(join(state, "hookbell-hook.sh"), args, {
      cwd: home,
      env: { HOME: home, PATH: path, CLAUDECODE: "1", ...env },
      stdio: "pipe",
    });
  onTestFinished(cut);
  return {
    name,
    home,
    hostKey,
    state,
    cut,
    killScripts() {
      const ofConnections = processesWithEnvironment("SSH_CONNECTION=");
      for (const pid of processesWithEnvironment(home)) if (ofConnections.includes(pid)) kill(pid);
    },
    async start() {
      if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
      sshd = spawn(findPart("sshd") ?? "sshd", ["-D", "-f", config], { stdio: "ignore" });
      const deadline = Date.now() + longestWaitMs;
      while (!(await isOpen(port))) {
        if (Date.now() > deadline) throw new Error(`sshd of ${name} does not listen`);
        await sleep(20);
      }
    },
    hook: (input, args = ["--agent", "claude-code"]) => end(startHook(args), input),
    startHook,
    waiting: () => {
      try {
        return readdirSync(join(state, "incoming")).filter((each) => !each.startsWith("."));
      } catch {
        return [];
      }
    },
  };
}

/** A folder with busybox and its applets alone. */
function busyboxFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  const busybox = findPart("busybox") ?? "";
  for (const applet of execFileSync(busybox, ["--list"], { encoding: "utf8" }).trim().split("\n")) {
    try {
      symlinkSync(busybox, join(path, applet));
    } catch {
      // Made for another host already.
    }
  }
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = createConnection(port, "127.0.0.1");
  try {
    return await new Promise((resolve) => {
      socket.on("connect", () => resolve(true));
      socket.on("error", () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}

/** The processes that it has started, and theirs. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const child = Number(name);
    if (!Number.isInteger(child)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), child]);
    } catch {
      // It has ended meanwhile.
    }
  }
  const found: number[] = [];
  const queue = [pid];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const children = parents.get(next) ?? [];
    found.push(...children);
    queue.push(...children);
  }
  return found;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
