// Enrich: what the machine says beside the payload. The only stage that waits for something outside.
import { type Presence, wantsPresence } from "../../policies/presence.ts";
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { readSession } from "../../outbox/sessions.ts";
import { isEventAwaited } from "../../rules/apply/match.ts";
import { turnOf } from "../../sessions/state.ts";
import { findWorkTree } from "../../system/files/git.ts";
import { expandHome } from "../../system/paths.ts";
import { findTerminal } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { asks } from "../understand/event-of.ts";
import { withTrueEnd } from "../understand/transcript.ts";
import type { PayloadOrigin, ValidReading } from "../understand/reading.ts";
import type { Enriched, Identified } from "./context.ts";
import { withFinding } from "../stages.ts";

/** The session is read a second time by `track`: this takes time, in which it goes on. */
export async function enrich(context: Identified, dispatcher: Dispatcher): Promise<Enriched> {
  const { origin } = context;
  const { agentId, facts } = context.reading;
  const session = readSession(dispatcher.layout, agentId, facts.session);
  const reading = withTrueEnd(context.reading, { from: turnOf(session)?.startedAt, to: origin.receivedAt });
  const terminal = findAgentTerminal(dispatcher, reading, origin);
  const presence = await findUser(dispatcher, reading, terminal ?? session.terminal);
  const { home } = dispatcher.tools;
  const cwd = expandHome(reading.facts.cwd, home);
  const workTree = cwd === "" ? undefined : findWorkTree(cwd, home);
  const trace = withFinding(
    context.trace,
    "enrich",
    describePresence(presence),
    terminal === undefined ? "no terminal found" : "in a terminal",
    workTree === undefined ? "no git work tree" : "in a git work tree",
  );
  return { ...context, reading, terminal, presence, workTree, trace };
}

function describePresence(presence: Presence | undefined): string {
  if (presence === undefined) return "no rule asks where you are";
  const { idleMs, isLocked, isFocused } = presence;
  const signs = [
    isLocked === true ? "the screen is locked" : undefined,
    isFocused === true ? "its terminal has the focus" : undefined,
    idleMs === undefined ? undefined : `you did nothing for ${formatDuration(idleMs)}`,
  ].filter((each) => each !== undefined);
  return signs.length === 0 ? "where you are is not known" : signs.join(", ");
}

/** Looks only if a rule asks where the user is. */
async function findUser(
  { rules, tools, observePresence }: Dispatcher,
  { agentId, eventName, facts }: ValidReading,
  terminal: AgentTerminal | undefined,
): Promise<Presence | undefined> {
  const asking = rules().rules.rules.filter(({ policies }) => wantsPresence(policies));
  if (asking.length === 0 || !isEventAwaited(asking, agentId, eventName)) return undefined;
  return await observePresence?.(terminal, tools.env, { agent: agentId, session: facts.session });
}

/** The hook has ended by now; the agent mostly has not. Whether a session that asks is still there shows by its terminal. */
function findAgentTerminal(
  { rules, tools }: Dispatcher,
  reading: ValidReading,
  { callerPids, receivedAt }: PayloadOrigin,
): AgentTerminal | undefined {
  const { channels, rules: all, stuckAfterMs } = rules().rules;
  // The process of a session that works or waits may end without a hook.
  const isWatched = reading.eventName === "UserPromptSubmit" || asks(reading);
  const isUsed = Object.values(channels).some(
    ({ channelType: { isShownInTerminal, raisesTerminal } }) => isShownInTerminal || raisesTerminal,
  );
  if (!isUsed && stuckAfterMs === undefined && !isWatched && !all.some(({ policies }) => wantsPresence(policies)))
    return undefined;
  for (const pid of callerPids) {
    const terminal = findTerminal(pid, tools.clock.now() - receivedAt);
    if (terminal !== undefined) return terminal;
  }
  return undefined;
}
