import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { findLeaseHolder, leaseMs, takeLease } from "../../../src/outbox/lease/lease.ts";
import { pidSpace } from "../../../src/system/process/identity.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { deadPid } from "../../support/project/forged-lease.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

function forge(
  path: string,
  holder: { pid: number; host?: string; pidSpace?: string; start?: string },
  mtimeMs: number,
): void {
  const host = holder.host ?? hostname().split(".")[0];
  writeFileSync(path, JSON.stringify({ token: "forged", pidSpace: pidSpace(), startedAt: 1, ...holder, host }));
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

describe("the lease", () => {
  it("goes to one, and is free again when that one releases it", () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    const first = takeLease(layout, clock);
    expect(first).toBeDefined();
    expect(takeLease(layout, clock)).toBeUndefined();
    expect(findLeaseHolder(layout, clock.now())).toMatchObject({ pid: process.pid });
    first?.release();
    expect(findLeaseHolder(layout, clock.now())).toBeUndefined();
    expect(takeLease(layout, clock)).toBeDefined();
  });

  it("lasts while it is renewed, and no longer", () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    const lease = takeLease(layout, clock);
    clock.turn(leaseMs - 1000);
    expect(lease?.renew()).toBe(true);
    clock.turn(leaseMs - 1000);
    expect(findLeaseHolder(layout, clock.now())).toBeDefined();
    clock.turn(2000);
    expect(findLeaseHolder(layout, clock.now())).toBeUndefined();
  });

  it("is not renewed, nor released, by one that slept while another took over", () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    const frozen = takeLease(layout, clock);
    clock.turn(leaseMs + 1);
    const next = takeLease(layout, clock);
    expect(next).toBeDefined();
    expect(frozen?.renew()).toBe(false);
    frozen?.release();
    expect(next?.renew()).toBe(true);
  });

  it("is held by one that overslept when no one took over", () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    const lease = takeLease(layout, clock);
    clock.turn(leaseMs * 10);
    expect(lease?.renew()).toBe(true);
    expect(takeLease(layout, clock)).toBeUndefined();
  });

  it("of a process that was killed is free at once", async () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    forge(layout.lease, { pid: deadPid }, clock.now() + leaseMs);
    expect(findLeaseHolder(layout, clock.now())).toBeUndefined();
    expect(takeLease(layout, clock)).toBeDefined();
  });

  it("of another machine holds by its time alone", () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    forge(layout.lease, { pid: 1, host: "elsewhere" }, clock.now() + 1000);
    expect(takeLease(layout, clock)).toBeUndefined();
    clock.turn(2000);
    expect(takeLease(layout, clock)).toBeDefined();
  });

  it("of another container on this machine holds by its time alone", async () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    forge(layout.lease, { pid: deadPid, pidSpace: "pid:[1]" }, clock.now() + 1000);
    expect(takeLease(layout, clock)).toBeUndefined();
    clock.turn(2000);
    expect(takeLease(layout, clock)).toBeDefined();
  });

  it("holds while its process lives, also when the clock was set back", () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    const lease = takeLease(layout, clock);
    clock.set(clock.now() - 3_600_000);
    expect(findLeaseHolder(layout, clock.now())).toMatchObject({ pid: process.pid });
    expect(takeLease(layout, clock)).toBeUndefined();
    expect(lease?.renew()).toBe(true);
  });

  it("holds while its process lives also where that names no start", () => {
    const layout = temporaryState();
    const now = Date.now();
    forge(layout.lease, { pid: process.pid }, now + leaseMs);
    expect(findLeaseHolder(layout, now)).toMatchObject({ pid: process.pid });
    forge(layout.lease, { pid: process.pid, start: "another" }, now + leaseMs);
    expect(findLeaseHolder(layout, now)).toBeUndefined();
  });

  it("does not hold for ever when the clock was set back and its process is gone", async () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    for (const holder of [{ pid: deadPid }, { pid: 1, host: "elsewhere" }, { pid: process.pid, start: "1" }]) {
      forge(layout.lease, holder, clock.now() + 3_600_000);
      expect(findLeaseHolder(layout, clock.now())).toBeUndefined();
      takeLease(layout, clock)?.release();
      expect(existsSync(layout.lease)).toBe(false);
    }
  });

  it.each(["nowhere", "lease", "/proc/self/pagemap", "/proc/kmsg"])("that is a link to %s is taken over", (target) => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    symlinkSync(target, layout.lease);
    expect(takeLease(layout, clock)).toBeDefined();
    expect(JSON.parse(readFileSync(layout.lease, "utf8"))).toMatchObject({ pid: process.pid });
    expect(readdirSync(layout.root).filter((name) => name.includes("stale"))).toEqual([]);
  });

  it.each(["", "{", "null", "[]", '{"pid":1}', "\u0000"])("that is torn (%j) is taken over", (content) => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    writeFileSync(layout.lease, content);
    utimesSync(layout.lease, clock.now() / 1000 + 5, clock.now() / 1000 + 5);
    expect(takeLease(layout, clock)).toBeDefined();
    expect(JSON.parse(readFileSync(layout.lease, "utf8"))).toMatchObject({ pid: process.pid });
  });

  it("lies in the future, for a shell script's [ lease -nt file ]", () => {
    const layout = temporaryState();
    const clock = createFakeClock(Date.now());
    takeLease(layout, clock);
    expect(existsSync(layout.lease)).toBe(true);
    const before = findLeaseHolder(layout, clock.now() + leaseMs - 1000);
    expect(before).toBeDefined();
  });
});
