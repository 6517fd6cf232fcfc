import { describe, expect, it } from "vitest";
import {
  backoffMs,
  firstBackoffMs,
  maxBackoffMs,
  minBackoffMs,
} from "../../../src/pipeline/channel/waiting-delivery.ts";
import { everyRow } from "../../support/rows.ts";

describe("backoff", () => {
  it("grows with each attempt, and heeds Retry-After", () =>
    everyRow(
      [
        [1, 1, 0, firstBackoffMs],
        [2, 1, 0, firstBackoffMs * 2],
        [5, 0.5, 0, (firstBackoffMs * 16) / 2],
        [50, 1, 0, maxBackoffMs],
        [5000, 1, 0, maxBackoffMs],
        [3, 0, 0, minBackoffMs],
        [1, 0, 60_000, 60_000],
        [9, 1, 60_000, firstBackoffMs * 256],
      ],
      ([attempts, chance, retryAfterMs, expected]) => {
        expect(backoffMs(attempts, () => chance, retryAfterMs)).toBe(expected);
      },
      (row) => JSON.stringify(row),
    ));
});
