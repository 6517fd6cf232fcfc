// When a usage limit resets, read out of the agents' own messages.
import { describe, expect, it } from "vitest";
import { resetIn } from "../../src/sessions/limit-reset.ts";
import { everyRow } from "../support/rows.ts";

const now = Date.parse("2026-11-23T08:00:13.213Z");

describe("the time at which a limit resets", () => {
  it("is read from each wording", () =>
    everyRow(
      [
        // As Claude Code 2.1.330 writes it, with a pretended limit.
        ["You've hit your 5-hour limit · resets 10am (Europe/Zurich)", "2026-11-23T09:00:00.000Z"],
        ["You've hit your limit · resets 1:30am (Asia/Dhaka)", "2026-11-23T19:30:00.000Z"],
        ["You've hit your limit · resets Nov 27 at 9pm (America/New_York)", "2026-11-28T02:00:00.000Z"],
        ["Your limit will reset at 3pm (Etc/UTC).", "2026-11-23T15:00:00.000Z"],
        ["resets 12am (UTC)", "2026-11-24T00:00:00.000Z"],
        ["resets 12:05pm (UTC)", "2026-11-23T12:05:00.000Z"],
        ["Claude AI usage limit reached|1795424413", "2026-11-23T09:00:13.000Z"],
        // The provider's clock is a little behind this machine's.
        ["You've hit your 5-hour limit · resets 7:55am (UTC)", "2026-11-23T08:00:13.213Z"],
        ["You've hit your limit · resets Nov 23 at 8am (UTC)", "2026-11-23T08:00:13.213Z"],
      ],
      ([message, at]) => {
        expect(new Date(resetIn(message, now) ?? 0).toISOString()).toBe(at);
      },
      (row) => JSON.stringify(row),
    ));

  // Codex names the time in this machine's zone: https://github.com/openai/codex/blob/main/codex-rs/protocol/src/error.rs
  it.each([
    ["You've hit your usage limit. Try again at 3:05 PM.", "resets 3:05pm"],
    [
      "You've hit your usage limit. Upgrade to Pro or try again at Nov 25th, 2026 12:30 AM.",
      "resets Nov 25 at 12:30am",
    ],
    ["You've hit your usage limit. Try again at Nov 30th, 2026 9:00 AM.", "resets Nov 30, 9am"],
  ])("in %j of Codex", (message, same) => {
    expect(resetIn(message, now)).toBe(resetIn(same, now));
    expect(resetIn(message, now)).toBeGreaterThan(now);
  });

  it("is in the next year where the day has passed", () => {
    const silvester = Date.parse("2026-12-31T20:00:00Z");
    expect(resetIn("resets Jan 2 at 9am (UTC)", silvester)).toBe(Date.parse("2027-01-02T09:00:00Z"));
  });

  it("is unknown in any other words", () =>
    everyRow(
      [
        "API Error: 429 rate limited",
        "it resets 25pm (UTC)",
        "resets 10:75am (UTC)",
        "resets Foo 3 at 9am (UTC)",
        "resets Aug 3 at 9am (UTC)",
        "usage limit reached|9999999999",
        "usage limit reached|1750708800",
        "resets ".repeat(100_000),
      ],
      (message) => {
        expect(resetIn(message, now)).toBeUndefined();
      },
    ));

  it("is no more than ten minutes ago, which is now, and no more than eight days away", () => {
    const whole = Date.parse("2026-11-23T08:00:00Z");
    const inSeconds = (seconds: number) => resetIn(`usage limit reached|${whole / 1000 + seconds}`, whole);
    expect([-600, -599, 0, 1].map(inSeconds)).toEqual([undefined, whole, whole, whole + 1000]);
    const longest = 8 * 24 * 3600;
    expect([longest, longest + 1].map(inSeconds)).toEqual([whole + longest * 1000, undefined]);
    expect(resetIn("resets 7:50am (UTC)", whole)).toBe(Date.parse("2026-11-24T07:50:00Z"));
    expect(resetIn("resets 7:51am (UTC)", whole)).toBe(whole);
    expect(resetIn("resets Nov 23 at 7:50am (UTC)", whole)).toBeUndefined();
    expect(resetIn("resets Nov 23 at 7:51am (UTC)", whole)).toBe(whole);
  });

  it("is from 1 to 12 o'clock and up to 59 minutes", () => {
    const at = (time: string): string | undefined => {
      const ms = resetIn(`resets ${time} (UTC)`, now);
      return ms === undefined ? undefined : new Date(ms).toISOString().slice(11, 16);
    };
    expect(["1am", "12:59pm", "11:59PM"].map(at)).toEqual(["01:00", "12:59", "23:59"]);
    expect(["0am", "13pm", "1:60am"].map(at)).toEqual([undefined, undefined, undefined]);
  });

  it("is this machine's where the zone is unknown", () => {
    expect(resetIn("resets 10am (Not/AZone)", now)).toBe(resetIn("resets 10am", now));
  });
});
