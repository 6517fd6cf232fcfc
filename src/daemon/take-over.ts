// Takes the lease for this process. A dispatcher that has lost its own and hangs is ended first, and what it was at has consequences.
import { deliveryIdIn, listDeliveries } from "../outbox/deliveries/deliveries.ts";
import { writeJournal } from "../outbox/journal.ts";
import { isStorageTrouble, type Layout, storageRetryMs, unlessStorageTrouble } from "../outbox/layout.ts";
import { type HeldLease, holdLease, type LeaseHolder, readLease, takeLease } from "../outbox/lease/lease.ts";
import { quarantine } from "../outbox/rejected.ts";
import { describeWork } from "../outbox/stuck/find-hung.ts";
import { type Here, judge, type HolderCondition } from "../outbox/stuck/judge.ts";
import {
  afterStuck,
  type EndedStuck,
  type FormerHolder,
  readStuckRecord,
  stateOf,
  writeStuckRecord,
} from "../outbox/stuck/left-out.ts";
import { type Note, putNoteAside, readNoteAside, removeNoteAside } from "../outbox/stuck/note.ts";
import { clearStartingMark, holdStartingMark } from "../outbox/lease/wake.ts";
import { type Clock, sleep } from "../system/clock.ts";
import { hostName, isAlive, ownPid, pidSpace } from "../system/process/identity.ts";
import { killProcess, useOf } from "../system/process/use.ts";

export interface TakenLease {
  lease: HeldLease;
  ended: EndedStuck[];
}

export interface TakeOptions {
  /** It waits for a disk that takes no lease. */
  isPatient: boolean;
  stop: AbortSignal;
  /** The disk took no lease at the first try. */
  onStorageTrouble?(error: unknown): void;
}

const maxTries = 10;
const lookEveryMs = 250;
/** A process that gets less than a thirtieth of a processor in this time is spared: the machine is too busy to tell. */
const maxWatchMs = 60_000;
/** One that uses no processor at all for so long waits for something, such as a disk. */
const maxStillMs = 5000;
const stillCpuMs = 100;
const endsWithinMs = 2000;

/** Undefined if another dispatcher has the lease. Throws the system's error. */
export async function takeOver(layout: Layout, clock: Clock, options: TakeOptions): Promise<TakenLease | undefined> {
  const ended = await endStuck(layout, clock, options.stop);
  unlessStorageTrouble(() => clearStartingMark(layout));
  const lease = await takeLeaseInTime(layout, clock, options);
  if (lease === undefined) return undefined;
  return { lease, ended: unlessStorageTrouble(() => drawConsequences(layout, clock.now(), ended)) ?? [] };
}

/** Undefined if another dispatcher has the lease. */
export async function takeLeaseInTime(
  layout: Layout,
  clock: Clock,
  { isPatient, stop, onStorageTrouble }: TakeOptions,
): Promise<HeldLease | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      const lease = takeLease(layout, clock);
      return lease && holdLease(lease, clock);
    } catch (error) {
      if (!isStorageTrouble(error) || tries >= (isPatient ? maxTries : 1) || stop.aborted) throw error;
      if (tries === 1) onStorageTrouble?.(error);
      await sleep(clock, storageRetryMs);
    }
  }
}

const here = (): Here => ({ pid: ownPid, host: hostName(), pidSpace: pidSpace() });

/** Ends the holder of an expired lease, and older dispatchers on record, if they hang. Returns their process ids. */
async function endStuck(layout: Layout, clock: Clock, stop: AbortSignal): Promise<number[]> {
  const before = readLease(layout);
  const isExpired = before !== undefined && before.until <= clock.now() && before.holder.pid !== ownPid;
  if (!isExpired || !isAlive(before.holder.pid)) return endFormer(layout, []);
  const { condition, cpuMs } = await watchHolder(layout, clock, before.holder, stop);
  if (condition === "over") return [];
  if (condition !== "stuck") {
    return endFormer(layout, isLeftBehind(condition) ? [{ holder: before.holder, cpuMs }] : []);
  }
  unlessStorageTrouble(() => putNoteAside(layout));
  if (!killProcess(before.holder.pid)) return endFormer(layout, []);
  for (let waited = 0; waited < endsWithinMs && isAlive(before.holder.pid); waited += 20) await sleep(clock, 20);
  return [before.holder.pid, ...endFormer(layout, [])];
}

async function watchHolder(
  layout: Layout,
  clock: Clock,
  holder: LeaseHolder,
  stop: AbortSignal,
): Promise<{ condition: HolderCondition; cpuMs: number }> {
  const first = useOf(holder.pid);
  const since = clock.now();
  for (;;) {
    const lease = readLease(layout);
    const isOver = lease?.holder.token !== holder.token || lease.until > clock.now();
    const last = useOf(holder.pid);
    const condition = judge(holder, here(), { first, last, isOver });
    const cpuMs = last?.cpuMs ?? 0;
    const mostMs = cpuMs - (first?.cpuMs ?? 0) < stillCpuMs ? maxStillMs : maxWatchMs;
    if (condition !== "quiet" || clock.now() - since >= mostMs || stop.aborted) return { condition, cpuMs };
    // Without this mark, each hook would start one more process that waits here.
    unlessStorageTrouble(() => holdStartingMark(layout, clock.now()));
    await sleep(clock, lookEveryMs, stop);
  }
}

/** It has lost its lease and is not ended. */
function isLeftBehind(condition: HolderCondition): boolean {
  return condition === "suspended" || condition === "quiet";
}

/** No process watches those that lost their lease earlier: one that has worked on all the same hangs. `more` is put on record. */
function endFormer(layout: Layout, more: readonly FormerHolder[]): number[] {
  const record = readStuckRecord(layout);
  if (record.former.length + more.length === 0) return [];
  const ended: number[] = [];
  const lease = readLease(layout);
  const former = record.former.filter(({ holder, cpuMs }) => {
    // It went on, found the lease free, and is the dispatcher again.
    if (lease?.holder.token === holder.token) return false;
    const last = useOf(holder.pid);
    const first = last && { ...last, cpuMs };
    const condition = judge(holder, here(), { first, last, isOver: last === undefined });
    if (condition === "stuck" && killProcess(holder.pid)) ended.push(holder.pid);
    return isLeftBehind(condition);
  });
  const known = former.filter(({ holder }) => more.every((each) => each.holder.token !== holder.token));
  unlessStorageTrouble(() => writeStuckRecord(layout, { ...record, former: [...known, ...more] }));
  return ended;
}

/** The lease is this process's. What is put on record comes first, so that a crash in between repeats it. */
function drawConsequences(layout: Layout, nowMs: number, pids: readonly number[]): EndedStuck[] {
  const note = readNoteAside(layout);
  const all = note === undefined ? pids : [note.pid, ...pids.filter((pid) => pid !== note.pid)];
  return all.map((pid) => drawOne(layout, nowMs, pid, note?.pid === pid ? note : undefined));
}

function drawOne(layout: Layout, nowMs: number, pid: number, note: Note | undefined): EndedStuck {
  const { work, file } = note ?? {};
  writeJournal(layout, nowMs, {
    kind: "dispatcher",
    what: "ended one that hung",
    detail: `process ${pid} did not renew its lease and kept the processor busy${describeWork({ work, file })}`,
  });
  if (note === undefined) return { pid, isGivenUp: false };
  const { record, givenUp } = afterStuck(readStuckRecord(layout), note, stateOf(file));
  writeStuckRecord(layout, record);
  removeNoteAside(layout);
  if (givenUp !== undefined) giveUp(layout, nowMs, givenUp);
  return { pid, work, file, isGivenUp: givenUp !== undefined };
}

/** `outbox/` has the id of a delivery behind it, `incoming/` the name of a payload's file. */
function giveUp(layout: Layout, nowMs: number, work: string): void {
  const [, folder, name = ""] = /^(incoming|outbox)\/([^/]+)$/.exec(work) ?? [];
  const problem = "the dispatcher hung twice with it";
  if (folder === "incoming") quarantine(layout, folder, name, problem, nowMs);
  if (folder !== "outbox") return;
  for (const file of listDeliveries(layout, folder).filter((each) => deliveryIdIn(each) === name)) {
    quarantine(layout, folder, file, problem, nowMs);
  }
}
