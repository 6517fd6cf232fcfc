// `hookbell dispatch`: runs the dispatcher in the foreground, or with --detached as hooks start it.
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import type { Beside } from "../../daemon/beside.ts";
import { runDispatcher, type RunResult } from "../../daemon/loop.ts";
import { takeOver, type TakeOptions, type Taken, unlessStorageTrouble } from "../../daemon/take-over.ts";
import { notifyPerson } from "../../dispatch/notices.ts";
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { fetchedScriptText } from "../../install/hook-script.ts";
import { watchShellHooks } from "../../daemon/lasting/shell-hooks.ts";
import { listIncoming } from "../../outbox/incoming.ts";
import { type JournalEntry, tailJournal } from "../../outbox/journal.ts";
import { ensureLayout, ensureRoot, type Layout, layoutOf } from "../../outbox/layout.ts";
import { findLeaseHolder } from "../../outbox/lease/lease.ts";
import { closeNote, openNote } from "../../outbox/stuck/note.ts";
import { followRemotes } from "../../remote/follow.ts";
import { maxWaiting } from "../../remote/hook-there.ts";
import { programIdentity } from "../../system/bundle.ts";
import { nameOwnProcess } from "../../system/process/identity.ts";
import { preferSmallHeap } from "../../system/process/small-heap.ts";
import { parseArguments } from "../console/arguments.ts";
import { hookCommands } from "../help/hooks.ts";
import type { CommandIo } from "../console/command-io.ts";
import { count } from "../console/text.ts";
import { requireRulesFile } from "../pipeline/load-rules.ts";
import { presenceIdleMs } from "../../daemon/lasting/presence-file.ts";
import { orUnwritable, viewDispatcher, wake } from "../../daemon/open-dispatcher.ts";
import { joinFleet, type Membership } from "../../daemon/leased/join-fleet.ts";
import { askForRemotes } from "../../daemon/leased/ask-for-remotes.ts";
import { startJobs } from "../../daemon/lasting/jobs.ts";
import { untilUpgraded } from "../../daemon/lasting/until-upgraded.ts";
import { findWaiting, showWaiting } from "../pipeline/waiting.ts";

/** How long a background dispatcher waits for the next event. */
export const idleMs = 10_000;
/** The first message is usually on its way after this time. */
const startedMs = 1000;

export async function dispatch(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, hookCommands.dispatch.flags, 0);
  requireRulesFile(values.config);
  nameOwnProcess();
  const layout = layoutOf(io.places.stateDir);
  const upgrade = untilUpgraded(io.clock, programIdentity);
  const isDetached = values.detached === true;
  const taking = { isPatient: isDetached, stop: AbortSignal.any([io.untilStopped(), upgrade.signal]) };
  let taken: Taken | undefined;
  try {
    orUnwritable(layout, () => (isDetached ? ensureRoot(layout) : ensureLayout(layout)));
    // A rules file in which this process hangs must not keep the next one from ending it.
    taken = await takeOver(layout, io.clock, taking);
    if (taken === undefined) return refuseBusy(layout, io, isDetached);
    openNote(layout, io.clock.now);
    return await dispatchWithLease(io, values, taken, { ...taking, upgraded: upgrade.signal });
  } finally {
    upgrade.stop();
    closeNote(layout);
    taken?.lease.stop();
    if (taken !== undefined) unlessStorageTrouble(taken.lease.release);
  }
}

async function dispatchWithLease(
  io: CommandIo,
  values: { config?: string; detached?: boolean; "until-idle"?: boolean },
  { lease, ended }: Taken,
  { upgraded, ...taking }: TakeOptions & { upgraded: AbortSignal },
): Promise<ExitCode> {
  const isDetached = values.detached === true;
  const isUntilIdle = values["until-idle"] === true;
  const membership: Membership = {};
  const dispatcher = { ...(await viewDispatcher(io, values.config)), fleet: () => membership.fleet };
  const { layout } = dispatcher;
  const writtenSince = isUntilIdle && !isDetached ? tailJournal(layout) : undefined;
  const options = {
    ...taking,
    idleMs: isUntilIdle ? 0 : isDetached ? idleMsOf(dispatcher) : undefined,
    isLeavingRetries: isUntilIdle,
    startBeside: async (hasLease: () => boolean, wakeLoop: () => void) => {
      const fleet = await joinFleet(dispatcher, membership, hasLease, wakeLoop);
      return isUntilIdle ? fleet : besides([startFollowing(dispatcher, hasLease, wakeLoop), fleet]);
    },
  };
  // With other flags, Node compiles its own modules anew.
  const cancelSmallHeap = io.clock.after(startedMs, preferSmallHeap);
  const jobs = await startJobs(dispatcher, io, isUntilIdle);
  const shellHooks = watchShellHooks(dispatcher, io.env);
  let result: RunResult;
  try {
    result = await runDispatcher(dispatcher, { ...options, ended }, lease);
    while (values.detached === true && result === "ended") {
      // A hook that is still reading needs a dispatcher.
      await shellHooks.untilNone(options.stop);
      if (options.stop.aborted || listIncoming(layout).length === 0) break;
      result = await runDispatcher(dispatcher, options);
    }
  } finally {
    // These timers would keep this process alive.
    cancelSmallHeap();
    jobs.stop();
    shellHooks.stop();
    await jobs.settled();
  }
  if (upgraded.aborted && result === "ended") {
    const isThere = programIdentity() !== undefined;
    if (isThere) wake(io);
    const goesOn = isThere ? "the new version goes on in the background" : "its program is gone";
    if (!isDetached) io.stderr(`this dispatcher ends, since hookbell was changed: ${goesOn}\n`);
  }
  if (result === "busy") return refuseBusy(layout, io, isDetached);
  if (writtenSince !== undefined) showWhatWasDone(dispatcher, writtenSince(), io);
  return exitCodes.done;
}

function refuseBusy(layout: Layout, io: CommandIo, isDetached: boolean): ExitCode {
  if (isDetached) return exitCodes.done;
  const holder = findLeaseHolder(layout, io.clock.now());
  const who = holder === undefined ? "" : ` (process ${holder.pid} on ${holder.host})`;
  const waits = holder?.trouble === undefined ? "" : `; it waits, since ${holder.trouble}`;
  throw new UserError("dispatch.busy", `another dispatcher is running${who}${waits}`, {
    hint: "it sends everything that is waiting; see: hookbell status",
  });
}

function startFollowing(dispatcher: Dispatcher, hasLease: () => boolean, wakeLoop: () => void): Beside {
  const { layout, tools } = dispatcher;
  const asking = askForRemotes(dispatcher, wakeLoop);
  const onDropped = (name: string, dropped: number): void => notifyDropped(dispatcher, name, dropped);
  const following = { asking, hookText: fetchedScriptText, onDropped, hasLease };
  return { ...followRemotes(layout, tools, following), seen: asking.seen };
}

function notifyDropped(dispatcher: Dispatcher, name: string, dropped: number): void {
  const title = `hookbell: ${count(dropped, "event")} of ${name} ${dropped === 1 ? "is" : "are"} lost`;
  const body = `${maxWaiting} events waited there, so its hook dropped later ones.`;
  notifyPerson(dispatcher, `dropped ${name} ${dispatcher.tools.clock.now()}`, { title, body, plain: { title, body } });
}

function besides(all: readonly Beside[]): Beside {
  return {
    look: () => all.forEach((each) => each.look()),
    isBusy: () => all.some((each) => each.isBusy()),
    seen: () => all.flatMap((each) => each.seen()),
    finish: async () => void (await Promise.all(all.map((each) => each.finish()))),
  };
}

/** An agent may look at the presence file some minutes after its last event. */
function idleMsOf({ rules }: Dispatcher): number {
  return rules().rules.presenceFile === undefined ? idleMs : presenceIdleMs;
}

/** `written` is what this run has written into the journal. */
function showWhatWasDone({ layout, rules }: Dispatcher, written: readonly JournalEntry[], io: CommandIo): void {
  const now = io.clock.now();
  const attempts = written.filter(({ kind }) => kind === "attempt");
  const sent = attempts.filter(({ outcome }) => outcome === "delivered").length;
  const failed = attempts.length - sent;
  const ways = failed === 0 ? "" : `, ${count(failed, "attempt")} failed: hookbell log --failed`;
  io.stdout(attempts.length === 0 ? "nothing was due\n" : `${count(sent, "message")} sent${ways}\n`);
  for (const waiting of findWaiting(layout, rules().rules, now)) io.stdout(`${showWaiting(waiting, now)}\n`);
}
