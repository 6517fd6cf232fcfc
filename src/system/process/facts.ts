// Facts about a process: parent, program, terminal and start time.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { uptime } from "node:os";
import { basename } from "node:path";

export interface ProcessFacts {
  parentPid: number;
  /** Such as `/dev/pts/3`. */
  device: string | undefined;
  /** The system's own format. */
  start: string;
  ageMs: number;
  /** The name of its program's file, such as `bash`. */
  program: string;
  /** A terminal that is no pseudo-terminal, such as a serial line, counts as well. */
  hasTerminal: boolean;
  leadsSession: boolean;
  leadsGroup: boolean;
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

/** Start times have a resolution of a second. */
const toleranceMs = 2000;

/** Undefined for a process that is younger than `seenMs`, which has reused the id. */
export function processSeenFor(
  pid: number,
  seenMs: number,
  look: LookAtProcess = processLook(),
): ProcessFacts | undefined {
  const facts = look(pid);
  return facts !== undefined && facts.ageMs + toleranceMs >= seenMs ? facts : undefined;
}

export interface ListedProcess extends Pick<ProcessFacts, "parentPid" | "device"> {
  /** Processor time that it has used; Linux only. */
  cpuMs?: number;
}

/** The processes that we may see; none if there is no way to ask. */
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

/** The unit of times in /proc: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export const ticksPerSecond = 100;

/** Names the boot from which Linux counts the starts of processes; undefined elsewhere. */
export function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return undefined;
  }
}

/** The machine's uptime, in seconds, when this process began. A container's counts from elsewhere than the starts of processes do. */
const bornAtUptime = uptime() - process.uptime();

/** Milliseconds since this process began, with those in which the machine slept: `process.uptime()` is without them. */
export function ownAgeMs(): number {
  return (uptime() - bornAtUptime) * 1000;
}

function lookInProc(pid: number): ProcessFacts | undefined {
  const own = readStat(process.pid);
  const stat = readStat(pid);
  if (own === undefined || stat === undefined) return undefined;
  const ageMs = ((own.startTicks - stat.startTicks) / ticksPerSecond) * 1000 + ownAgeMs();
  const { parentPid, terminal, startTicks } = stat;
  return {
    parentPid,
    device: terminal === 0 ? undefined : deviceOf(terminal),
    start: String(startTicks),
    ageMs,
    program: programOf(pid) ?? stat.name,
    hasTerminal: terminal !== 0,
    leadsSession: stat.session === pid,
    leadsGroup: stat.group === pid,
  };
}

/** Undefined for the processes of another user. */
function programOf(pid: number): string | undefined {
  try {
    // After an update, the kernel adds this to the name of the replaced file.
    return basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ""));
  } catch {
    return undefined;
  }
}

/** The folder in which it runs. Linux only; undefined for a folder that is gone, and for the processes of another user. */
export function folderOfProcess(pid: number): string | undefined {
  try {
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    return folder.endsWith(" (deleted)") ? undefined : folder;
  } catch {
    return undefined;
  }
}

/** Its command line, the program first; undefined if it is gone or hidden. */
export function argumentsOf(pid: number, platform: NodeJS.Platform = process.platform): string[] | undefined {
  try {
    if (platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    if (platform === "win32") return undefined;
    const { stdout } = process
      .getBuiltinModule("node:child_process")
      .spawnSync("ps", psArguments.wordsOf(pid), { encoding: "utf8", timeout: psTimeoutMs });
    return stdout.trim() === "" ? undefined : stdout.trim().split(/\s+/);
  } catch {
    return undefined;
  }
}

interface Stat {
  /** The program's name, cut to 15 bytes; a process can change it. */
  name: string;
  /** Such as `Z` for a process that has ended. */
  state: string;
  parentPid: number;
  group: number;
  session: number;
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
    name: text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")),
    state: words[0] ?? "",
    parentPid: at(1),
    group: at(2),
    session: at(3),
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

const columns = (names: readonly string[]): string[] => names.flatMap((name) => ["-o", `${name}=`]);

/** These are for the ps(1) of macOS and the BSDs; they were tried with that of Debian only. */
export const psArguments = {
  all: () => ["-A", ...columns(["pid", "ppid", "pgid", "stat", "tty", "lstart", "comm"])],
  wordsOf: (pid: number) => ["-ww", ...columns(["args"]), "-p", String(pid)],
  useOf: (pid: number) => [...columns(["stat", "time", "lstart"]), "-p", String(pid)],
};

export function askPs(nowMs: number = Date.now()): Map<number, ProcessFacts> {
  const { stdout } = process.getBuiltinModule("node:child_process").spawnSync("ps", psArguments.all(), {
    encoding: "utf8",
    timeout: psTimeoutMs,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
    // Date.parse reads the dates of this locale.
    env: { ...process.env, LC_ALL: "C" },
  });
  return readPs(stdout ?? "", nowMs);
}

/** The lines of `psArguments.all()`. */
export function readPs(text: string, nowMs: number): Map<number, ProcessFacts> {
  const line = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(\S+) +(\w{3} \w{3} +\d+ [\d:]+ \d{4}) +(?! )(.*)$/gm;
  return new Map(
    [...text.matchAll(line)].map(([, pid, parentPid, group, state = "", terminal = "", start = "", command = ""]) => {
      const hasTerminal = !/^[?-]+$/.test(terminal);
      return [
        Number(pid),
        {
          parentPid: Number(parentPid),
          device: hasTerminal ? `/dev/${terminal}` : undefined,
          start,
          ageMs: nowMs - Date.parse(start),
          // A login shell's name begins with a hyphen.
          program: basename(command.trim()).replace(/^-/, ""),
          hasTerminal,
          leadsSession: state.includes("s"),
          leadsGroup: pid === group,
        },
      ];
    }),
  );
}
