// The dispatcher's loop: takes in what has come, sends what is due, sleeps.
import { describeWriteError, messageOf } from "../model/errors.ts";
import { listDeliveries } from "../outbox/deliveries/deliveries.ts";
import { listIncoming } from "../outbox/incoming.ts";
import { writeJournal } from "../outbox/journal.ts";
import type { HeldLease } from "../outbox/lease/lease.ts";
import { sweep } from "./leased/sweep.ts";
import type { EndedStuck } from "../outbox/stuck/left-out.ts";
import { clearStartingMark } from "../outbox/lease/wake.ts";
import { watchFolder } from "../system/files/watch.ts";
import { version } from "../system/version.ts";
import type { Beside } from "./beside.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { notifyBrokenRules, notifyEndedStuck, notifyOpenState } from "../dispatch/notices.ts";
import { createClicks } from "./leased/clicks.ts";
import type { Enqueued } from "../dispatch/event/enqueue.ts";
import { takeObservationIn } from "../dispatch/event/observation.ts";
import { createIntake } from "../dispatch/intake.ts";
import { createQuestionWatch } from "./leased/question-watch.ts";
import { createSessionWatch } from "./leased/session-watch.ts";
import { createStatusLine } from "./leased/status-line.ts";
import { createActs } from "./leased/acts.ts";
import { decide, isBusy, type StayRules } from "../pipeline/delivery/queue/next-step.ts";
import { Scheduler } from "../pipeline/scheduler.ts";
import { takeLeaseInTime, type TakeOptions, unlessStorageTrouble } from "./take-over.ts";
import { type Clock, createWakeSignal, sleep } from "../system/clock.ts";
import { type Layout, describeStorageTrouble, ensureLayout, storageRetryMs } from "../outbox/layout.ts";

export interface RunOptions extends StayRules, TakeOptions {
  /** Dispatchers that hung and that this one has ended, until the person is told of them. */
  ended?: EndedStuck[];
  /** Begins what runs beside the deliveries while this dispatcher has the lease. `wake` is called when something was seen. */
  startBeside?: (hasLease: () => boolean, wake: () => void) => Promise<Beside>;
}

/** `busy`, `lost`: another has the lease, or took it over. */
export type RunResult = "ended" | "busy" | "lost";

/** After this many rounds, the rest is left to the next hook. */
const maxRounds = 10;
const sweepEveryMs = 10 * 60_000;

/** `taken`: the lease that this process has already. */
export async function runDispatcher(
  dispatcher: Dispatcher,
  options: RunOptions,
  taken?: HeldLease,
): Promise<RunResult> {
  const { layout, tools } = dispatcher;
  for (let round = 1; ; round += 1) {
    // The mark goes first, so that a death in between delays no other start.
    unlessStorageTrouble(() => clearStartingMark(layout));
    const lease = (round === 1 ? taken : undefined) ?? (await takeLeaseInTime(layout, tools.clock, options));
    if (lease === undefined) return "busy";
    let ran: Awaited<ReturnType<typeof runWithLease>>;
    try {
      await untilFoldersAreThere(layout, lease, tools.clock, options);
      writeJournal(layout, tools.clock.now(), { kind: "dispatcher", what: "started", version });
      ran = await runWithLease(dispatcher, lease, options);
    } finally {
      lease.stop();
      unlessStorageTrouble(lease.release);
    }
    writeJournal(layout, tools.clock.now(), { kind: "dispatcher", what: ran.result });
    if (ran.result === "lost" || options.stop.aborted || round === maxRounds) return ran.result;
    // A hook that saw the lease a moment ago relied on it.
    const hasNews = (): boolean =>
      listIncoming(layout).length > 0 ||
      (!options.isLeavingRetries && listDeliveries(layout, "outbox").some((file) => !ran.knows(file)));
    if (!(unlessStorageTrouble(hasNews) ?? true)) return ran.result;
  }
}

/** What is in the place of a folder goes away when a person has looked; hooks say so meanwhile. Throws the system's error if it is not patient. */
async function untilFoldersAreThere(
  layout: Layout,
  lease: HeldLease,
  clock: Clock,
  { isPatient, stop }: TakeOptions,
): Promise<void> {
  for (let isFirst = true; !stop.aborted && !lease.isLost(); isFirst = false) {
    try {
      ensureLayout(layout);
      lease.setTrouble(undefined);
      return;
    } catch (error) {
      if (!isPatient) throw error;
      const trouble = describeStorageTrouble(layout, error) ?? describeWriteError(error);
      lease.setTrouble(trouble);
      if (isFirst) writeJournal(layout, clock.now(), { kind: "dispatcher", what: "stalled", detail: trouble });
    }
    await sleep(clock, storageRetryMs, stop);
  }
}

/** Takes payloads in and sends what is due, in turn, until there is nothing to do. `knows`: which files it has left for later. */
async function runWithLease(
  dispatcher: Dispatcher,
  lease: HeldLease,
  options: RunOptions,
): Promise<{ result: RunResult; knows: (file: string) => boolean }> {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  const { stop } = options;
  const signal = createWakeSignal(clock);
  const acts = createActs(dispatcher, signal.wake);
  const questions = createQuestionWatch(dispatcher, acts.note, signal.wake);
  const clicks = createClicks(dispatcher, acts.note, signal.wake);
  lease.lost.addEventListener("abort", signal.wake);
  const staying = { untilOver: questions.untilOver, watchClick: clicks.watch };
  const scheduler = new Scheduler(dispatcher, lease, staying, signal.wake);
  const watch = createSessionWatch(dispatcher, signal.wake);
  const statusLine = createStatusLine(dispatcher, signal.wake);
  const beside = await options.startBeside?.(lease.renew, signal.wake);
  const onTaken = (taken: Enqueued): void => {
    watch.reconsider();
    scheduler.take(taken);
  };
  const intake = createIntake(dispatcher, lease.renew, {
    onPlaced: scheduler.expect,
    onFailed: scheduler.forget,
    onTaken,
    wake: signal.wake,
  });
  const changes = watchOutbox(layout, clock, signal.wake);
  const unwatchIncoming = watchFolder(layout.incoming, signal.wake);
  stop.addEventListener("abort", signal.wake);
  let idleSince = clock.now();
  let sweptAt = -Infinity;
  let repeatAt: number | undefined;

  const sweepNowAndThen = (): void => {
    if (clock.now() - sweptAt < sweepEveryMs) return;
    sweptAt = clock.now();
    sweep(layout, sweptAt);
    notifyOpenState(dispatcher).forEach(scheduler.add);
  };
  const tellOfEnded = (): void => {
    const { ended = [] } = options;
    for (const each of ended) notifyEndedStuck(dispatcher, each).forEach(scheduler.add);
    ended.length = 0;
  };
  const renewIfPossible = (): void => {
    try {
      lease.renew();
    } catch {
      // The steps meet the same trouble, and say so.
    }
  };
  const takeUp = (): void => {
    const isQuiet = scheduler.queues().every(({ waiting }) => waiting.size === 0);
    try {
      scheduler.takeUp(changes.take(isQuiet));
    } catch (error) {
      changes.forget();
      throw error;
    }
  };
  const steps: readonly (() => void | Promise<void>)[] = [
    sweepNowAndThen,
    () => notifyBrokenRules(dispatcher).forEach(scheduler.add),
    tellOfEnded,
    intake.takeNext,
    takeUp,
  ];
  let isStalled = false;
  /** After trouble with the disk, all steps are repeated after a pause. */
  const guarded = async (step: () => void | Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      const trouble = isStalled ? undefined : describeStorageTrouble(layout, error);
      if (trouble !== undefined) lease.setTrouble(trouble);
      if (!isStalled) {
        const what = trouble === undefined ? "bug" : "stalled";
        writeJournal(layout, clock.now(), { kind: "dispatcher", what, detail: trouble ?? messageOf(error) });
      }
      repeatAt = clock.now() + storageRetryMs;
    }
  };
  const takeSteps = async (): Promise<void> => {
    if (repeatAt !== undefined && clock.now() < repeatAt) return;
    isStalled = repeatAt !== undefined;
    repeatAt = undefined;
    for (const step of steps) await guarded(step);
    if (isStalled && repeatAt === undefined) lease.setTrouble(undefined);
  };
  const observe = (): void => {
    for (const { session, observation, why } of [...watch.look(), ...(beside?.seen() ?? [])]) {
      onTaken(takeObservationIn(dispatcher, session, observation, why));
    }
  };

  try {
    while (!lease.isLost() && !stop.aborted) {
      // `doctor` makes a change in incoming/ and sees by this that the dispatcher is at work.
      renewIfPossible();
      await dispatcher.rereadRules();
      await takeSteps();
      // The backlog may hold what the agent itself tells of its answers.
      if (!intake.hasBacklog()) await guarded(observe);
      await guarded(questions.look);
      await guarded(() => beside?.look());
      acts.look(scheduler);
      const now = clock.now();
      const isAwaiting =
        !options.isLeavingRetries && (clicks.isWaiting() || watch.isBusy() || beside?.isBusy() === true);
      const isWorking = scheduler.isWorking() || intake.isSyncing() || questions.isBusy() || isAwaiting;
      const hasBacklog = repeatAt === undefined && intake.canTakeNext();
      const situation = { now, queues: scheduler.queues(), hasBacklog, isWorking, repeatAt, idleSince };
      if (isBusy(situation, options)) situation.idleSince = idleSince = now;
      const decision = decide(situation, options);
      if (decision.next === "stop") break;
      if (decision.next === "send") for (const { queue, file } of decision.due) scheduler.start(queue, file);
      if (decision.next === "wait") {
        statusLine.update();
        await signal.wait(decision.ms);
      }
      // Answers are settled and files are synced in between.
      else await new Promise(setImmediate);
    }
  } finally {
    clicks.finish();
    watch.finish();
    acts.finish();
    // All of this ends before another dispatcher may begin.
    await Promise.all([beside?.finish(), intake.finish(), scheduler.finish(), questions.finish()]);
    if (!lease.isLost()) statusLine.finish();
    changes.stop();
    unwatchIncoming();
    stop.removeEventListener("abort", signal.wake);
  }
  return { result: lease.isLost() ? "lost" : "ended", knows: scheduler.has };
}

/** The system drops some of very many changes. */
const lookAgainMs = 60_000;

interface OutboxChanges {
  /** `all`: list the folder, which costs little if `isQuiet`. */
  take(isQuiet: boolean): "all" | string[];
  /** Makes the next call list the folder. */
  forget(): void;
  stop(): void;
}

function watchOutbox(layout: Layout, clock: Clock, onChange: () => void): OutboxChanges {
  const names = new Set<string>();
  let isUnsure = true;
  let isChanged = true;
  let lookedAt = clock.now();
  const stop = watchFolder(layout.outbox, (name) => {
    if (name === undefined) isUnsure = true;
    else names.add(name);
    isChanged = true;
    onChange();
  });
  return {
    take(isQuiet) {
      const now = clock.now();
      const taken = [...names];
      names.clear();
      if (!isUnsure && !(isChanged && (isQuiet || now - lookedAt > lookAgainMs))) return taken;
      isUnsure = false;
      isChanged = false;
      lookedAt = now;
      return "all";
    },
    forget: () => (isUnsure = true),
    stop,
  };
}
