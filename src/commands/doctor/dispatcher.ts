// `doctor`: tries whether the dispatcher is at work, since a lease alone says only that it was.
import { join } from "node:path";
import { listIncoming } from "../../outbox/incoming.ts";
import { listJournal, readJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { findLeaseHolder, type LeaseHolder, readLease } from "../../outbox/lease/lease.ts";
import { describeWork, findHung, type Hung } from "../../outbox/stuck/find-hung.ts";
import { sleep } from "../../system/clock.ts";
import { asidePrefix, removeIfThere } from "../../system/files/files.ts";
import { writeWholeSoon } from "../../system/files/write.ts";
import { hostName } from "../../system/process/identity.ts";
import { useOf } from "../../system/process/use.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { broken, type Finding, ok, warning } from "../../console/output/finding.ts";
import { wake } from "../../daemon/open-dispatcher.ts";

interface WaitingWork {
  /** Such as `1 payload and 0 deliveries waiting`. */
  waiting: string;
  /** The payloads' files. */
  incoming: readonly string[];
  outbox: number;
  /** Whether the folders take files. */
  canStart: boolean;
}

const lookEveryMs = 50;
/** A change in incoming/ makes a dispatcher renew its lease at once; one of an older version does so every five seconds. */
const answersWithinMs = 6000;
const nudgeEveryMs = 300;
/** A hung one uses the processor all the time, and a busy machine gives it a part. */
const hungCpuMs = 600;
const startsWithinMs = 10_000;
const takesWithinMs = 10_000;
const command = "hookbell dispatch --until-idle";

export async function examineDispatcher(io: CommandIo, layout: Layout, queue: WaitingWork): Promise<Finding> {
  const { waiting, incoming, outbox, canStart } = queue;
  const now = (): number => io.clock.now();
  if (findLeaseHolder(layout, now()) === undefined && findHung(layout, now()) === undefined) {
    if (incoming.length + outbox === 0)
      return ok(`${waiting}${canStart ? "; the dispatcher starts with the next hook" : ""}`);
    if (incoming.length === 0 || !canStart) {
      const fix = "the next hook starts one; to send it now, and to see why something has to wait:";
      return warning(`${waiting}, and no dispatcher runs`, command, fix);
    }
    const isUp = (): boolean => {
      // A mark that another program is starting one holds for some seconds, also if that program has failed.
      wake(io);
      return findLeaseHolder(layout, now()) !== undefined;
    };
    if (!(await until(io, startsWithinMs, isUp))) {
      return isAnyTaken(layout, incoming)
        ? ok(`${waiting} until a dispatcher was started just now, which took it`)
        : broken(`${waiting}, and no dispatcher comes up within 10 s`, command, "to see why:");
    }
  }
  const holder = findLeaseHolder(layout, now()) ?? readLease(layout)?.holder;
  if (holder === undefined || holder.host !== hostName()) {
    return ok(`${waiting}; the dispatcher is running${holder === undefined ? "" : `, on ${holder.host}`}`);
  }
  const silence = await trySignOfLife(io, layout, holder);
  if (silence !== undefined) return describeSilence(waiting, silence);
  if (holder.trouble !== undefined) {
    return broken(`${waiting}; the dispatcher waits: ${holder.trouble}`, "hookbell doctor", "repair the folder, then:");
  }
  const isTaken = incoming.length === 0 || (await until(io, takesWithinMs, () => isAnyTaken(layout, incoming)));
  if (isTaken) return ok(`${waiting}; the dispatcher is running`);
  const why = lastTrouble(layout);
  const text = `${waiting}, and the dispatcher (process ${holder.pid}) takes none of the payloads${why === undefined ? "" : `: ${why}`}`;
  return broken(text, `kill ${holder.pid}`, "to let the next hook start another one:");
}

async function until(io: CommandIo, withinMs: number, check: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += lookEveryMs) {
    if (check()) return true;
    await sleep(io.clock, lookEveryMs);
  }
  return check();
}

function isAnyTaken(layout: Layout, before: readonly string[]): boolean {
  const left = new Set(listIncoming(layout));
  return before.some((file) => !left.has(file));
}

interface Silence {
  hung: Partial<Hung> & { pid: number };
  is: "busy" | "suspended" | "quiet";
}

/** Undefined when it has renewed its lease, or has ended. */
async function trySignOfLife(io: CommandIo, layout: Layout, holder: LeaseHolder): Promise<Silence | undefined> {
  const before = readLease(layout)?.until;
  const first = useOf(holder.pid);
  let nudgedAt = -Infinity;
  const hasAnswered = await until(io, answersWithinMs, () => {
    const lease = readLease(layout);
    if (lease?.holder.token !== holder.token || lease.until !== before) return true;
    if (io.clock.now() - nudgedAt >= nudgeEveryMs) {
      nudgedAt = io.clock.now();
      nudge(layout);
    }
    return false;
  });
  if (hasAnswered) return undefined;
  const last = useOf(holder.pid);
  const hung = findHung(layout, io.clock.now()) ?? { pid: holder.pid };
  if (last?.isSuspended === true) return { hung, is: "suspended" };
  const isBusy = first !== undefined && last !== undefined && last.cpuMs - first.cpuMs >= hungCpuMs;
  return { hung, is: isBusy ? "busy" : "quiet" };
}

function nudge(layout: Layout): void {
  const path = join(layout.incoming, `${asidePrefix}doctor`);
  try {
    writeWholeSoon(path, "");
    removeIfThere(path);
  } catch {
    // The state's own check says what is wrong with the folder.
  }
}

function describeSilence(waiting: string, { hung, is }: Silence): Finding {
  const who = `the dispatcher (process ${hung.pid})`;
  if (is === "suspended") {
    const fix = "the next hook starts another one, 15 seconds after its last sign of life; to let it go on:";
    return warning(`${waiting}; ${who} is suspended`, `kill -CONT ${hung.pid}`, fix);
  }
  if (is === "quiet") {
    const fix = "another one takes over with the next hook, 15 seconds after its last sign of life; to do that now:";
    return broken(`${waiting}; ${who} does not answer, and waits for something such as a disk`, command, fix);
  }
  const without = hung.file === undefined ? "" : ", without that file";
  const fix = `the next hook ends it, 15 seconds after its last sign of life, and another one goes on${without}; to do that now:`;
  return broken(
    `${waiting}; ${who} hangs${describeWork(hung)}: it keeps the processor busy and sends nothing`,
    command,
    fix,
  );
}

/** What the journal says last of why a dispatcher could not go on. */
function lastTrouble(layout: Layout): string | undefined {
  const [newest] = listJournal(layout).slice(-1);
  const entries = newest === undefined ? [] : readJournal(layout, newest);
  const last = entries.findLast(({ kind, what }) => kind === "dispatcher" && (what === "stalled" || what === "bug"));
  return typeof last?.detail === "string" ? last.detail : undefined;
}
