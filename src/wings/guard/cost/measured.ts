// What hookbell's own hooks cost here: each is run a few times as its agent runs it, beside a state folder of its own, so that nothing of
// it is left. How often they ran is in the journal.
import { removeQuestion, listQuestions } from "../../../answers/questions.ts";
import { ownerOf } from "../../../install/command/owner.ts";
import { recordStore } from "../../../install/record/record.ts";
import { type AgentTarget, listTargets } from "../../../install/target/agent-target.ts";
import { findInstalledCalls, type InstalledCall } from "../../../install/verify/installed-calls.ts";
import { callAsAgent } from "../../../install/verify/verify-call.ts";
import { objectOf, textOf } from "../../../model/json.ts";
import { isTrial, verificationSession } from "../../../model/own-events.ts";
import { listIncoming } from "../../../outbox/incoming.ts";
import { listJournal, readJournal } from "../../../outbox/journal.ts";
import { type Layout, layoutOf } from "../../../outbox/layout.ts";
import { type Lease, takeLease } from "../../../outbox/lease/lease.ts";
import { type Clock, sleep } from "../../../system/clock.ts";
import { randomId } from "../../../system/crypto.ts";
import { ensurePrivateDir, inTemporaryFolder } from "../../../system/files/files.ts";
import { hostName, nameOwnProcess } from "../../../system/process/identity.ts";
import { join } from "node:path";
import { shownCommand } from "../shown.ts";
import { costOf, costPeriodMs, type CostPlaces, type HookCost, mayWait } from "./cost.ts";

const runs = 9;
const maxRunMs = 10_000;
const lookEveryMs = 5;

export interface Measuring extends CostPlaces {
  clock: Clock;
}

/** There is a row for each event that came in the period, unless the agent has recorded hookbell's hook by itself. */
export async function measuredCosts(io: Measuring, recorded: readonly HookCost[]): Promise<HookCost[]> {
  const { env, places, platform, clock } = io;
  const known = new Set(recorded.filter(({ isOwn }) => isOwn).map(({ agent, event }) => keyOf(agent, event)));
  const counts = countCalls(layoutOf(places.stateDir), clock.now() - costPeriodMs);
  const { hookPaths } = recordStore(places.stateDir).read();
  const wanted = listTargets(env, places.home, platform).flatMap((target) => {
    const owner = (command: string, args: readonly string[]) => ownerOf(command, args, "", hookPaths);
    return findInstalledCalls(target, platform, owner, env).calls.flatMap((call) => {
      const count = counts.get(keyOf(target.id, call.event)) ?? 0;
      // A plug-in starts the hook and goes on, so the agent does not wait for it.
      const isMeant = count > 0 && call.takes === "stdin" && !known.has(keyOf(target.id, call.event));
      return isMeant ? [{ target, call, count }] : [];
    });
  });
  if (wanted.length === 0) return [];
  return await besideTheState(clock, async (place) => {
    const costs: HookCost[] = [];
    // Most events of an agent have the same hook.
    const measured = new Map<string, number[]>();
    for (const { target, call, count } of wanted) {
      const key = JSON.stringify([target.id, call.argv]);
      const times = measured.get(key) ?? (await timesOf(target, call, place, io));
      measured.set(key, times);
      const row = { agent: target.id, event: call.event, commands: [shownCommand(call.shown)], isOwn: true };
      if (times.length > 0) costs.push(costOf({ ...row, source: "measured", calls: count }, times));
    }
    return costs;
  });
}

/** Grok writes its events in another way into payloads than into settings. */
function keyOf(agent: string, event: string): string {
  return `${agent} ${event.replaceAll("_", "").toLowerCase()}`;
}

/** How often each agent called hookbell of this machine with each of its events. */
function countCalls(layout: Layout, since: number): Map<string, number> {
  const counts = new Map<string, number>();
  const firstDay = new Date(since).toISOString().slice(0, 10);
  const host = hostName();
  for (const file of listJournal(layout).filter((name) => name.slice(0, 10) >= firstDay)) {
    for (const { kind, at, event, calledAs, known } of readJournal(layout, file)) {
      if (kind !== "event" || Date.parse(at) < since) continue;
      const told = objectOf(event);
      // No hook told of it.
      if (told.host !== host || objectOf(known).observed !== undefined || isTrial(textOf(told.session) ?? "")) continue;
      const agent = textOf(calledAs) ?? textOf(told.agent) ?? "";
      const key = keyOf(agent, textOf(told.agentEvent) ?? textOf(told.name) ?? "");
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

interface Place {
  layout: Layout;
  lease: Lease;
  /** An empty folder. */
  cwd: string;
}

/** A state folder whose dispatcher is this process, so that hooks find one at work, as they usually do, and start none. */
async function besideTheState<T>(clock: Clock, run: (place: Place) => Promise<T>): Promise<T | []> {
  return await inTemporaryFolder(async (folder) => {
    const layout = layoutOf(join(folder, "state"));
    const cwd = join(folder, "hookbell-verification");
    for (const each of [layout.root, cwd]) ensurePrivateDir(each);
    // The shell hook knows a dispatcher by its name.
    nameOwnProcess();
    const lease = takeLease(layout, clock);
    return lease === undefined ? [] : await run({ layout, lease, cwd });
  });
}

/** None for a hook that does not work: `hookbell doctor` says why. */
async function timesOf(
  { hookSetup }: AgentTarget,
  call: InstalledCall,
  { layout, lease, cwd }: Place,
  { env, clock }: Measuring,
): Promise<number[]> {
  const isAsking = mayWait(` ${call.argv.join(" ")}`);
  const times: number[] = [];
  // The first run is not counted: it compiles what the state folder keeps for later ones.
  for (let run = 0; run <= runs; run += 1) {
    if (!lease.renew()) return [];
    const before = listIncoming(layout).length;
    // No one would be asked in the session of a verification.
    const session = isAsking ? randomId() : verificationSession(randomId(), false);
    const made = { session, cwd, at: new Date(clock.now()).toISOString() };
    const own = { ...env, HOOKBELL_STATE_DIR: layout.root };
    const called = callAsAgent(hookSetup, { ...call, timeoutMs: maxRunMs }, made, own);
    const askedAfterMs = isAsking ? await untilAsked(called, layout, clock) : undefined;
    const { code, waitedMs } = await called;
    if (code !== 0 || listIncoming(layout).length === before) return [];
    if (run > 0) times.push(askedAfterMs ?? waitedMs);
  }
  return times;
}

/** From when on the hook would wait for a person, if it does. The question is removed, so that it waits no longer. */
async function untilAsked(called: Promise<unknown>, layout: Layout, clock: Clock): Promise<number | undefined> {
  const startedAt = clock.now();
  const isOver = called.then(() => true);
  do {
    const [question] = listQuestions(layout);
    if (question !== undefined) {
      const askedAfterMs = clock.now() - startedAt;
      removeQuestion(layout, question.id);
      return askedAfterMs;
    }
  } while (!(await Promise.race([isOver, sleep(clock, lookEveryMs).then(() => false)])));
  return undefined;
}
