// Calls a hook as the agent would, and follows the payload into the journal.
import type { SampleCall } from "../../agents/sample.ts";
import type { HookSetup } from "../../agents/hook-setup.ts";
import { type JournalEntry, tailJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { type Clock, sleep } from "../../system/clock.ts";
import type { Environment } from "../../system/environment.ts";
import { isToolCall } from "../../model/event.ts";
import { objectsOf } from "../../model/json.ts";
import { isVerification, verificationSession } from "../../model/own-events.ts";
import { randomId } from "../../system/crypto.ts";
import { runAsAgent, type AgentCallResult } from "../../system/process/run-as-agent.ts";
import type { InstalledCall } from "./installed-calls.ts";

export interface VerifyContext {
  layout: Layout;
  clock: Clock;
  env: Environment;
  /** An empty folder. */
  cwd: string;
  /** Whether the samples are delivered. */
  isDelivering: boolean;
  /** Whether there is hope that the payload arrives, although it may take seconds. */
  isPatient: boolean;
}

export interface SampleArrival {
  agent: string;
  name: string;
  /** Milliseconds after the call. */
  afterMs: number;
  /** `held`: why it is not sent to the channel now. */
  channels: { channel: string; rule: string; held?: string }[];
  /** True if nothing was delivered because this is a verification. */
  isQuiet: boolean;
  why?: string;
}

export interface VerifiedCall {
  call: InstalledCall;
  result: AgentCallResult;
  arrival: SampleArrival | undefined;
  /** Why the dispatcher refused it. */
  rejected: string[] | undefined;
}

/** Long enough to start a dispatcher on a busy machine. */
const maxWayMs = 15_000;
/** A hook that failed may have sent the payload before. */
const brokenWayMs = 500;
const lookEveryMs = 10;

export async function verifyCall(
  { id: agentId, hookSetup }: { id: string; hookSetup: Pick<HookSetup, "sample"> },
  call: InstalledCall,
  context: VerifyContext,
): Promise<VerifiedCall> {
  const { layout, clock, env, cwd, isDelivering, isPatient } = context;
  const session = verificationSession(randomId(), isDelivering);
  const readOn = tailJournal(layout);
  const startedAt = clock.now();
  const result = await callAsAgent(hookSetup, call, { session, cwd, at: new Date(startedAt).toISOString() }, env);
  const verified: VerifiedCall = { call, result, arrival: undefined, rejected: undefined };
  if (result.notStarted !== undefined || isNotFound(result)) return verified;
  const seen: JournalEntry[] = [];
  for (;;) {
    seen.push(...readOn());
    const arrival = arrivalOf(seen, session, startedAt);
    const rejected = rejectionOf(seen, agentId);
    if (arrival !== undefined || rejected !== undefined) return { ...verified, arrival, rejected };
    const patienceMs = result.code === 0 && isPatient ? maxWayMs : brokenWayMs;
    if (clock.now() - startedAt > result.waitedMs + patienceMs) return verified;
    await sleep(clock, lookEveryMs);
  }
}

/** Runs the hook with a sample of its event. */
export function callAsAgent(
  { sample }: Pick<HookSetup, "sample">,
  { event, argv, takes, timeoutMs }: InstalledCall,
  made: Omit<SampleCall, "event">,
  env: Environment,
): Promise<AgentCallResult> {
  const payload = sample.payload({ event, ...made });
  const text = JSON.stringify(takes === "plugIn" ? { ...payload, directory: made.cwd } : payload);
  const isByStdin = takes === "stdin";
  return runAsAgent({
    argv: isByStdin ? argv : [...argv, text],
    stdin: isByStdin ? text : undefined,
    env: {
      ...env,
      ...sample.variables?.(payload),
      ...Object.fromEntries((sample.projectVariables ?? []).map((name) => [name, made.cwd])),
    },
    cwd: made.cwd,
    timeoutMs,
  });
}

/** The exit codes of shells, and of cmd.exe, for a program that does not exist or cannot be run. */
export function isNotFound({ code }: AgentCallResult): boolean {
  return code === 126 || code === 127 || code === 9009;
}

function arrivalOf(entries: readonly JournalEntry[], session: string, startedAt: number): SampleArrival | undefined {
  for (const { kind, event, at: recordedAt } of entries) {
    const told = event as { id: string; session: string; agent: string; name: string } | undefined;
    if (kind !== "event" || told?.session !== session) continue;
    const decision = entries.find((entry) => entry.kind === "decision" && entry.event === told.id);
    if (decision === undefined) {
      const { agent, name } = told;
      const afterMs = Math.max(0, Date.parse(recordedAt) - startedAt);
      // A tool call that no rule names is only counted, without a decision.
      const isCounted = isToolCall(name) && !isVerification(session);
      return isCounted ? { agent, name, afterMs, channels: [], isQuiet: false } : undefined;
    }
    const { at, why, wouldReach, deliveries } = decision as JournalEntry & { why?: string };
    const dropped = objectsOf(decision.silent).filter(({ by }) => by !== undefined);
    const notNow = dropped.map(({ channel, rule, why: held }) => ({ channel, rule, held }));
    const channels = (wouldReach ?? [...objectsOf(deliveries), ...notNow]) as SampleArrival["channels"];
    const afterMs = Math.max(0, Date.parse(at) - startedAt);
    const { agent, name } = told;
    return {
      agent,
      name,
      afterMs,
      channels: channels.map(({ channel, rule, held }) => ({ channel, rule, ...(held === undefined ? {} : { held }) })),
      isQuiet: wouldReach !== undefined,
      ...(why === undefined || wouldReach !== undefined ? {} : { why }),
    };
  }
  return undefined;
}

/** No other payload of this agent is refused in these seconds. */
function rejectionOf(entries: readonly JournalEntry[], agentId: string): string[] | undefined {
  const found = entries.find(({ kind, cameAs }) => kind === "rejected" && String(cameAs).includes(`.${agentId}.`));
  return found === undefined ? undefined : (found.reasons as string[]);
}
