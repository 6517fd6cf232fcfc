// Whether tmux passes escape sequences on.
import { isAbsolute } from "node:path";
import type { AgentTerminal } from "../../../model/agent-terminal.ts";
import { findProgram } from "../../../system/process/find-program.ts";
import { runProcess } from "../../../system/process/run.ts";
import type { ChannelTools } from "../../channel-type.ts";

const answerTimeoutMs = 1500;

export const passthroughFix =
  "run `tmux set -g allow-passthrough on` and add `set -g allow-passthrough on` to ~/.tmux.conf; or set `style` to bel";

/**
 * Why tmux does not pass sequences of this pane on; undefined when it does, or when that is not known. Versions before 3.3
 * pass everything on: https://man.openbsd.org/tmux.1#allow-passthrough
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
  // Each session lists the windows that it shares.
  const own = panes.filter(([tty]) => tty === device);
  if (own.some(([, , option]) => option === "0" || option === "off")) return "tmux has allow-passthrough off";
  const isHidden = own.length > 0 && own.every(([, isActive]) => isActive === "0");
  if (isHidden && own.some(([, , option]) => option === "1" || option === "on")) {
    return "tmux, with allow-passthrough on, passes on only what comes from its visible window";
  }
  return undefined;
}
