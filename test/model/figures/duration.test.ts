import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "../../../src/model/figures/duration.ts";

describe("durations", () => {
  it.each([
    ["500ms", 500],
    ["90s", 90_000],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["2d", 172_800_000],
    ["0s", 0],
    ["", undefined],
    ["10", undefined],
    ["10 m", undefined],
    ["m", undefined],
    ["-5s", undefined],
    ["1.5h", undefined],
    ["99999999999999999d", undefined],
  ])("%j is %s ms", (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it.each([
    [0, "0s"],
    [999, "999ms"],
    [1000, "1s"],
    [59_600, "1m"],
    [61_000, "1m 1s"],
    [3_600_000, "1h"],
    [3_725_000, "1h 2m"],
    [90_000_000, "1d 1h"],
    [86_405_000, "1d"],
    [-5, "0s"],
  ])("%i ms reads %s", (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected);
  });
});
