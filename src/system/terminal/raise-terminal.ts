// Brings the terminal that an agent runs in to the front, and says what can be raised on this desktop.
import type { X11Client } from "x11/lib/xcore.js";
import { readFileSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentTerminal } from "../../model/places/agent-terminal.ts";
import { environmentOf, type Environment } from "../environment.ts";
import { focusWlroots } from "../presence/wlroots.ts";
import { ancestryOf } from "../process/identity.ts";
import { isStillThere } from "./find-terminal.ts";
import { openLink } from "./open-link.ts";
import { findProgram } from "../process/find-program.ts";
import { runProcess } from "../process/run.ts";
import { atomOf, readNumbers, readProperty, withX11 } from "../desktop/x11.ts";

export interface WantedTerminal {
  terminal: AgentTerminal;
  /** The folder where the session works. */
  folder: string | undefined;
  /** Lets an editor come to the front on Wayland. */
  activationToken: string | undefined;
}

/** A desktop that takes longer does not answer. */
const raiseLimitMs = 2000;

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
  const notRaised = (why: string): string =>
    terminal.env?.TMUX === undefined
      ? `not raised: ${why}`
      : `selected its pane of tmux; its window is not raised: ${why}`;
  // A pane's own variables are those of the terminal that started tmux.
  const own: Environment = environmentOf(pid, seatVariables) ?? {};
  if (own.SSH_CONNECTION) return notRaised("it runs over SSH");
  const seat = { ...env, ...own };
  const pids = ancestryOf(pid).map((each) => each.pid);
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
  return notRaised(seat.WAYLAND_DISPLAY ? waylandRefuses : "no window here belongs to it");
}

const waylandRefuses = "this Wayland desktop lets no program raise another one's window";

/** Describes it in words for `doctor`. */
export async function describeRaising(env: Environment): Promise<string> {
  const display = localDisplay(env);
  const signal = AbortSignal.timeout(raiseLimitMs);
  if (env.SWAYSOCK || env.HYPRLAND_INSTANCE_SIGNATURE) return "raises the terminal";
  if (env.WAYLAND_DISPLAY) return `raises editors, and terminals that use X11; no others: ${waylandRefuses}`;
  if (display === undefined) return "raises nothing: no screen is known here (DISPLAY is not set)";
  const hasManager = await withX11(display, signal, ({ client }, root) => isManaged(client, root)).catch(() => false);
  return hasManager ? "raises the terminal" : "raises nothing: the screen has no window manager";
}

/** The X server of a machine far away has other windows. */
function localDisplay({ DISPLAY = "" }: Environment): string | undefined {
  return /^:\d+/.test(DISPLAY) ? DISPLAY : undefined;
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

interface Limits {
  timeoutMs: number;
  signal: AbortSignal;
}

/** The process of the client that shows the pane now. */
async function selectTmuxPane(
  { TMUX = "", TMUX_PANE: pane = "" }: NonNullable<AgentTerminal["env"]>,
  env: Environment,
  limits: Limits,
): Promise<number | undefined> {
  const [socket = ""] = TMUX.split(",");
  const program = isAbsolute(socket) ? findProgram("tmux", env, "linux") : undefined;
  if (program === undefined || !/^%\d+$/.test(pane)) return undefined;
  const tmux = async (...args: string[]): Promise<string> => {
    const result = await runProcess({ argv: [program, "-S", socket, ...args], env, ...limits });
    return result.status === "exited" && result.code === 0 ? result.stdout : "";
  };
  const select = ["select-window", "-t", pane, ";", "select-pane", "-t", pane];
  const session = ["display-message", "-p", "-t", pane, "#{session_id}"];
  const list = ["list-clients", "-F", "#{client_activity} #{client_pid} #{session_id} #{client_tty}"];
  const [own = "", ...lines] = (await tmux(...select, ";", ...session, ";", ...list)).trim().split("\n");
  const clients = lines
    .map((line) => line.split(" "))
    .sort(([a], [b]) => Number(b) - Number(a))
    .map(([, pid, shows, device = ""]) => ({ pid: Number(pid), shows, device }));
  const client = clients.find(({ shows }) => shows === own) ?? clients[0];
  if (client !== undefined && client.shows !== own) await tmux("switch-client", "-c", client.device, "-t", own);
  return client?.pid;
}

/** Works if the user lets programs control kitty or WezTerm. WezTerm's part follows its documentation and was not tried. */
async function selectTab(own: Environment, env: Environment, limits: Limits): Promise<void> {
  const { KITTY_LISTEN_ON: kitty, KITTY_WINDOW_ID: window, WEZTERM_UNIX_SOCKET: wezterm, WEZTERM_PANE: pane } = own;
  const [name, ...args] =
    kitty && window
      ? ["kitty", "@", "--to", kitty, "focus-window", "--match", `id:${window}`]
      : wezterm && pane
        ? ["wezterm", "cli", "activate-pane", "--pane-id", pane]
        : [];
  const program = name === undefined ? undefined : findProgram(name, env, "linux");
  if (program !== undefined) await runProcess({ argv: [program, ...args], env: { ...env, ...own }, ...limits });
}

interface WantedWindow {
  /** The terminal's process and its ancestors. */
  pids: readonly number[];
  /** The terminal's `WINDOWID`. */
  windowId: number | undefined;
  /** Tells the windows of one program apart. */
  folder: string | undefined;
}

/** Window managers obey a taskbar. */
const fromPager = 2;

/** False when it cannot. */
function raiseWindow(display: string, wanted: WantedWindow, signal: AbortSignal): Promise<boolean> {
  return withX11(display, signal, async ({ client }, root) => {
    const window = (await isManaged(client, root)) ? await findWindow(client, root, wanted) : undefined;
    if (window === undefined) return false;
    const message = await atomOf(client, "_NET_ACTIVE_WINDOW");
    client.SendClientMessage(root, window, message, 32, [fromPager, 0, 0, 0, 0]);
    // The answer to this comes after the message was taken.
    await readNumbers(client, root, "_NET_ACTIVE_WINDOW");
    return true;
  });
}

/** A window manager that was killed leaves the name of its window behind. */
async function isManaged(client: X11Client, root: number): Promise<boolean> {
  const [window] = await readNumbers(client, root, "_NET_SUPPORTING_WM_CHECK");
  if (window === undefined) return false;
  const [itself] = await readNumbers(client, window, "_NET_SUPPORTING_WM_CHECK").catch((): number[] => []);
  return itself === window;
}

/** A program that a terminal started inherits its `WINDOWID`. */
async function findWindow(
  client: X11Client,
  root: number,
  { pids, windowId, folder }: WantedWindow,
): Promise<number | undefined> {
  // The topmost last.
  const ids = await readNumbers(client, root, "_NET_CLIENT_LIST_STACKING");
  const windows = await Promise.all(
    ids.map(async (id) => {
      const [pid] = await readNumbers(client, id, "_NET_WM_PID").catch((): number[] => []);
      return { id, pid };
    }),
  );
  const owner = pids.find((each) => windows.some(({ pid }) => pid === each));
  const own = windows
    .filter(({ id, pid }) => (pid === undefined ? id === windowId : pid === owner))
    .map(({ id }) => id);
  if (windowId !== undefined && own.includes(windowId)) return windowId;
  if (own.length < 2 || folder === undefined) return own.at(-1);
  const titles = await Promise.all(
    own.map((id) => readProperty(client, id, "_NET_WM_NAME").catch(() => Buffer.alloc(0))),
  );
  return own.findLast((_id, index) => titles[index]?.toString("utf8").includes(folder)) ?? own.at(-1);
}
