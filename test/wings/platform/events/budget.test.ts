// When a threshold of a budget is reached, for which period, and what the event says.
import { describe, expect, it } from "vitest";
import type { TokensRow } from "../../../../src/wings/platform/contract/analytics.ts";
import { addDays } from "../../../../src/wings/platform/contract/dates.ts";
import { budgetEvents, budgetPeriod, budgetRange, type Budget } from "../../../../src/wings/platform/events/budget.ts";
import { exampleTokensRow } from "../../../support/usage/examples.ts";

/** Ten days of May, 100 credits each: 80 of the large model, 90 of Ann's. */
const rows: TokensRow[] = Array.from({ length: 10 }, (_, index) => ({
  ...exampleTokensRow,
  date: addDays("2026-05-01", index),
  billable_tokens: 100,
  by_model: exampleTokensRow.by_model.map((each) => ({ ...each, billable_tokens: each.billable_tokens / 10 })),
  by_user: exampleTokensRow.by_user.map((each) => ({ ...each, billable_tokens: each.billable_tokens / 10 })),
}));
const yesterday = "2026-05-10";
const budget = (more: Partial<Budget>): Budget => ({
  credits: 1000,
  period: "month",
  thresholds: [50, 80, 100],
  ...more,
});

describe("the period", () => {
  it.each<[Budget["period"], string, string, string]>([
    ["day", "2026-05-10", "2026-05-10", "2026-05-10"],
    ["week", "2026-05-10", "2026-05-04", "2026-05-10"],
    ["week", "2026-05-11", "2026-05-11", "2026-05-17"],
    ["month", "2026-05-10", "2026-05-01", "2026-05-31"],
    ["month", "2026-02-28", "2026-02-01", "2026-02-28"],
    ["month", "2026-12-31", "2026-12-01", "2026-12-31"],
  ])("%s that %s belongs to is %s to %s", (period, day, startDate, endDate) => {
    expect(budgetPeriod(period, day)).toEqual({ startDate, endDate });
  });

  it("is asked for as far as there is data", () => {
    expect(budgetRange("month", "2026-01-20")).toEqual({ startDate: "2026-01-14", endDate: "2026-01-20" });
    expect(budgetRange("month", "2026-05-10")).toEqual({ startDate: "2026-05-01", endDate: "2026-05-10" });
  });
});

describe("a budget", () => {
  it.each<[string, Partial<Budget>, number[]]>([
    ["that is used up", { credits: 1000 }, [50, 80, 100]],
    ["of which a part is used", { credits: 1200 }, [50, 80]],
    ["of which little is used", { credits: 5000 }, []],
    ["of which just a threshold is used", { credits: 2000 }, [50]],
    ["that is overdrawn", { credits: 500, thresholds: [100, 150, 200, 250] }, [100, 150, 200]],
    ["of a user, by address", { credits: 1000, user: "ann@example.com" }, [50, 80]],
    ["of a user, by id", { credits: 1000, user: "usr_1" }, [50, 80]],
    ["of a model", { credits: 1000, model: "large" }, [50, 80]],
    ["of an unknown user", { credits: 1000, user: "eve@example.com" }, []],
  ])("%s reaches these thresholds", (_, more, thresholds) => {
    const events = budgetEvents(budget(more), rows, yesterday);
    expect(events.map(({ payload }) => payload.reason)).toEqual(thresholds.map((each) => `${each}%`));
  });

  it("says how much is used, by what, and when it will be used up", () => {
    const [event] = budgetEvents(budget({ credits: 2000 }), rows, yesterday);
    expect(event?.title).toBe("50 % of the credits for 2026-05 are used");
    expect(event?.payload.message).toBe(
      [
        "1,000 of 2,000 credits up to 2026-05-10. 21 days are left.",
        "At this rate they are used up on 2026-05-20.",
        "Models: large 80 %, small 20 %",
      ].join("\n"),
    );
    expect(event?.payload).toMatchObject({ notification_type: "organization", details: { used: 1000, threshold: 50 } });
  });

  it("says whose it is, and makes no forecast beyond its period or its end", () => {
    const [, event] = budgetEvents(budget({ user: "ann@example.com" }), rows, yesterday);
    expect(event?.title).toBe("90 % of the credits of ann@example.com for 2026-05 are used");
    expect(event?.payload.message).toMatch(/^User: ann@example\.com\n900 of 1,000 credits/);
    const [ofModel] = budgetEvents(budget({ model: "large" }), rows, yesterday);
    expect(ofModel?.payload.message).toMatch(/^Model: large\n/);
    expect(event?.payload.notification_type).toBe("user");
    const [early] = budgetEvents(budget({ credits: 5000, thresholds: [20] }), rows, yesterday);
    expect(early?.payload.message).toBe(
      "1,000 of 5,000 credits up to 2026-05-10. 21 days are left.\nModels: large 80 %, small 20 %",
    );
    const [day] = budgetEvents(budget({ period: "day", credits: 100, thresholds: [100] }), rows.slice(-1), yesterday);
    expect(day?.payload.message).toMatch(/^100 of 100 credits up to 2026-05-10\. The period is over\./);
  });

  it("has a key of its own for each period, budget and threshold", () => {
    const keys = [
      ...budgetEvents(budget({}), rows, yesterday),
      ...budgetEvents(budget({ credits: 999 }), rows, yesterday),
      ...budgetEvents(budget({ user: "usr_1" }), rows, yesterday),
      ...budgetEvents(budget({ period: "week", credits: 500 }), rows, yesterday),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const nextMonth = budgetEvents(budget({}), rows, "2026-06-01");
    expect(nextMonth.every(({ key }) => !keys.includes(key))).toBe(true);
  });
});
