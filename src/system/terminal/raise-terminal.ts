// Brings the terminal that an agent runs in to the front, and says what can be raised on this desktop.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import { environmentOf, type Environment } from "../environment.ts";
import { focusWlroots } from "../presence/wlroots.ts";
import { processLook } from "../process/facts.ts";
import { isStillThere } from "./find-terminal.ts";
import { openLink } from "./open-link.ts";
import { hasWindowManager, raiseWindow } from "./raise-window.ts";
import { selectTab, selectTmuxPane } from "./select-pane.ts";

export interface WantedTerminal {
  terminal: AgentTerminal;
  /** The folder where the session works. */
  folder: string | undefined;
  /** Lets an editor come to the front on Wayland. */
  activationToken: string | undefined;
}

/** A desktop that takes longer does not answer. */
const raiseLimitMs = 2000;
const maxAncestors = 64;

const seatVariables = [
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
  "SWAYSOCK",
  "HYPRLAND_INSTANCE_SIGNATURE",
  "SSH_CONNECTION",
  "WINDOWID",
  "KITTY_LISTEN_ON",
  "KITTY_WINDOW_ID",
  "WEZTERM_UNIX_SOCKET",
  "WEZTERM_PANE",
];

/** Resolves to what it did, in words. Never rejects. Linux and BSD. */
export async function raiseTerminal(wanted: WantedTerminal, env: Environment): Promise<string> {
  const { terminal, folder } = wanted;
  if (!isStillThere(terminal)) return "not raised: the terminal is closed";
  const limits = { timeoutMs: raiseLimitMs, signal: AbortSignal.timeout(raiseLimitMs) };
  let { pid } = terminal;
  if (terminal.env?.TMUX !== undefined) {
    const client = await selectTmuxPane(terminal.env, env, limits);
    if (client === undefined) return "not raised: no terminal is attached to its tmux session";
    pid = client;
  }
  // A pane's own variables are those of the terminal that started tmux.
  const own: Environment = environmentOf(pid, seatVariables) ?? {};
  if (own.SSH_CONNECTION) return "not raised: it runs over SSH";
  const seat = { ...env, ...own };
  const pids = ancestorsOf(pid);
  await selectTab(own, env, limits);
  if (await focusWlroots(seat, pids, limits.signal).catch(() => false)) return "raised its window";
  const name = folder === undefined ? undefined : basename(folder);
  const windowId = Number(own.WINDOWID) || undefined;
  const isRaised = (display: string): Promise<boolean> =>
    raiseWindow(display, { pids, windowId, folder: name || undefined }, limits.signal).catch(() => false);
  const display = localDisplay(seat);
  if (display !== undefined && (await isRaised(display))) return "raised its window";
  const scheme = editorScheme(pids);
  if (scheme !== undefined && folder !== undefined) {
    const link = `${scheme}://file${pathToFileURL(folder).pathname}`;
    if (openLink(link, seat, "linux", wanted.activationToken)) return `opened its folder in the editor (${scheme})`;
  }
  return `not raised: ${seat.WAYLAND_DISPLAY ? waylandRefuses : "no window here belongs to it"}`;
}

const waylandRefuses = "this Wayland desktop lets no program raise another one's window";

/** Describes it in words for `doctor`. */
export async function describeRaising(env: Environment): Promise<string> {
  const display = localDisplay(env);
  const signal = AbortSignal.timeout(raiseLimitMs);
  if (env.SWAYSOCK || env.HYPRLAND_INSTANCE_SIGNATURE) return "raises the terminal";
  if (env.WAYLAND_DISPLAY) return `raises editors, and terminals that use X11; no others: ${waylandRefuses}`;
  if (display === undefined) return "raises nothing: no screen is known here (DISPLAY is not set)";
  const hasManager = await hasWindowManager(display, signal).catch(() => false);
  return hasManager ? "raises the terminal" : "raises nothing: the screen has no window manager";
}

/** The X server of a machine far away has other windows. */
function localDisplay({ DISPLAY = "" }: Environment): string | undefined {
  return /^:\d+/.test(DISPLAY) ? DISPLAY : undefined;
}

function ancestorsOf(pid: number): number[] {
  const look = processLook();
  const pids: number[] = [];
  for (let next = pid; next > 1 && pids.length < maxAncestors; next = look(next)?.parentPid ?? 0) pids.push(next);
  return pids;
}

/** The keys name the process that the editor runs its terminals in. */
const editorSchemes: Readonly<Record<string, string>> = {
  code: "vscode",
  "code-insiders": "vscode-insiders",
  codium: "vscodium",
  cursor: "cursor",
  windsurf: "windsurf",
};

function editorScheme(pids: readonly number[]): string | undefined {
  return pids.flatMap((pid) => editorSchemes[nameOf(pid)] ?? [])[0];
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}
