// When the loop polls again, and when it ends, for services that do what a row says.
import { describe, expect, it, onTestFinished } from "vitest";
import { createAttendant, type Service } from "../../src/daemon/attend.ts";
import { runLoop } from "../../src/daemon/loop.ts";
import { ensureLayout, storageRetryMs } from "../../src/outbox/layout.ts";
import { holdLease, readLease, takeLease } from "../../src/outbox/lease/lease.ts";
import { createWakeSignal } from "../../src/system/clock.ts";
import { prepareDispatcher } from "../support/project/running-dispatcher.ts";
import { everyRow } from "../support/rows.ts";

const minute = 60_000;

/** A loop over these services. Its clock turns by itself to the time for which the loop waits, unless that is over an hour away. */
function prepare(services: Partial<Service>[], { idleMs = 10_000, isStaying = true } = {}) {
  const { dispatcher, clock, journal } = prepareDispatcher();
  const { layout } = dispatcher;
  ensureLayout(layout);
  const startedAt = clock.now();
  const taken = takeLease(layout, clock);
  if (taken === undefined) throw new Error("no lease");
  const lease = holdLease(taken, clock);
  onTestFinished(lease.stop);
  const stop = new AbortController();
  const named = services.map<Service>((service, index) => ({
    name: `service ${index}`,
    start: async () => {},
    poll: () => ({ nextAt: Infinity }),
    busy: () => undefined,
    stop: async () => {},
    ...service,
  }));
  const signal = createWakeSignal(clock);
  const waits: number[] = [];
  const wait = async (atMostMs: number): Promise<void> => {
    waits.push(atMostMs);
    if (atMostMs > 60 * minute) stop.abort();
    else clock.turn(atMostMs);
    await new Promise(setImmediate);
  };
  const attendant = createAttendant(layout, clock);
  const run = async (): Promise<number> => {
    const loop = { attendant, signal: { ...signal, wait }, clock, onRound: () => Promise.resolve() };
    await runLoop({ services: named, stopping: [named], lasting: [] }, lease, loop, {
      idleMs,
      isStaying,
      stop: stop.signal,
    });
    return clock.now() - startedAt;
  };
  return {
    run,
    waits,
    stop: () => stop.abort(),
    clock,
    layout,
    journal,
    trouble: () => readLease(layout)?.holder.trouble,
  };
}

const fullDisk = Object.assign(new Error("write"), { code: "ENOSPC" });

describe("the loop", () => {
  it("ends when it is idle, counted from when a service was busy last", () =>
    everyRow<[string, (clock: () => number) => Partial<Service>, Parameters<typeof prepare>[1], number]>(
      [
        ["nothing to do", () => ({}), {}, 10_000],
        ["nothing to do, until idle", () => ({}), { idleMs: 0 }, 0],
        ["something under way for a minute", (age) => busyFor(age, "work", minute), {}, minute + 10_000],
        ["what may still happen, for a minute", (age) => busyFor(age, "stay", minute), {}, minute + 10_000],
        [
          "what may still happen, and it is not to stay",
          (age) => busyFor(age, "stay", minute),
          { isStaying: false },
          10_000,
        ],
        ["a backlog of five polls", () => polled([0, 0, 0, 0, 0, Infinity]), { idleMs: 0 }, 0],
        ["a poll in a while", () => polled([4000, Infinity]), {}, 10_000],
        ["a poll after it is idle", () => polled([minute]), {}, 10_000],
        ["a disk in trouble all the time", () => ({ poll: () => raise(fullDisk) }), {}, 10_000],
      ],
      async ([_name, make, options, expected]) => {
        let startedAt: number | undefined;
        const age = (): number => prepared.clock.now() - (startedAt ??= prepared.clock.now());
        const prepared = prepare([make(age)], options);
        expect(await prepared.run()).toBe(expected);
      },
    ));

  it("stays without an end of its own until it is stopped", async () => {
    const { run, waits } = prepare([{}], { idleMs: Infinity });
    await run();
    expect(waits).toEqual([Infinity]);
  });

  it("passes over who waits for a backlog, for as long as there is one", async () => {
    const calls: string[] = [];
    const backlog = [true, true, false];
    const intake = {
      poll() {
        calls.push("intake");
        const hasBacklog = backlog.shift() ?? false;
        return { nextAt: hasBacklog ? 0 : Infinity, hasBacklog };
      },
    };
    const watch = {
      waitsForBacklog: true,
      poll() {
        calls.push("watch");
        return { nextAt: Infinity };
      },
    };
    const { run } = prepare([intake, watch], { idleMs: 0 });
    await run();
    expect(calls).toEqual(["intake", "intake", "intake", "watch"]);
  });
});

describe("trouble with the disk", () => {
  /** Fails from the time until the other, both in milliseconds since the start. */
  const failing = (age: () => number, from: number, to: number, more: Partial<Service> = {}): Partial<Service> => ({
    ...more,
    poll: () => (age() >= from && age() < to ? raise(fullDisk) : { nextAt: Infinity }),
  });

  it("stands in the lease until each vital service has worked again, which is in one round, and once in the journal", async () => {
    const startedAt: number[] = [];
    const seen: [number, boolean][] = [];
    const age = (): number => prepared.clock.now() - (startedAt[0] ??= prepared.clock.now());
    const ticker: Partial<Service> = {
      poll() {
        seen.push([age(), prepared.trouble() !== undefined]);
        return { nextAt: age() < 20_000 ? prepared.clock.now() + 1000 : Infinity };
      },
    };
    const vital = { isVital: true };
    const prepared = prepare([ticker, failing(age, 1000, 8000, vital), failing(age, 3000, 8000, vital)], {
      idleMs: 30_000,
    });
    await prepared.run();
    const troubled = seen.filter(([, isTroubled]) => isTroubled).map(([at]) => at);
    expect(troubled).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((second) => second * 1000));
    expect(2 * storageRetryMs).toBe(10_000);
    expect(prepared.journal("dispatcher").map(({ what }) => what)).toEqual(["stalled"]);
  });

  it("of another service is no reason for hooks to say that nothing can be sent", async () => {
    let startedAt: number | undefined;
    const age = (): number => prepared.clock.now() - (startedAt ??= prepared.clock.now());
    const troubles: unknown[] = [];
    const watcher = {
      poll() {
        troubles.push(prepared.trouble());
        return { nextAt: Infinity };
      },
    };
    const prepared = prepare([failing(age, 0, 8000), watcher]);
    await prepared.run();
    expect(troubles.length).toBeGreaterThan(1);
    expect(troubles.every((trouble) => trouble === undefined)).toBe(true);
    expect(prepared.journal("dispatcher").map(({ what }) => what)).toEqual(["stalled"]);
  });
});

function raise(error: Error): never {
  throw error;
}

function busyFor(age: () => number, kind: "work" | "stay", forMs: number): Partial<Service> {
  return { busy: () => (age() <= forMs ? kind : undefined), poll: (now) => ({ nextAt: now + 1000 }) };
}

/** Each poll asks for the next after so long. */
function polled(pauses: number[]): Partial<Service> {
  return { poll: (now) => ({ nextAt: now + (pauses.shift() ?? Infinity) }) };
}
