// Which dispatcher may be ended, and what follows for what it was at.
import { describe, expect, it } from "vitest";
import { readLease, type LeaseHolder } from "../../../src/outbox/lease/lease.ts";
import { judge, stuckAfterCpuMs } from "../../../src/outbox/stuck/judge.ts";
import { afterStuck, leaveOut, type StuckRecord, writeStuckRecord } from "../../../src/outbox/stuck/left-out.ts";
import { readLinesFrom } from "../../../src/system/files/read-lines.ts";
import { readIfThere } from "../../../src/system/files/read.ts";
import { type ProcessUse, readPsUse, readWindowsUse } from "../../../src/system/process/use.ts";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeLease } from "../../../src/outbox/lease/lease.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { temporaryFolder, temporaryState } from "../../support/project/temporary-state.ts";

const holder: LeaseHolder = {
  token: "t",
  pid: 42,
  host: "desk",
  pidSpace: "pid:[1]",
  start: "700",
  boot: "b1",
  startedAt: 1000,
};
const here = { pid: 7, host: "desk", pidSpace: "pid:[1]" };
const first: ProcessUse = { start: "700", boot: "b1", name: "hookbell", isSuspended: false, cpuMs: 5000 };
const busy: ProcessUse = { ...first, cpuMs: 5000 + stuckAfterCpuMs };

type Case = [
  name: string,
  verdict: ReturnType<typeof judge>,
  given: {
    holder?: Partial<LeaseHolder>;
    first?: ProcessUse | undefined;
    last?: ProcessUse | undefined;
    isOver?: true;
  },
];

const { start: _start, boot: _boot, ...unborn } = holder;
const elsewhere = { ...unborn, bornAt: 50_000 };
const macUse = { bornAt: 51_000, isSuspended: false, cpuMs: 0 };
const macBusy = { ...macUse, cpuMs: stuckAfterCpuMs };

describe("a dispatcher that does not renew its lease", () => {
  it.each<Case>([
    ["is stuck if it uses the processor", "stuck", {}],
    ["is left alone if it has renewed it, or is gone", "over", { isOver: true }],
    ["is left alone on another host", "elsewhere", { holder: { host: "laptop" } }],
    ["is left alone in another pid space", "elsewhere", { holder: { pidSpace: "pid:[2]" } }],
    ["is left alone if it is this process", "elsewhere", { holder: { pid: 7 } }],
    ["is left alone if it is suspended", "suspended", { last: { ...busy, isSuspended: true } }],
    ["is left alone while it has used little of the processor", "quiet", { last: { ...busy, cpuMs: busy.cpuMs - 1 } }],
    ["is left alone if its number is another process's", "unknown", { holder: { start: "701" } }],
    ["is left alone if its number has gone to another process meanwhile", "unknown", { last: { ...busy, start: "9" } }],
    ["is left alone if it is of another boot", "unknown", { holder: { boot: "b0" } }],
    ["is left alone if its start is not on record", "unknown", { holder: { start: undefined } }],
    ["is left alone if nothing is known of the process", "unknown", { last: undefined }],
    ["of 1.0.0-rc.1 is stuck if it calls itself hookbell", "stuck", { holder: { boot: undefined } }],
    [
      "of 1.0.0-rc.1 is left alone if it has another name",
      "unknown",
      { holder: { boot: undefined }, first: { ...first, name: "node" }, last: { ...busy, name: "node" } },
    ],
    [
      "of 1.0.0-rc.1 is stuck if its name says also what it does",
      "stuck",
      {
        holder: { boot: undefined },
        first: { ...first, name: "hookbell run" },
        last: { ...busy, name: "hookbell run" },
      },
    ],
    [
      "of 1.0.0-rc.1 is left alone if its name only ends like it",
      "unknown",
      { holder: { boot: undefined }, first: { ...first, name: "my-hookbell" }, last: { ...busy, name: "my-hookbell" } },
    ],
    [
      "of 1.0.0-rc.1 is left alone if its name is not known",
      "unknown",
      { holder: { boot: undefined }, first: { ...first, name: undefined }, last: { ...busy, name: undefined } },
    ],
  ])("%s", (_name, verdict, { holder: more, isOver, ...use }) => {
    const { first: begun, last } = { first, last: busy, ...use };
    expect(judge({ ...holder, ...more }, here, { first: begun, last, isOver: isOver === true })).toBe(verdict);
  });

  it("elsewhere than on Linux is stuck by the second of its birth, and otherwise left alone", () => {
    expect(judge(elsewhere, here, { first: macUse, last: macBusy, isOver: false })).toBe("stuck");
    const [begun, last] = [macUse, macBusy].map((use) => ({ ...use, bornAt: 52_000 }));
    expect(judge(elsewhere, here, { first: begun, last, isOver: false })).toBe("stuck");
    const later = { ...macBusy, bornAt: 60_000 };
    expect(judge(elsewhere, here, { first: later, last: later, isOver: false })).toBe("unknown");
    expect(judge(unborn, here, { first: macUse, last: macBusy, isOver: false })).toBe("unknown");
  });
});

it("reads what other systems say of a process, and nothing from what they do not say", () => {
  expect(readPsUse("R+     2-01:02:03.50 Fri Nov 27 18:15:16 2026\n")).toEqual({
    bornAt: Date.parse("Fri Nov 27 18:15:16 2026"),
    isSuspended: false,
    cpuMs: (((2 * 24 + 1) * 60 + 2) * 60 + 3.5) * 1000,
  });
  expect(readPsUse("T  0:00.01 Fri Nov  7 08:15:16 2026")).toMatchObject({ isSuspended: true, cpuMs: 10 });
  expect(readWindowsUse("2026-11-27T18:15:16.1234567Z 1500\r\n")).toEqual({
    bornAt: Date.parse("2026-11-27T18:15:16.123Z"),
    isSuspended: false,
    cpuMs: 1500,
  });
  expect([readPsUse(""), readPsUse("ps: illegal option"), readWindowsUse(""), readWindowsUse("-  ")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it("has its boot and start in a lease, in words that rc.1's hooks still read", () => {
  const layout = temporaryState();
  takeLease(layout, systemClock);
  expect(readFileSync(layout.lease, "utf8")).toMatch(/^\{"token":"[^"]+","pid":\d+,"host":"[^"]*",/);
  if (process.platform === "linux") {
    expect(readLease(layout)?.holder).toMatchObject({ start: expect.any(String), boot: expect.any(String) });
  }
});

const none: StuckRecord = { files: [], again: [], former: [] };
const state = { mtimeMs: 1, bytes: 2 };

describe("what a dispatcher hung in", () => {
  it("is left out if it is a file, and the event is tried once more; then the event was the cause", () => {
    const once = afterStuck(none, { work: "incoming/a", file: "/repo/x" }, state);
    expect(once).toEqual({
      record: { files: [{ path: "/repo/x", state, work: "incoming/a" }], again: ["incoming/a"], former: [] },
      leftOut: "/repo/x",
    });
    expect(afterStuck(once.record, { work: "incoming/a" }, undefined)).toEqual({ record: none, givenUp: "incoming/a" });
    expect(afterStuck(once.record, { work: "incoming/b" }, undefined).record.files).toHaveLength(1);
  });

  it("is left out if it is a file of no event, whatever becomes of it where it grows", () => {
    const { record } = afterStuck(none, { file: "/t.jsonl", grows: true }, state);
    expect(record).toEqual({ files: [{ path: "/t.jsonl" }], again: [], former: [] });
  });

  it("is not read as long as it is as it was; one that grows is not read any more", () => {
    const layout = temporaryState();
    const [fixed, growing] = ["fixed", "growing"].map((name) => join(temporaryFolder(), name)) as [string, string];
    for (const path of [fixed, growing]) writeFileSync(path, "{}\n");
    const read = (): unknown[] =>
      [() => readIfThere(fixed), () => readLinesFrom(growing, 0, { chunkBytes: 10, maxLineBytes: 10 })?.lines].map(
        (each) => {
          try {
            return each();
          } catch (error) {
            return (error as { code?: string }).code;
          }
        },
      );
    leaveOut(layout);
    expect(read()).toEqual(["{}\n", ["{}"]]);
    const { mtimeMs, size: bytes } = statSync(fixed);
    writeStuckRecord(layout, { ...none, files: [{ path: fixed, state: { mtimeMs, bytes } }, { path: growing }] });
    leaveOut(layout);
    expect(read()).toEqual(["ELEFTOUT", "ELEFTOUT"]);
    for (const changed of [
      { mtimeMs: mtimeMs - 1, bytes },
      { mtimeMs, bytes: bytes - 1 },
    ]) {
      writeStuckRecord(layout, { ...none, files: [{ path: fixed, state: changed }, { path: growing }] });
      leaveOut(layout);
      expect(read()).toEqual(["{}\n", "ELEFTOUT"]);
    }
    for (const path of [fixed, growing]) appendFileSync(path, "{}\n");
    expect(read()).toEqual(["{}\n{}\n", "ELEFTOUT"]);
  });
});
