// Enrich: what the machine says beside the payload. The only stage that waits for something outside.
import { type Presence, wantsPresence } from "../../policies/presence.ts";
import type { AgentTerminal } from "../../model/places/agent-terminal.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { readSession } from "../../outbox/sessions.ts";
import { readQuestion } from "../../answers/questions.ts";
import { argumentsOf } from "../../system/process/facts.ts";
import { isEventAwaited } from "../../rules/apply/match.ts";
import { asksStill, turnOf } from "../../sessions/state.ts";
import { findWorkTree } from "../../system/files/git.ts";
import { expandHome } from "../../system/paths.ts";
import { findTerminal } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { asks } from "../understand/event-of.ts";
import { sessionStartOf, withPendingCall, withTrueEnd } from "../understand/transcript.ts";
import type { PayloadOrigin, ValidReading } from "../understand/reading.ts";
import { withWakeUp } from "../understand/wake-up.ts";
import type { Enriched, Identified } from "./context.ts";
import { withFinding } from "../stages.ts";

/** The session is read a second time by `track`: this takes time, in which it goes on. */
export async function enrich(context: Identified, dispatcher: Dispatcher): Promise<Enriched> {
  const { origin } = context;
  const { agentId, facts } = context.reading;
  const session = readSession(dispatcher.layout, agentId, facts.session);
  const turn = { from: turnOf(session)?.startedAt, to: origin.receivedAt };
  const ended = withTrueEnd(context.reading, turn);
  // A question that its own event has told of is reminded of in its words.
  const named = session.open?.some(asksStill) === true ? ended : withPendingCall(ended, turn);
  const reading = withStart(withWakeUp(named, session), origin, dispatcher);
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
    reading === ended ? undefined : "the transcript names the call",
    workTree === undefined ? "no git work tree" : "in a git work tree",
  );
  return { ...context, reading, terminal, presence, workTree, trace };
}

/** Whether a person is before the session, and whether the agent asks one at all. */
function withStart(reading: ValidReading, origin: PayloadOrigin, { rules, layout }: Dispatcher): ValidReading {
  if (!isEventAwaited(rules().rules.rules, reading.agentId, reading.eventName)) return reading;
  const start = sessionStartOf(reading);
  if (start?.isHeadless !== true) return reading;
  const headless = { ...reading, facts: { ...reading.facts, headless: true } };
  const { asksOnlyWith: flag } = start;
  if (flag === undefined || reading.eventName !== "PermissionRequest") return headless;
  // A hook that waits makes it a question.
  if (readQuestion(layout, origin.position) !== undefined || !isKnownWithout(flag, origin)) return headless;
  return { ...headless, ignored: `${reading.agent.name} has no one to ask here, and denies it by itself` };
}

/** False where the command line cannot be read: a question that no one is told of would be worse. */
function isKnownWithout(flag: string, { callerPids, namedPid, remoteHost }: PayloadOrigin): boolean {
  if (remoteHost !== undefined) return false;
  const lines = [...(namedPid === undefined ? [] : [namedPid]), ...callerPids].flatMap((pid) => argumentsOf(pid) ?? []);
  return lines.length > 0 && !lines.some((word) => word === flag || word.startsWith(`${flag}=`));
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
