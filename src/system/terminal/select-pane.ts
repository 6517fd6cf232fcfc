// Selects the pane or tab in which an agent runs, in tmux, kitty or WezTerm.
import { isAbsolute } from "node:path";
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import type { Environment } from "../environment.ts";
import { findProgram } from "../process/find-program.ts";
import { runProcess } from "../process/run.ts";

interface Limits {
  timeoutMs: number;
  signal: AbortSignal;
}

/** The process of the client that shows the pane now. */
export async function selectTmuxPane(
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
export async function selectTab(own: Environment, env: Environment, limits: Limits): Promise<void> {
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
