// What tmux says about a pane and the clients that show it.
import { isAbsolute } from "node:path";
import type { AgentTerminal } from "../../model/places/agent-terminal.ts";
import type { Environment } from "../environment.ts";
import { findProgram } from "../process/find-program.ts";
import { runProcess } from "../process/run.ts";
import type { Limits } from "./observed.ts";

export interface TmuxClient {
  device: string;
  pid: number;
  /** Seconds since the epoch. */
  activeAt: number;
  /** Undefined with tmux's `focus-events` off. */
  isFocused: boolean | undefined;
}

export interface TmuxView {
  showing: TmuxClient[];
  /** The person may type into another client. */
  all: TmuxClient[];
}

const paneFormat = "pane #{pane_tty} #{pane_active} #{window_active} #{session_id} #{focus-events}";
const clientFormat = "client #{client_tty} #{client_pid} #{client_activity} #{client_flags} #{session_id}";

/** Undefined when it is no tmux pane, or tmux does not say. */
export async function observeTmux(
  { device, env: terminalEnv }: Pick<AgentTerminal, "device" | "env">,
  env: Environment,
  platform: NodeJS.Platform,
  limits: Limits,
): Promise<TmuxView | undefined> {
  const [socket = ""] = (terminalEnv?.TMUX ?? "").split(",");
  const program = isAbsolute(socket) ? findProgram("tmux", env, platform) : undefined;
  if (program === undefined) return undefined;
  const list = ["list-panes", "-a", "-F", paneFormat, ";", "list-clients", "-F", clientFormat];
  const answer = await runProcess({ argv: [program, "-S", socket, ...list], env, ...limits });
  return answer.status === "exited" && answer.code === 0 ? readTmuxView(answer.stdout, device) : undefined;
}

/** tmux lists the pane once for each session that shares the window. */
export function readTmuxView(text: string, device: string): TmuxView | undefined {
  const lines = text.split("\n").map((line) => line.split(" "));
  const panes = lines.filter(([kind, tty]) => kind === "pane" && tty === device);
  if (panes.length === 0) return undefined;
  const hasFocusEvents = panes.some(([, , , , , option]) => option === "1" || option === "on");
  const shownIn = new Set(
    panes.flatMap(([, , isPaneActive, isWindowActive, session]) =>
      isPaneActive === "1" && isWindowActive === "1" ? [session] : [],
    ),
  );
  const clients = lines
    .filter(([kind]) => kind === "client")
    .map(([, tty = "", pid, activeAt, flags = "", session]) => ({
      client: {
        device: tty,
        pid: Number(pid),
        activeAt: Number(activeAt),
        isFocused: hasFocusEvents ? flags.split(",").includes("focused") : undefined,
      },
      session,
    }));
  return {
    showing: clients.flatMap(({ client, session }) => (shownIn.has(session) ? [client] : [])),
    all: clients.map(({ client }) => client),
  };
}
