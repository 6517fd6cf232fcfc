// The one shape of what a dispatcher runs, and what attends to it, so that each may fail alone.
import { messageOf } from "../model/errors.ts";
import { journalBug, writeJournal } from "../outbox/journal.ts";
import { describeStorageTrouble, type Layout, storageRetryMs } from "../outbox/layout.ts";
import type { Clock } from "../system/clock.ts";

export type StopReason = "ended" | "lost";

export interface Poll {
  /** When it has to be polled again, in milliseconds since the epoch; Infinity if it wakes the loop itself. */
  nextAt: number;
  /** More waits than it could take. */
  hasBacklog?: boolean;
}

export interface Service {
  readonly name: string;
  /** The dispatcher cannot do without it, and ends if it does not start or stop. Every other service may fail alone. */
  readonly isVital?: boolean;
  /** It is not polled while a backlog waits, which may hold newer facts than it sees. */
  readonly waitsForBacklog?: boolean;
  start?(): Promise<void>;
  /** Does what is due. */
  poll(now: number): Poll | Promise<Poll>;
  /** `work` ends by itself, and the loop waits for it; `stay`: something may still happen that only this dispatcher sees. */
  busy?(): "work" | "stay" | undefined;
  /** Ends also what `start` has begun before it failed. `lost`: another dispatcher has the lease. */
  stop?(why: StopReason): Promise<void>;
}

export interface Attendant {
  /** Throws if a vital service fails. */
  start(services: readonly Service[]): Promise<void>;
  /** One that has failed is left alone for a while, then started if it has not been, and polled. */
  poll(service: Service): Promise<Poll>;
  /** Those of a row side by side, one row after the other. Throws what a vital service has thrown once all have stopped. */
  stop(rows: readonly (readonly Service[])[], why: StopReason): Promise<void>;
  /** What keeps the disk from a vital service, until it has worked again. */
  trouble(): string | undefined;
}

interface Failure {
  /** When to try again, in milliseconds since the epoch. */
  againAt: number;
  /** What the journal says of it, once. */
  detail: string;
  isOfDisk: boolean;
}

export function createAttendant(layout: Layout, clock: Clock): Attendant {
  const started = new Set<Service>();
  const failures = new Map<Service, Failure>();
  /** What the disk has refused to several services, all of them try again in one round. */
  let diskAgainAt = 0;

  const onFailed = (service: Service, error: unknown): Failure => {
    const now = clock.now();
    const ofDisk = describeStorageTrouble(layout, error);
    const isOfDisk = ofDisk !== undefined;
    const detail = ofDisk ?? `${service.name}: ${messageOf(error)}`;
    // A disk that fails, fails for many.
    const isKnown = isOfDisk
      ? [...failures.values()].some((each) => each.isOfDisk)
      : failures.get(service)?.detail === detail;
    if (!isKnown) writeJournal(layout, now, { kind: "dispatcher", what: isOfDisk ? "stalled" : "bug", detail });
    if (isOfDisk && diskAgainAt <= now) diskAgainAt = now + storageRetryMs;
    const failure = { againAt: isOfDisk ? diskAgainAt : now + storageRetryMs, detail, isOfDisk };
    failures.set(service, failure);
    return failure;
  };
  const begin = async (service: Service): Promise<void> => {
    if (started.has(service)) return;
    await service.start?.();
    started.add(service);
  };

  return {
    async start(services) {
      for (const service of services) {
        try {
          await begin(service);
        } catch (error) {
          if (service.isVital === true) throw error;
          onFailed(service, error);
        }
      }
    },
    async poll(service) {
      const { againAt = 0 } = failures.get(service) ?? {};
      if (clock.now() < againAt) return { nextAt: againAt };
      try {
        await begin(service);
        const poll = await service.poll(clock.now());
        failures.delete(service);
        return poll;
      } catch (error) {
        return { nextAt: onFailed(service, error).againAt };
      }
    },
    async stop(rows, why) {
      const thrown: unknown[] = [];
      const end = async (service: Service): Promise<void> => {
        started.delete(service);
        failures.delete(service);
        try {
          await service.stop?.(why);
        } catch (error) {
          if (service.isVital === true) thrown.push(error);
          else journalBug(layout, clock.now(), new Error(`${service.name}: ${messageOf(error)}`, { cause: error }));
        }
      };
      for (const row of rows) await Promise.all(row.map(end));
      if (thrown.length > 0) throw thrown[0];
    },
    // Hooks say of it that nothing can be sent, which is not so if it keeps only another service from its work.
    trouble: () => [...failures].find(([{ isVital }, { isOfDisk }]) => isVital === true && isOfDisk)?.[1].detail,
  };
}
