// What the machine says about a session: which terminal its agent runs in, and where the person is.
import type { PayloadReading } from "../../agents/read-payload.ts";
import type { Presence } from "../../attention/presence.ts";
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import { readSession } from "../../outbox/sessions.ts";
import { isEventAwaited } from "../../rules/apply/awaited-events.ts";
import type { Rule } from "../../rules/rules.ts";
import { findTerminal } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";

interface Call {
  callerPids: readonly number[];
  receivedAt: number;
}

/** Only what the rules can use, since looking takes time. */
export async function observeMoment(
  dispatcher: Dispatcher,
  { agentId, eventName, facts }: PayloadReading & { status: "valid" },
  call: Call,
): Promise<{ terminal: AgentTerminal | undefined; presence: Presence | undefined }> {
  const terminal = findAgentTerminal(dispatcher, call);
  const asking = dispatcher.rules().rules.rules.filter(wantsPresence);
  if (!isEventAwaited(asking, agentId, eventName)) return { terminal, presence: undefined };
  const known = terminal ?? readSession(dispatcher.layout, agentId, facts.session).terminal;
  return { terminal, presence: await dispatcher.observePresence?.(known, dispatcher.tools.env) };
}

export function wantsPresence({ attention: { away, focused, locked } }: Rule): boolean {
  return away !== undefined || focused !== undefined || locked !== undefined;
}

/** The hook has ended by now; the agent mostly has not. */
function findAgentTerminal({ rules, tools }: Dispatcher, { callerPids, receivedAt }: Call): AgentTerminal | undefined {
  const { channels, rules: all, stuckAfterMs } = rules().rules;
  const isUsed = Object.values(channels).some(
    ({ channelType: { isShownInTerminal, raisesTerminal } }) => isShownInTerminal || raisesTerminal,
  );
  if (!isUsed && stuckAfterMs === undefined && !all.some(wantsPresence)) return undefined;
  for (const pid of callerPids) {
    const terminal = findTerminal(pid, tools.clock.now() - receivedAt);
    if (terminal !== undefined) return terminal;
  }
  return undefined;
}
