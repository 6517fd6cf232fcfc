import type { AgentTerminal } from "../../model/agent-terminal.ts";
import { findTerminal } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";

/**
 * Where the agent runs that has sent us a payload: its hook has ended by now, and the agent itself mostly has not.
 * Looked for only where a channel wants to know it.
 */
export function findAgentTerminal(
  { rules, tools }: Dispatcher,
  { callerPids, receivedAt }: { callerPids?: readonly number[]; receivedAt: number },
): AgentTerminal | undefined {
  // Nobody has called: it is being explained.
  if (callerPids === undefined) return undefined;
  const { channels } = rules().rules;
  if (!Object.values(channels).some(({ channelType }) => channelType.isShownInTerminal)) return undefined;
  for (const pid of callerPids) {
    const terminal = findTerminal(pid, tools.clock.now() - receivedAt);
    if (terminal !== undefined) return terminal;
  }
  return undefined;
}
