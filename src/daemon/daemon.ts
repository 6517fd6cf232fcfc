// A dispatcher: takes the lease, runs what works with it, and what outlives it, until there is nothing left to do.
import type { Dispatcher } from "../pipeline/dispatcher.ts";
import { describeWriteError } from "../model/errors.ts";
import { listIncoming } from "../outbox/incoming.ts";
import { writeJournal } from "../outbox/journal.ts";
import {
  describeStorageTrouble,
  ensureLayout,
  ensureRoot,
  type Layout,
  layoutOf,
  storageRetryMs,
  unlessStorageTrouble,
} from "../outbox/layout.ts";
import type { HeldLease } from "../outbox/lease/lease.ts";
import { clearStartingMark } from "../outbox/lease/wake.ts";
import type { EndedStuck } from "../outbox/stuck/left-out.ts";
import { closeNote, openNote } from "../outbox/stuck/note.ts";
import { programIdentity } from "../system/bundle.ts";
import { type Clock, createWakeSignal, sleep } from "../system/clock.ts";
import { preferSmallHeap } from "../system/process/small-heap.ts";
import { version } from "../system/version.ts";
import { type Attendant, createAttendant, type Service } from "./attend.ts";
import { presenceIdleMs } from "./lasting/presence-file.ts";
import { notifyOfDisk } from "./disk-notice.ts";
import { watchUpgrade } from "./lasting/upgrade.ts";
import { runLoop } from "./loop.ts";
import { type DaemonIo, orUnwritable, viewDispatcher } from "./open-dispatcher.ts";
import { lastingServices, leasedServices } from "./services.ts";
import type { DaemonWing } from "./wing.ts";
import { takeLeaseInTime, type TakeOptions, type TakenLease, takeOver } from "./take-over.ts";

export interface DaemonOptions {
  /** The one given with `--config`. */
  rulesFile: string | undefined;
  /** Hooks have started it. */
  isDetached: boolean;
  /** It ends when nothing is due. */
  isUntilIdle: boolean;
  wings: readonly DaemonWing[];
  /** It has the lease and has read the rules. */
  onBegun(dispatcher: Dispatcher): void;
}

export interface DaemonEnd {
  result: RunResult;
  /** It has ended since hookbell was changed or removed. */
  program?: "changed" | "gone" | undefined;
}

export interface RunOptions extends TakeOptions {
  /** Ends after this long with nothing to do; undefined: never. */
  idleMs: number | undefined;
  /** Neither retries nor what may still happen keep it running, and it follows no other machine. */
  isLeavingRetries: boolean;
  wings: readonly DaemonWing[];
  /** Dispatchers that hung and that this one has ended, until the person is told of them. */
  ended?: EndedStuck[];
  /** What outlives a lease, and who attends to it. */
  lasting?: { services: readonly Service[]; attendant: Attendant };
}

/** `busy`, `lost`: another has the lease, or took it over. */
export type RunResult = "ended" | "busy" | "lost";

/** How long a background dispatcher waits for the next event. */
export const idleMs = 10_000;
/** The first message is usually on its way after this time. */
const startedMs = 1000;
/** After this many rounds, the rest is left to the next hook. */
const maxRounds = 10;

/** Throws a `UserError` for a state folder that cannot be made. */
export async function runDaemon(io: DaemonIo, options: DaemonOptions): Promise<DaemonEnd> {
  const { isDetached } = options;
  const layout = layoutOf(io.places.stateDir);
  const attendant = createAttendant(layout, io.clock);
  const upgrade = watchUpgrade(io.clock, programIdentity);
  await attendant.start([upgrade]);
  let telling = Promise.resolve();
  const tellOfDisk = async (error: unknown): Promise<void> => {
    await notifyOfDisk(await viewDispatcher(io, options.rulesFile), error);
  };
  const taking = {
    isPatient: isDetached,
    stop: AbortSignal.any([io.untilStopped(), upgrade.signal]),
    onStorageTrouble(error: unknown) {
      telling = tellOfDisk(error);
    },
  };
  let taken: TakenLease | undefined;
  try {
    orUnwritable(layout, () => (isDetached ? ensureRoot(layout) : ensureLayout(layout)));
    // A rules file in which this process hangs must not keep the next one from ending it.
    taken = await takeOver(layout, io.clock, taking);
    if (taken === undefined) return { result: "busy" };
    openNote(layout, io.clock.now);
    const result = await runWithLasting(io, options, taken, { ...taking, attendant });
    const isOver = upgrade.signal.aborted && result === "ended";
    return { result, program: isOver ? (programIdentity() === undefined ? "gone" : "changed") : undefined };
  } finally {
    await Promise.all([telling, attendant.stop([[upgrade]], "ended")]);
    closeNote(layout);
    taken?.lease.stop();
    if (taken !== undefined) unlessStorageTrouble(taken.lease.release);
  }
}

async function runWithLasting(
  io: DaemonIo,
  { rulesFile, isDetached, isUntilIdle, wings, onBegun }: DaemonOptions,
  { lease, ended }: TakenLease,
  { attendant, ...taking }: TakeOptions & { attendant: Attendant },
): Promise<RunResult> {
  const dispatcher = await viewDispatcher(io, rulesFile, true);
  const { layout } = dispatcher;
  onBegun(dispatcher);
  // With other flags, Node compiles its own modules anew.
  const cancelSmallHeap = io.clock.after(startedMs, preferSmallHeap);
  const { services, shellHooks } = await lastingServices(dispatcher, io, isUntilIdle, wings);
  const running = {
    ...taking,
    idleMs: isUntilIdle ? 0 : isDetached ? idleMsOf(dispatcher) : undefined,
    isLeavingRetries: isUntilIdle,
    wings,
    lasting: { services, attendant },
  };
  try {
    await attendant.start(services);
    let result = await runDispatcher(dispatcher, { ...running, ended }, lease);
    while (result === "ended") {
      // A hook that is still reading needs a dispatcher.
      if (isDetached) await shellHooks.untilNone(taking.stop);
      if (!isDetached || taking.stop.aborted || listIncoming(layout).length === 0) break;
      result = await runDispatcher(dispatcher, running);
    }
    return result;
  } finally {
    // These timers would keep this process alive.
    cancelSmallHeap();
    await attendant.stop([services], "ended");
  }
}

/** An agent may look at the presence file some minutes after its last event. */
function idleMsOf({ rules }: Dispatcher): number {
  return rules().rules.presenceFile === undefined ? idleMs : presenceIdleMs;
}

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
    if (!(unlessStorageTrouble(ran.hasNews) ?? true)) return ran.result;
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

async function runWithLease(
  dispatcher: Dispatcher,
  lease: HeldLease,
  { idleMs, isLeavingRetries, wings, stop, ended = [], lasting }: RunOptions,
): Promise<{ result: RunResult; hasNews(): boolean }> {
  const { layout, tools, rereadRules } = dispatcher;
  const { clock } = tools;
  const signal = createWakeSignal(clock);
  const attendant = lasting?.attendant ?? createAttendant(layout, clock);
  await rereadRules();
  const leased = await leasedServices(dispatcher, lease, { isLeavingRetries, ended, wings }, signal.wake);
  const crew = { ...leased, lasting: lasting?.services ?? [] };
  const loop = { attendant, signal, clock, onRound: rereadRules };
  const result = await runLoop(crew, lease, loop, { idleMs, isStaying: !isLeavingRetries, stop });
  return { result, hasNews: leased.hasNews };
}
