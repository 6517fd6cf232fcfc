// Where the person is, asked of everything on this machine that may know.
import { statSync } from "node:fs";
import type { AgentTerminal } from "../../model/places/agent-terminal.ts";
import { environmentOf, type Environment } from "../environment.ts";
import { listProcesses } from "../process/facts.ts";
import { observeDesktop, observeLogind } from "./desktop-buses.ts";
import { isInFocus } from "./focus.ts";
import { type Limits, merge, type PresenceSignals } from "./observed.ts";
import { observeMac, observeWindows } from "./other-systems.ts";
import { observeTmux, type TmuxView } from "./tmux.ts";
import { observeWlroots } from "./wlroots.ts";
import { observeX11 } from "./x11.ts";
import { untilAborted } from "../clock.ts";

export interface ObservedPresence {
  idleMs?: number | undefined;
  isLocked?: boolean | undefined;
  isFocused?: boolean | undefined;
}

export interface Probe {
  terminal: AgentTerminal | undefined;
  env: Environment;
  platform: NodeJS.Platform;
  nowMs: number;
  /** Later answers count as unknown. */
  limitMs?: number;
}

/** Agents keep a machine busy: with 150 ms, a loaded one often did not say where the focus is. */
const usualLimitMs = 400;

/** Never rejects. Libraries are loaded before the time counts. */
export async function probePresence(probe: Probe): Promise<ObservedPresence> {
  const { terminal, platform, nowMs } = probe;
  const env = { ...probe.env, ...terminal?.env };
  await Promise.allSettled([
    import("@homebridge/dbus-native"),
    import("x11/lib/xcore.js"),
    import("x11/lib/ext/screen-saver.js"),
  ]);
  const deadline = new AbortController();
  const { limitMs = usualLimitMs } = probe;
  const timer = setTimeout(() => deadline.abort(), limitMs);
  const limits = { timeoutMs: limitMs, signal: deadline.signal };
  const seen: PresenceSignals[] = [{ idleMs: terminalIdleMs(terminal?.device, nowMs) }];
  let tmux: TmuxView | undefined;
  const note = async (asked: Promise<PresenceSignals>): Promise<void> => void seen.push(await asked);
  const asked: Promise<unknown>[] = observers({ ...probe, env }, limits).map(note);
  if (terminal !== undefined) asked.push(observeTmux(terminal, env, platform, limits).then((view) => (tmux = view)));
  await Promise.race([Promise.allSettled(asked), untilAborted(deadline.signal)]);
  clearTimeout(timer);
  deadline.abort();
  if (tmux !== undefined) seen.push(...tmux.all.map(({ activeAt }) => ({ idleMs: nowMs - activeAt * 1000 })));
  const { idleMs, isLocked, focus } = merge(seen);
  return { idleMs, isLocked, isFocused: isFocused(probe, focus, tmux) };
}

function observers({ terminal, env, platform, nowMs }: Probe, limits: Limits): Promise<PresenceSignals>[] {
  if (platform === "darwin") return [observeMac(env, limits)];
  if (platform === "win32") return [observeWindows(env, limits)];
  const { DISPLAY: display = "", WAYLAND_DISPLAY: wayland } = env;
  return [
    observeDesktop(env, limits),
    observeLogind(terminal?.pid, limits, nowMs),
    observeWlroots(env, limits.signal),
    // Under Wayland, X sees only some windows and inputs.
    ...(/^:\d+/.test(display) && !wayland ? [observeX11(display, limits.signal)] : []),
  ];
}

/** The time is exact to about eight seconds. */
function terminalIdleMs(device: string | undefined, nowMs: number): number | undefined {
  if (device === undefined) return undefined;
  try {
    return nowMs - statSync(device).atimeMs;
  } catch {
    return undefined;
  }
}

function isFocused(
  { terminal, platform }: Probe,
  focus: PresenceSignals["focus"],
  tmux: TmuxView | undefined,
): boolean | undefined {
  if (terminal === undefined) return undefined;
  // Other multiplexers do not tell.
  const { TMUX, STY, ZELLIJ } = terminal.env ?? {};
  if (TMUX === undefined ? STY !== undefined || ZELLIJ !== undefined : tmux === undefined) return undefined;
  if (tmux?.showing.every((client) => client.isFocused === false)) return false;
  if (focus === undefined) return tmux?.showing.some((client) => client.isFocused) || undefined;
  const processes = listProcesses(platform);
  const seats = tmux === undefined ? [terminal.pid] : tmux.showing.map(({ pid }) => pid);
  const inFocus = seats.map((pid) => isInFocus(pid, focus, processes, windowIdOf));
  if (inFocus.includes(true)) return true;
  return inFocus.includes(undefined) ? undefined : false;
}

function windowIdOf(pid: number): number | undefined {
  const { WINDOWID: id = "" } = environmentOf(pid, ["WINDOWID"]) ?? {};
  return /^\d+$/.test(id) ? Number(id) : undefined;
}
