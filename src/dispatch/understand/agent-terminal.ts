// Finds the terminal of the agent that sent a payload, where a channel needs it.
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import { findTerminal } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";

export function findAgentTerminal(
  { rules, tools }: Dispatcher,
  { callerPids, receivedAt }: { callerPids?: readonly number[]; receivedAt: number },
): AgentTerminal | undefined {
  // It is only explained.
  if (callerPids === undefined) return undefined;
  const { channels } = rules().rules;
  if (!Object.values(channels).some(({ channelType }) => channelType.isShownInTerminal)) return undefined;
  for (const pid of callerPids) {
    const terminal = findTerminal(pid, tools.clock.now() - receivedAt);
    if (terminal !== undefined) return terminal;
  }
  return undefined;
}
