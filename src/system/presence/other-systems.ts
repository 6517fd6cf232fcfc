// The person on macOS and Windows. Written from documentation; not tried.
import type { Environment } from "../environment.ts";
import { runProcess } from "../process/run.ts";
import type { Limits, PresenceSignals } from "./observed.ts";

async function outputOf(argv: readonly [string, ...string[]], env: Environment, limits: Limits): Promise<string> {
  const result = await runProcess({ argv, env, ...limits, maxOutputBytes: 1024 * 1024 });
  return result.status === "exited" ? result.stdout : "";
}

/** See ioreg(8) and lsappinfo(8). The application in front has no name there, so that its serial number is asked for first. */
export const macQuestions = {
  input: ["/usr/sbin/ioreg", "-r", "-c", "IOHIDSystem", "-d", "1"],
  root: ["/usr/sbin/ioreg", "-n", "Root", "-d", "1"],
  front: ["/usr/bin/lsappinfo", "front"],
  pidOf: (serial: string) => ["/usr/bin/lsappinfo", "info", "-only", "pid", serial],
} as const satisfies Record<string, [string, ...string[]] | ((serial: string) => [string, ...string[]])>;

export async function observeMac(env: Environment, limits: Limits): Promise<PresenceSignals> {
  const askFront = async (): Promise<string> => {
    const serial = readFront(await outputOf(macQuestions.front, env, limits));
    return serial === undefined ? "" : await outputOf(macQuestions.pidOf(serial), env, limits);
  };
  const [input, root, front] = await Promise.all([
    outputOf(macQuestions.input, env, limits),
    outputOf(macQuestions.root, env, limits),
    askFront(),
  ]);
  return readMac(input, root, front);
}

/** Such as `ASN:0x0-0x1f01f:`; `[ NULL ]` where nothing is in front. */
export function readFront(text: string): string | undefined {
  return /ASN:0x[\da-f]+-0x[\da-f]+:?/i.exec(text)?.[0];
}

export function readMac(input: string, root: string, front: string): PresenceSignals {
  const idleNs = /"HIDIdleTime" = (\d+)/.exec(input)?.[1];
  const pid = /"pid"\s*=\s*(\d+)/.exec(front)?.[1];
  return {
    idleMs: idleNs === undefined ? undefined : Number(idleNs) / 1e6,
    // The key is there only while the screen is locked.
    isLocked: root.includes("IOConsoleUsers") ? /"CGSSessionScreenIsLocked"\s*=\s*Yes/.test(root) : undefined,
    focus: pid === undefined ? undefined : { pid: Number(pid) },
  };
}

/** The time is in whole minutes: PowerShell would take too long. LogonUI runs while the screen is locked. */
export async function observeWindows(env: Environment, limits: Limits): Promise<PresenceSignals> {
  const folder = `${env.SystemRoot ?? "C:\\Windows"}\\System32`;
  const [sessions, logon] = await Promise.all([
    outputOf([`${folder}\\query.exe`, "user"], env, limits),
    outputOf([`${folder}\\tasklist.exe`, "/FI", "IMAGENAME eq LogonUI.exe", "/FO", "CSV", "/NH"], env, limits),
  ]);
  return readWindows(sessions, logon);
}

/** `>` marks the own session; idle times are `none`, `.`, `5`, `1:02`, `2+03:04`. */
export function readWindows(sessions: string, logon: string): PresenceSignals {
  const own = sessions.split(/\r?\n/).find((line) => line.startsWith(">"));
  const idle = own === undefined ? undefined : /\s(\d+)\s+\S+\s+(none|\.|[\d+:]+)\s/.exec(own)?.[2];
  const [, days = 0, hours = 0, minutes = 0] = /^(?:(\d+)\+)?(?:(\d+):)?(\d+)$/.exec(idle ?? "") ?? [];
  const idleMinutes = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
  return {
    idleMs: idle === undefined ? undefined : idleMinutes * 60_000,
    isLocked: logon === "" ? undefined : logon.includes("LogonUI.exe"),
  };
}
