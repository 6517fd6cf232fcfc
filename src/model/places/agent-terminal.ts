// The terminal that a session's agent runs in.
import * as z from "zod";

/** All that is read from an agent's environment. */
export const terminalVariables = [
  "TERM",
  "TERM_PROGRAM",
  "LC_TERMINAL",
  "KITTY_WINDOW_ID",
  "WT_SESSION",
  "KONSOLE_VERSION",
  "VTE_VERSION",
  "TMUX",
  "TMUX_PANE",
  "STY",
  "ZELLIJ",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "SWAYSOCK",
  "HYPRLAND_INSTANCE_SIGNATURE",
] as const;

export const agentTerminalSchema = z.lazy(() =>
  z.object({
    /** `/dev/pts/3` */
    device: z.string(),
    /** The id of a process in the terminal, usually the agent. */
    pid: z.number(),
    /** The start of the process, since process ids are reused. */
    start: z.string(),
    env: z.record(z.string(), z.string()).optional(),
  }),
);
export type AgentTerminal = z.infer<typeof agentTerminalSchema>;
