// What another process does with the processor, which tells one that hangs from one that waits or is suspended.
import { bootId, ownAgeMs, psArguments, readStat, ticksPerSecond } from "./facts.ts";

/** Which process it is, for as long as this machine runs and after it has started again. */
export interface Birth {
  /** On Linux, ticks since the boot. */
  start?: string | undefined;
  /** The boot that `start` counts from: https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html */
  boot?: string | undefined;
  /** Elsewhere, milliseconds since the epoch. */
  bornAt?: number | undefined;
}

export interface ProcessUse extends Birth {
  /** The name that the process gives itself; absent where the system does not say. */
  name?: string;
  /** Stopped by a signal or a debugger. */
  isSuspended: boolean;
  /** Processor time of all its threads. */
  cpuMs: number;
}

export function ownBirth(): Birth {
  const stat = readStat(process.pid);
  if (stat !== undefined) return { start: String(stat.startTicks), boot: bootId() };
  return { bornAt: Math.round(Date.now() - ownAgeMs()) };
}

/** Undefined if it is gone, or where the system does not say. */
export function useOf(pid: number, platform: NodeJS.Platform = process.platform): ProcessUse | undefined {
  if (platform === "linux") return useInProc(pid);
  if (platform === "win32") return readWindowsUse(askWindows(pid));
  return readPsUse(outputOf("ps", psArguments.useOf(pid)));
}

function useInProc(pid: number): ProcessUse | undefined {
  const stat = readStat(pid);
  if (stat === undefined || stat.state === "Z") return undefined;
  return {
    start: String(stat.startTicks),
    boot: bootId(),
    name: stat.name,
    isSuspended: /[Tt]/.test(stat.state),
    cpuMs: (stat.busyTicks / ticksPerSecond) * 1000,
  };
}

const askTimeoutMs = 5000;

function outputOf(program: string, args: readonly string[]): string {
  const { stdout } = process.getBuiltinModule("node:child_process").spawnSync(program, args, {
    encoding: "utf8",
    timeout: askTimeoutMs,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
    // Date.parse reads the dates of this locale.
    env: { ...process.env, LC_ALL: "C" },
  });
  return stdout ?? "";
}

/** A line of ps(1) of macOS and the BSDs, such as `R+  12:34.56 Fri Nov 27 18:15:16 2026`. Tried with Debian's `ps` only. */
export function readPsUse(line: string): ProcessUse | undefined {
  const [, state = "", time = "", start = ""] =
    /^\s*(\S+)\s+([\d:.-]+)\s+(\w{3} \w{3} +\d+ [\d:]+ \d{4})\s*$/.exec(line) ?? [];
  const [, days = "0", hours = "0", minutes = "0", seconds = "0"] =
    /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(time) ?? [];
  const bornAt = Date.parse(start);
  if (Number.isNaN(bornAt) || state.startsWith("Z")) return undefined;
  const allSeconds = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return { bornAt, isSuspended: state.startsWith("T"), cpuMs: allSeconds * 1000 };
}

function askWindows(pid: number): string {
  const script = `$p = Get-Process -Id ${pid}; '{0:o} {1}' -f $p.StartTime.ToUniversalTime(), [long]$p.TotalProcessorTime.TotalMilliseconds`;
  const folder = `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\WindowsPowerShell\\v1.0`;
  return outputOf(`${folder}\\powershell.exe`, ["-NoProfile", "-NonInteractive", "-Command", script]);
}

/** Such as `2026-11-27T18:15:16.1234567Z 1500`; a suspended process uses no processor. Written from documentation; not tried. */
export function readWindowsUse(line: string): ProcessUse | undefined {
  const [, start = "", cpuMs = ""] = /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) (\d+)\s*$/.exec(line) ?? [];
  const bornAt = Date.parse(start.replace(/(\.\d{3})\d*/, "$1"));
  return Number.isNaN(bornAt) ? undefined : { bornAt, isSuspended: false, cpuMs: Number(cpuMs) };
}

/** At once, and whatever it does. False if it is gone or another user's. */
export function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
