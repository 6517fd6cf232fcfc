import * as z from "zod";

/** The environment variables by which terminals say who they are; of an agent's environment, no others are looked at. */
export const terminalVariables = [
  "TERM",
  "TERM_PROGRAM",
  "LC_TERMINAL",
  "KITTY_WINDOW_ID",
  "WT_SESSION",
  "KONSOLE_VERSION",
  "VTE_VERSION",
  "TMUX",
  "STY",
  "ZELLIJ",
] as const;

/** The terminal that a session's agent runs in. */
export const agentTerminalSchema = z.object({
  /** `/dev/pts/3` */
  device: z.string(),
  /** A process whose controlling terminal it is: the agent's own, mostly. */
  pid: z.number(),
  /** When that process began, as its system says it: process ids and devices are used again. */
  start: z.string(),
  /** That process's `terminalVariables`; absent where the system does not show them. */
  env: z.record(z.string(), z.string()).optional(),
});
export type AgentTerminal = z.infer<typeof agentTerminalSchema>;
