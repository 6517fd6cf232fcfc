import { describe, expect, it } from "vitest";
import {
  breakerThreshold,
  isSwitchedOff,
  maxProbeMs,
  openFrom,
  withOutcome,
  withRequest,
} from "../../../src/pipeline/channel/endpoint-policy.ts";
import { delivered, failed, failureReasons, type FailureReason, type Outcome } from "../../../src/model/outcome.ts";
import type { Endpoint } from "../../../src/outbox/endpoints.ts";
import { firstBackoffMs } from "../../../src/pipeline/channel/waiting-delivery.ts";
import { everyRow } from "../../support/rows.ts";

const now = 1_800_000_000_000;
const blank: Endpoint = { channel: "team" };
const rate = { messages: 2, perMs: 1000 };

function after(endpoint: Endpoint, ...outcomes: Outcome[]): Endpoint {
  return outcomes.reduce(
    (state, outcome) =>
      withOutcome(state, outcome, { nowMs: now, random: () => 1, fingerprint: "f", secretsDigest: "s" }),
    endpoint,
  );
}

describe("the breaker", () => {
  it("opens after failures in a row, for longer each time, and closes with a delivery", () => {
    const down = failed("network", "refused");
    const almost = after(blank, ...Array.from({ length: breakerThreshold - 1 }, () => down));
    expect(openFrom(almost, undefined, now)).toBe(now);
    const open = after(almost, down);
    expect(openFrom(open, undefined, now)).toBe(now + firstBackoffMs * 2 ** (breakerThreshold - 1));
    const longer = after(open, down);
    expect(openFrom(longer, undefined, now)).toBeGreaterThan(openFrom(open, undefined, now));
    const longest = after(longer, ...Array.from({ length: 40 }, () => down));
    expect(openFrom(longest, undefined, now)).toBe(now + maxProbeMs);
    expect(after(longest, delivered())).toEqual(blank);
  });

  it("counts what the endpoint is to blame for", () =>
    everyRow<[FailureReason, boolean]>(
      [
        ["network", true],
        ["timeout", true],
        ["serverError", true],
        ["unknown", true],
        ["rateLimited", false],
        ["rejected", false],
        ["unavailable", false],
        ["missingSecret", false],
        ["expired", false],
        ["gone", false],
        ["unauthorized", false],
      ],
      ([reason, counts]) => {
        expect(after(blank, failed(reason, "x")).breaker !== undefined).toBe(counts);
      },
      (row) => JSON.stringify(row),
    ));

  it("knows every reason", () => {
    for (const reason of failureReasons) expect(() => after(blank, failed(reason, "x"))).not.toThrow();
  });
});

describe("the receiver's own word", () => {
  it("holds until its time, whatever the reason it came with", () => {
    expect(openFrom(after(blank, failed("rateLimited", "x", 60_000)), undefined, now)).toBe(now + 60_000);
    expect(openFrom(after(blank, failed("serverError", "x", 60_000)), undefined, now)).toBe(now + 60_000);
    expect(openFrom(after(blank, failed("rateLimited", "x", 60_000)), undefined, now + 60_001)).toBe(now + 60_001);
  });

  it.each(["gone", "unauthorized"] as const)("%s switches off until settings or secrets change", (reason) => {
    const off = after(blank, failed(reason, "no"));
    expect(isSwitchedOff(off, "f", "s")).toBe(true);
    expect(isSwitchedOff(off, "other", "s")).toBe(false);
    expect(isSwitchedOff(off, "f", "other")).toBe(false);
    expect(isSwitchedOff(blank, "f", "s")).toBe(false);
    expect(after(off, delivered())).toEqual(blank);
  });
});

describe("the rate", () => {
  it("lets a burst through, then one at a time", () => {
    let endpoint = blank;
    const starts: number[] = [];
    let at = now;
    for (let index = 0; index < 6; index += 1) {
      at = openFrom(endpoint, rate, at);
      starts.push(at - now);
      endpoint = withRequest(endpoint, rate, at);
    }
    expect(starts).toEqual([0, 0, 500, 1000, 1500, 2000]);
  });

  it("never lets more through in any window than burst and rate allow", () => {
    let endpoint = blank;
    let at = now;
    const starts: number[] = [];
    for (let index = 0; index < 200; index += 1) {
      at = openFrom(endpoint, rate, at + (index % 7) * 90);
      starts.push(at);
      endpoint = withRequest(endpoint, rate, at);
    }
    for (const start of starts) {
      const within = starts.filter((other) => other >= start && other < start + rate.perMs).length;
      expect(within).toBeLessThanOrEqual(rate.messages * 2);
    }
  });

  it("does not starve when the clock was set back", () => {
    const used = withRequest(withRequest(blank, rate, now), rate, now);
    expect(openFrom(used, rate, now - 3_600_000)).toBe(now - 3_600_000);
  });
});

describe("a destination, after the clock was set back by a year", () => {
  const year = 365 * 24 * 3_600_000;
  const failures = breakerThreshold;
  it.each<[string, Partial<Endpoint>, number]>([
    ["waits as long as its receiver asked", { notBefore: now + year + 60_000 }, 60_000],
    ["is probed when it was to be", { breaker: { failures, probeAt: now + year + maxProbeMs } }, maxProbeMs],
    ["has its whole rate again", { bucket: { tokens: -5, at: now + year } }, 0],
  ])("%s", (_name, endpoint, waitMs) => {
    expect(openFrom({ ...blank, ...endpoint, writtenAt: now + year }, rate, now) - now).toBe(waitMs);
  });
});
