// What can be seen at once of a dispatcher that hangs.
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { leaseMs, takeLease } from "../../../src/outbox/lease/lease.ts";
import type { Layout } from "../../../src/outbox/layout.ts";
import { describeWork, findHung } from "../../../src/outbox/stuck/find-hung.ts";
import { hostName, ownPid } from "../../../src/system/process/identity.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { deadPid } from "../../support/project/forged-lease.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

const now = Date.UTC(2026, 10, 28, 12);

function held() {
  const layout = temporaryState();
  takeLease(layout, createFakeClock(now));
  const note = (facts: object) => writeFileSync(`${layout.lease}.at`, JSON.stringify({ pid: ownPid, ...facts }));
  return { layout, note };
}

/** The lease as another one would have written it, until the same time. */
function withHolder(layout: Layout, facts: object) {
  writeFileSync(layout.lease, JSON.stringify({ ...JSON.parse(readFileSync(layout.lease, "utf8")), ...facts }));
  utimesSync(layout.lease, (now + leaseMs) / 1000, (now + leaseMs) / 1000);
}

it("one that renews its lease and is at nothing for long does not hang", () => {
  const { layout, note } = held();
  expect(findHung(temporaryState(), now)).toBeUndefined();
  expect(findHung(layout, now + leaseMs - 1)).toBeUndefined();
  note({ at: now, work: "incoming/a" });
  expect(findHung(layout, now + 3000)).toBeUndefined();
  note({ at: now - 60_000 });
  expect(findHung(layout, now)).toBeUndefined();
});

it("one whose lease has run out hangs, and one that is at one thing for more than three seconds", () => {
  const { layout, note } = held();
  const own = { pid: ownPid, host: hostName() };
  expect(findHung(layout, now + leaseMs)).toEqual({ ...own, silentMs: leaseMs, work: undefined, file: undefined });
  note({ at: now, work: "incoming/a", file: "/repo/x" });
  expect(findHung(layout, now + 3001)).toEqual({ ...own, silentMs: 3001, work: "incoming/a", file: "/repo/x" });
  note({ at: now - 60_000, file: "/repo/x" });
  expect(findHung(layout, now + 10)).toMatchObject({ silentMs: 60_010, work: undefined, file: "/repo/x" });
});

it("one of another machine, or whose process is another or has ended, is not said to hang", () => {
  for (const facts of [{ host: "elsewhere" }, { pidSpace: "another" }, { pid: deadPid }, { start: "1" }]) {
    const { layout } = held();
    withHolder(layout, facts);
    expect(findHung(layout, now + leaseMs)).toBeUndefined();
  }
  const { layout } = held();
  withHolder(layout, { start: undefined });
  expect(findHung(layout, now + leaseMs)).toMatchObject({ pid: ownPid });
});

it("what it is at is said in words, as far as it is known", () => {
  expect(describeWork({ work: "incoming/a", file: "/repo/x" })).toBe(" at incoming/a, in the file /repo/x");
  expect(describeWork({ file: "/repo/x" })).toBe(" in the file /repo/x");
  expect(describeWork({})).toBe("");
});
