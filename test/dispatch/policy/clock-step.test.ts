import { describe, expect, it } from "vitest";
import { maxRetryAfterMs } from "../../../src/channels/http-channel.ts";
import { afterClockStep } from "../../../src/dispatch/policy/clock-step.ts";
import { breakerThreshold, maxProbeMs, openFrom } from "../../../src/dispatch/policy/endpoint-policy.ts";
import { createQueue } from "../../../src/dispatch/run/lanes.ts";
import { deliveryFormatVersion, type Delivery } from "../../../src/model/delivery.ts";

const now = 1_800_000_000_000;
const minute = 60_000;
const year = 365 * 24 * 60 * minute;

function delivery(times: Pick<Delivery, "createdAt" | "notBefore" | "expiresAt"> & { failedAt?: number }): Delivery {
  const { failedAt, ...own } = times;
  return {
    version: deliveryFormatVersion,
    id: "msg_1",
    channel: "ops",
    rule: "all",
    event: {
      id: "evt_1",
      name: "Stop",
      agent: "generic",
      session: "s",
      cwd: "/",
      project: "p",
      host: "h",
      at: new Date(own.createdAt).toISOString(),
      level: "info",
    },
    message: { title: "t", body: "b", level: "info", fields: [] },
    fallback: [],
    attempts: failedAt === undefined ? 0 : 1,
    ...own,
    ...(failedAt === undefined ? {} : { lastFailure: { reason: "network" as const, detail: "refused", at: failedAt } }),
  };
}

describe("a delivery, after the clock was turned", () => {
  it.each<[string, Parameters<typeof delivery>[0], { createdAt: number; notBefore: number; expiresAt: number }]>([
    [
      "is as it was when the clock was right",
      { createdAt: now - minute, notBefore: now + minute, expiresAt: now + 60 * minute },
      { createdAt: now - minute, notBefore: now + minute, expiresAt: now + 60 * minute },
    ],
    [
      "waits as long as it was to wait, when its last failure lies in the future now",
      {
        createdAt: now - minute,
        failedAt: now + year,
        notBefore: now + year + minute,
        expiresAt: now + 60 * minute + year,
      },
      { createdAt: now - minute, notBefore: now + minute, expiresAt: now + 60 * minute },
    ],
    [
      "is due, and lives as long as it was to live, when it was made in the future",
      { createdAt: now + year, notBefore: now + year, expiresAt: now + year + 60 * minute },
      { createdAt: now, notBefore: now, expiresAt: now + 60 * minute },
    ],
    [
      "takes a clock that was turned on for time that has passed",
      {
        createdAt: now - year,
        failedAt: now - year,
        notBefore: now - year + minute,
        expiresAt: now - year + 60 * minute,
      },
      { createdAt: now - year, notBefore: now - year + minute, expiresAt: now - year + 60 * minute },
    ],
  ])("%s", (_name, before, expected) => {
    expect(afterClockStep(delivery(before), now)).toMatchObject(expected);
    expect(afterClockStep(delivery(before), now).lastFailure?.at ?? now).toBeLessThanOrEqual(now);
  });

  it("waits in memory no longer than it was to wait", () => {
    const queue = createQueue();
    queue.add({ file: "1", channel: "ops", session: "s", notBefore: now + minute, eventMs: now });
    queue.advance(year);
    expect(queue.next("ops", now - year)).toEqual({ dueAt: now + minute - year });
  });
});

describe("a destination, after the clock was turned back", () => {
  const failures = breakerThreshold;
  it.each<[string, Parameters<typeof openFrom>[0], number]>([
    ["keeps the pause it asked for", { channel: "c", notBefore: now + maxRetryAfterMs, saidAt: now }, maxRetryAfterMs],
    [
      "may be asked at once when it spoke in the future",
      { channel: "c", notBefore: now + year + 1, saidAt: now + year },
      0,
    ],
    [
      "keeps a probe's time that can be",
      { channel: "c", breaker: { failures, probeAt: now + maxProbeMs } },
      maxProbeMs,
    ],
    ["is probed at once when the time cannot be", { channel: "c", breaker: { failures, probeAt: now + year } }, 0],
    [
      "has its whole rate when the bucket is from the future",
      { channel: "c", bucket: { tokens: -5, at: now + year } },
      0,
    ],
  ])("%s", (_name, endpoint, waitMs) => {
    expect(openFrom(endpoint, { messages: 1, perMs: 1000 }, now) - now).toBe(waitMs);
  });
});
