import { describe, expect, it } from "vitest";
import { createSteadyTime, setBackMs } from "../../src/system/clock.ts";

describe("the time in a process", () => {
  it.each<[string, [wall: number, elapsed: number][], number[]]>([
    [
      "follows the clock",
      [
        [5000, 100],
        [5010, 110],
      ],
      [5000, 5010],
    ],
    [
      "counts on where the clock is set back",
      [
        [5000, 100],
        [1000, 110],
        [1020, 130],
      ],
      [5000, 5010, 5030],
    ],
    [
      "follows a clock that is set on",
      [
        [5000, 100],
        [90_000, 110],
      ],
      [5000, 90_000],
    ],
    [
      "follows the clock over a sleep that nothing counted",
      [
        [5000, 100],
        [65_000, 101],
      ],
      [5000, 65_000],
    ],
    [
      "follows the clock again when that has caught up",
      [
        [5000, 100],
        [4990, 110],
        [5040, 120],
      ],
      [5000, 5010, 5040],
    ],
  ])("%s", (_name, readings, expected) => {
    let at: [number, number] = readings[0] ?? [0, 0];
    const now = createSteadyTime(
      () => at[0],
      () => at[1],
    );
    const times = readings.map((reading) => {
      at = reading;
      return now();
    });
    expect(times).toEqual(expected);
  });
});

it("what was written later than now was written by a clock that was set back since", () => {
  expect([setBackMs(900, 1000), setBackMs(1000, 1000), setBackMs(1500, 1000)]).toEqual([0, 0, 500]);
});
