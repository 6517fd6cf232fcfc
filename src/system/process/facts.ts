// Facts about a process: parent, terminal and start time.
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessFacts {
  parentPid: number;
  /** Such as `/dev/pts/3`. */
  device: string | undefined;
  /** In the system's own format. */
  start: string;
  ageMs: number;
}

/** Undefined if it is gone or hidden. */
export type LookAtProcess = (pid: number) => ProcessFacts | undefined;

/** Elsewhere than on Linux, one `ps` lists all. */
export function processLook(platform: NodeJS.Platform = process.platform): LookAtProcess {
  if (platform === "win32") return () => undefined;
  if (platform === "linux") return lookInProc;
  let all: ReadonlyMap<number, ProcessFacts> | undefined;
  return (pid) => (all ??= askPs()).get(pid);
}

export interface ListedProcess extends Pick<ProcessFacts, "parentPid" | "device"> {
  /** Processor time that it has used; Linux only. */
  cpuMs?: number;
}

/** Those that we may see; none where there is no way to ask. */
export function listProcesses(platform: NodeJS.Platform = process.platform): ReadonlyMap<number, ListedProcess> {
  if (platform === "win32") return new Map();
  if (platform !== "linux") return askPs();
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((name) => {
      const stat = readStat(Number(name));
      if (stat === undefined) return [];
      const device = stat.terminal === 0 ? undefined : deviceOf(stat.terminal);
      const cpuMs = (stat.busyTicks / ticksPerSecond) * 1000;
      return [[Number(name), { parentPid: stat.parentPid, device, cpuMs }] as const];
    }),
  );
}

/** The unit of times in /proc. */
const ticksPerSecond = 100;

function lookInProc(pid: number): ProcessFacts | undefined {
  const own = readStat(process.pid);
  const stat = readStat(pid);
  if (own === undefined || stat === undefined) return undefined;
  // A container's uptime counts differently.
  const ageMs = ((own.startTicks - stat.startTicks) / ticksPerSecond + process.uptime()) * 1000;
  const { parentPid, terminal, startTicks } = stat;
  return { parentPid, device: terminal === 0 ? undefined : deviceOf(terminal), start: String(startTicks), ageMs };
}

interface Stat {
  /** Such as `Z` for a process that has ended. */
  state: string;
  parentPid: number;
  terminal: number;
  startTicks: number;
  busyTicks: number;
}

/** Linux only. */
export function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name in brackets may contain anything: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
  const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const at = (index: number): number => Number(words[index]);
  return {
    state: words[0] ?? "",
    parentPid: at(1),
    terminal: at(4),
    startTicks: at(19),
    busyTicks: at(11) + at(12),
  };
}

/** https://www.kernel.org/doc/Documentation/admin-guide/devices.txt */
const pseudoTerminals = { first: 136, last: 143 };
const virtualConsoles = 4;

/** Only pseudo-terminals and virtual consoles. */
function deviceOf(number: number): string | undefined {
  const major = (number >>> 8) & 0xfff;
  const minor = (number & 0xff) | ((number >>> 12) & 0xfff00);
  if (major >= pseudoTerminals.first && major <= pseudoTerminals.last) {
    return `/dev/pts/${(major - pseudoTerminals.first) * 256 + minor}`;
  }
  return major === virtualConsoles && minor < 64 ? `/dev/tty${minor}` : undefined;
}

const psTimeoutMs = 2000;

/** The format of macOS and the BSDs; tried with Debian's `ps` only. */
export function askPs(nowMs: number = Date.now()): Map<number, ProcessFacts> {
  const columns = ["pid=", "ppid=", "tty=", "lstart="].flatMap((column) => ["-o", column]);
  const { stdout } = process.getBuiltinModule("node:child_process").spawnSync("ps", ["-A", ...columns], {
    encoding: "utf8",
    timeout: psTimeoutMs,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
    // For a date that Date.parse reads.
    env: { ...process.env, LC_ALL: "C" },
  });
  const lines = [...(stdout ?? "").matchAll(/^ *(\d+) +(\d+) +(\S+) +(\w{3} \w{3} +\d+ [\d:]+ \d{4}) *$/gm)];
  return new Map(
    lines.map(([, pid, parentPid, terminal = "", start = ""]) => [
      Number(pid),
      {
        parentPid: Number(parentPid),
        device: /^[?-]+$/.test(terminal) ? undefined : `/dev/${terminal}`,
        start,
        ageMs: nowMs - Date.parse(start),
      },
    ]),
  );
}
