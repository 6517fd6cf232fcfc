// Which day a digest reports, and what it says.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestDate, digestRange, usageDigest } from "../../../../src/wings/platform/events/digest.ts";
import type { TokensRow } from "../../../../src/wings/platform/contract/analytics.ts";
import * as examples from "../../../support/usage/examples.ts";

const timeZone = process.env.TZ;
afterEach(() => {
  if (timeZone === undefined) delete process.env.TZ;
  else process.env.TZ = timeZone;
});

describe("the day to report", () => {
  it.each([
    ["UTC", "09:00", "2026-05-02T08:59:59Z", "2026-04-30"],
    ["UTC", "09:00", "2026-05-02T09:00:00Z", "2026-05-01"],
    ["UTC", "09:00", "2026-05-02T23:59:59Z", "2026-05-01"],
    ["UTC", "00:00", "2026-05-02T00:00:00Z", "2026-05-01"],
    ["UTC", "09:00", "2026-01-01T10:00:00Z", "2025-12-31"],
    // 09:00 in Auckland is the evening before in UTC, so that the last complete day is two days back there.
    ["Pacific/Auckland", "09:00", "2026-05-01T21:00:00Z", "2026-04-30"],
    ["Pacific/Auckland", "09:00", "2026-05-02T05:00:00Z", "2026-04-30"],
    ["Pacific/Auckland", "13:00", "2026-05-02T01:00:00Z", "2026-05-01"],
    ["America/Los_Angeles", "20:00", "2026-05-02T03:00:00Z", "2026-05-01"],
    // The clock in Berlin skips 02:30 on that day.
    ["Europe/Berlin", "02:30", "2026-03-29T00:59:00Z", "2026-03-27"],
    ["Europe/Berlin", "02:30", "2026-03-29T02:00:00Z", "2026-03-28"],
  ])("in %s, due at %s, at %s is %s", (zone, at, now, date) => {
    process.env.TZ = zone;
    expect(digestDate(at, Date.parse(now))).toBe(date);
  });

  it("is another one every day, also over a year with its clock changes", () => {
    process.env.TZ = "Europe/Berlin";
    const days = Array.from({ length: 365 }, (_, day) =>
      digestDate("09:00", Date.parse("2026-02-01T12:00:00Z") + day * 86_400_000),
    );
    expect(new Set(days).size).toBe(365);
  });

  it("comes with the days before, as far as there are any", () => {
    expect(digestRange("2026-05-01")).toEqual({ startDate: "2026-04-18", endDate: "2026-05-01" });
    expect(digestRange("2026-01-15")).toEqual({ startDate: "2026-01-14", endDate: "2026-01-15" });
  });
});

describe("a digest", () => {
  const date = "2026-03-01";
  const before = "2026-02-28";
  const rows = {
    tokens: [examples.exampleTokensRow, { ...examples.exampleTokensRow, date: before, billable_tokens: 800 }],
    tools: [examples.exampleToolsRow],
    activity: [examples.exampleActivityRow],
    productivity: [examples.exampleProductivityRow],
  };

  beforeEach(() => {
    process.env.TZ = "UTC";
  });

  it("says what was used, by which models and users, and how that changed", () => {
    const event = usageDigest(date, rows);
    expect(event).toMatchObject({ key: "usage-digest-2026-03-01", name: "UsageDigest" });
    expect(event?.title).toBe("1,000 credits on 2026-03-01 (+25 %)");
    expect(event?.payload.message).toBe(
      [
        "3 active users, 9 sessions, 40 messages, 50 tool calls, 21 files edited, 4 files created, 7 commits, 2 pull requests",
        "Models: large 80 %, small 20 %",
        "Most credits: ann@example.com 90 %, bob@example.com 10 %",
      ].join("\n"),
    );
    expect(event?.payload.details).toMatchObject({ date, credits: 1000, active_users: 3, files_edited: 21 });
  });

  it("makes no 0 of a row that the service does not have", () => {
    const event = usageDigest(date, { ...rows, tokens: [], tools: [] });
    expect(event?.title).toBe("– credits on 2026-03-01");
    expect(event?.payload.message).toMatch(/^3 active users, 9 sessions, 40 messages, 21 files edited/);
    const { table } = (event?.payload.figures ?? {}) as { table: { rows: string[][] } };
    expect(table.rows.filter(([label = ""]) => /Credits|Tool/.test(label))).toEqual([
      ["Credits", "–", "–", ""],
      ["Tool calls", "–", "–", ""],
    ]);
    expect(event?.payload.details).not.toHaveProperty("tool_calls", 0);
  });

  it("has a table of the day and the one before, and a chart of the days in their order", () => {
    const figures = usageDigest(date, rows)?.payload.figures;
    const { table, chart } = figures as {
      table: { columns: string[]; rows: string[][] };
      chart: { labels: string[]; values: number[] };
    };
    expect(table.columns).toEqual(["", date, before, "Change"]);
    expect(table.rows[0]).toEqual(["Credits", "1,000", "800", "+25 %"]);
    expect(table.rows[1]).toEqual(["Active users", "3", "–", ""]);
    expect(chart).toMatchObject({ labels: [before, date], values: [800, 1000] });
  });

  it("leaves out what is unknown", () => {
    const quiet: TokensRow = { ...examples.exampleTokensRow, billable_tokens: 0, by_model: [], by_user: [] };
    const event = usageDigest(date, { tokens: [quiet], tools: [], activity: [], productivity: [] });
    expect(event?.title).toBe("0 credits on 2026-03-01");
    expect(event?.payload.message).toBe("");
  });

  it("is none while the service has no figures of that day", () => {
    expect(usageDigest("2026-03-02", rows)).toBeUndefined();
  });
});
