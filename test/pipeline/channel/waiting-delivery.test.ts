import { describe, expect, it } from "vitest";
import { afterClockStep } from "../../../src/pipeline/channel/waiting-delivery.ts";
import { deliveryFormatVersion, type Delivery } from "../../../src/model/delivery.ts";

const now = 1_800_000_000_000;
const minute = 60_000;
const year = 365 * 24 * 60 * minute;

function delivery(times: Pick<Delivery, "createdAt" | "notBefore" | "expiresAt"> & { failedAt?: number }): Delivery {
  const { failedAt, ...own } = times;
  return {
    version: deliveryFormatVersion,
    kind: "event",
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
});
