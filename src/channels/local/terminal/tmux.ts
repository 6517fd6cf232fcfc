import { isAbsolute } from "node:path";
import type { AgentTerminal } from "../../../model/agent-terminal.ts";
import { findProgram } from "../../../system/process/find-program.ts";
import { runProcess } from "../../../system/process/run.ts";
import type { ChannelTools } from "../../channel-type.ts";

/** tmux answers in milliseconds; one that hangs must not keep the bell from ringing. */
const answerTimeoutMs = 1500;

export const passthroughMend =
  "tmux set -g allow-passthrough on, and the same line in ~/.tmux.conf for the next time; or let `style` be bel";

/**
 * Why the tmux that this terminal is a pane of passes no sequence on, or undefined when it does or nobody can tell.
 * tmux knows the option since 3.3; before, it passed everything on: https://man.openbsd.org/tmux.1#allow-passthrough
 */
export async function whyTmuxSwallows(
  { device, env }: Pick<AgentTerminal, "device" | "env">,
  tools: Pick<ChannelTools, "env" | "platform" | "signal">,
): Promise<string | undefined> {
  const [socket = ""] = ((env ?? tools.env).TMUX ?? "").split(",");
  const program = findProgram("tmux", tools.env, tools.platform);
  if (program === undefined || !isAbsolute(socket)) return undefined;
  const answer = await runProcess({
    argv: [program, "-S", socket, "list-panes", "-a", "-F", "#{pane_tty} #{window_active} #{allow-passthrough}"],
    env: tools.env,
    timeoutMs: answerTimeoutMs,
    signal: tools.signal,
  });
  if (answer.status !== "exited" || answer.code !== 0) return undefined;
  const panes = answer.stdout.split("\n").map((line) => line.split(" "));
  // A window that several sessions show is listed by each of them.
  const own = panes.filter(([tty]) => tty === device);
  if (own.some(([, , option]) => option === "0" || option === "off")) return "tmux has allow-passthrough off";
  const isHidden = own.length > 0 && own.every(([, isActive]) => isActive === "0");
  if (isHidden && own.some(([, , option]) => option === "1" || option === "on")) {
    return "tmux with allow-passthrough on passes on what comes from its visible window alone";
  }
  return undefined;
}
