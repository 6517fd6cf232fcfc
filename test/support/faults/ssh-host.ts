// Other machines: real sshd's on this one, each with a user and a home of its own, and a person's ssh that knows them by name.
import { execFileSync, spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { freePort } from "../random/free-port.ts";
import { longestWaitMs } from "../longest-wait.ts";
import { findPart } from "../parts.ts";
import { processesWithEnvironment } from "../project/processes.ts";
import { end, type Ended, type Project } from "../project/running-project.ts";

export const sshParts = ["sshd", "ssh", "ssh-keygen"];

export interface SshHost {
  name: string;
  home: string;
  /** Its user's id. */
  uid: number | undefined;
  /** The private key of the machine itself. */
  hostKey: string;
  /** The folder that `remote add` makes there. */
  state: string;
  start(): Promise<void>;
  /** Writes a file there as its user; `path` is relative to the home. */
  put(path: string, text: string, mode?: number): string;
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

/** Root gives each machine a user of its own, by a list of users that its sshd alone sees; anyone else is the user of all. */
const firstUid =
  process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0 ? 20_001 : undefined;
const withUsers = 'mount --bind "$1" /etc/passwd && mount --bind "$2" /etc/group && shift 2 && exec "$@"';

/** Connects the project's `ssh` with so many new machines, of which the ones in `busybox` have nothing else. */
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
  // The machines' users may not look into the person's home.
  const place = mkdtempSync(join(tmpdir(), "hookbell-hosts-"));
  chmodSync(place, 0o755);
  onTestFinished(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
  const machines = names.map((name, index): Machine => {
    const uid = firstUid === undefined ? undefined : firstUid + index;
    const path = busybox.includes(name) ? busyboxFolder(join(place, "busybox")) : "/usr/local/bin:/usr/bin:/bin";
    const shell = busybox.includes(name) ? join(path, "sh") : "/bin/sh";
    return { name, place, uid, path, shell, home: join(place, name), hostKey: join(folder, `${name}-host-key`) };
  });
  const users = (file: string, line: (machine: Machine) => string): void =>
    writeFileSync(join(place, file), readFileSync(`/etc/${file}`, "utf8") + machines.map(line).join(""), {
      mode: 0o644,
    });
  users("passwd", ({ name, uid, home, shell }) => `hb-${name}:*:${uid}:${uid}::${home}:${shell}\n`);
  users("group", ({ name, uid }) => `hb-${name}:x:${uid}:\n`);
  writeFileSync(join(place, "authorized_keys"), readFileSync(`${key}.pub`), { mode: 0o644 });
  const hosts: SshHost[] = [];
  let text = "";
  for (const machine of machines) {
    const port = await freePort();
    const user = machine.uid === undefined ? "" : `User hb-${machine.name}\n`;
    text += `Host ${machine.name}\nHostName 127.0.0.1\nPort ${port}\n${user}${common}`;
    hosts.push(sshHost(machine, port));
  }
  writeFileSync(config, text);
  for (const host of hosts) await host.start();
  return hosts;
}

interface Machine {
  name: string;
  /** The folder of all machines. */
  place: string;
  uid: number | undefined;
  path: string;
  shell: string;
  home: string;
  hostKey: string;
}

function sshHost({ name, place, uid, path, home, hostKey }: Machine, port: number): SshHost {
  mkdirSync(home, { mode: 0o700 });
  if (uid !== undefined) chownSync(home, uid, uid);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", hostKey]);
  const config = join(place, `${name}-sshd`);
  const environment = uid === undefined ? `HOME=${home} PATH=${path}` : `PATH=${path}`;
  writeFileSync(
    config,
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${hostKey}\nAuthorizedKeysFile ${place}/authorized_keys\nStrictModes no\nPermitRootLogin yes
UsePAM no\nPidFile none\nMaxStartups 100\nSetEnv ${environment}\n`,
  );
  const sshdArgv = [findPart("sshd") ?? "sshd", "-D", "-f", config];
  const argv =
    uid === undefined
      ? sshdArgv
      : ["unshare", "--mount", "sh", "-c", withUsers, "sh", join(place, "passwd"), join(place, "group"), ...sshdArgv];
  const asUser: SpawnOptions = uid === undefined ? {} : { uid, gid: uid };
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
      ...asUser,
    });
  onTestFinished(cut);
  return {
    name,
    home,
    uid: uid ?? process.getuid?.(),
    hostKey,
    state,
    cut,
    killScripts() {
      const ofConnections = processesWithEnvironment("SSH_CONNECTION=");
      for (const pid of processesWithEnvironment(home)) if (ofConnections.includes(pid)) kill(pid);
    },
    put(file, text, mode = 0o600) {
      const folders = file.split("/").slice(0, -1);
      for (let count = 1; count <= folders.length; count += 1) {
        const folder = join(home, ...folders.slice(0, count));
        if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined && uid !== undefined)
          chownSync(folder, uid, uid);
      }
      const whole = join(home, file);
      writeFileSync(whole, text, { mode });
      if (uid !== undefined) chownSync(whole, uid, uid);
      return whole;
    },
    async start() {
      if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
      const [program = "", ...args] = argv;
      sshd = spawn(program, args, { stdio: "ignore" });
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
