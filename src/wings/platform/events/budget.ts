// CreditBudget: a threshold of a period's credits is reached, by the organization, a user, or a model.
import type { TokensRow } from "../contract/analytics.ts";
import { addDays, countDays, earliestDate, type DateRange } from "../contract/dates.ts";
import { formatNumber } from "../../../model/figures/numbers.ts";
import { platformEvent, showShares, type PlatformEvent } from "./event.ts";

/** How many credits a period has. It counts all credits, or one user's, or one model's. */
export interface Budget {
  credits: number;
  /** A UTC day, a week from Monday on, or a month. */
  period: "day" | "week" | "month";
  /** Percentages that send an event when they are reached. */
  thresholds: readonly number[];
  /** An id or an e-mail address. */
  user?: string | undefined;
  model?: string | undefined;
}

/** The whole period that yesterday belongs to. */
export function budgetPeriod(period: Budget["period"], yesterday: string): DateRange {
  if (period === "day") return { startDate: yesterday, endDate: yesterday };
  const date = new Date(`${yesterday}T00:00:00Z`);
  if (period === "week") {
    const startDate = addDays(yesterday, -((date.getUTCDay() + 6) % 7));
    return { startDate, endDate: addDays(startDate, 6) };
  }
  const end = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
  return { startDate: `${yesterday.slice(0, 7)}-01`, endDate: end.toISOString().slice(0, 10) };
}

/** The days of the period that there are figures of. */
export function budgetRange(period: Budget["period"], yesterday: string): DateRange {
  const { startDate } = budgetPeriod(period, yesterday);
  return { startDate: startDate < earliestDate ? earliestDate : startDate, endDate: yesterday };
}

/**
 * An event for each threshold that is reached, the highest last. The caller sends the last new one only, so that a
 * budget that is used up at once is one notification.
 */
export function budgetEvents(budget: Budget, rows: readonly TokensRow[], yesterday: string): PlatformEvent[] {
  const used = usedCredits(budget, rows);
  const percent = (used / budget.credits) * 100;
  return budget.thresholds
    .toSorted((a, b) => a - b)
    .filter((threshold) => percent >= threshold)
    .map((threshold) => budgetEvent(budget, rows, { used, percent, threshold, yesterday }));
}

function budgetEvent(
  budget: Budget,
  rows: readonly TokensRow[],
  state: { used: number; percent: number; threshold: number; yesterday: string },
): PlatformEvent {
  const { credits, period, user, model } = budget;
  const { used, percent, threshold, yesterday } = state;
  const days = budgetPeriod(period, yesterday);
  const kind = user === undefined ? (model === undefined ? "organization" : "model") : "user";
  const whose = user ?? model;
  const name = { day: days.startDate, week: `the week from ${days.startDate}`, month: days.startDate.slice(0, 7) }[
    period
  ];
  const remaining = countDays({ startDate: yesterday, endDate: days.endDate }) - 1;
  const left =
    remaining === 0 ? "The period is over." : `${remaining} ${remaining === 1 ? "day is" : "days are"} left.`;
  const models = model === undefined && user === undefined ? showShares(sumModels(rows)) : "";
  return platformEvent({
    key: `credit-budget-${[kind, whose ?? "", period, days.startDate, credits, threshold].join("-")}`,
    name: "CreditBudget",
    subject: "usage",
    // What is cut of a long title is its end.
    title: `${Math.floor(percent)} % of the credits${whose === undefined ? "" : ` of ${whose}`} for ${name} are used`,
    message: [
      whose === undefined ? "" : `${kind === "user" ? "User" : "Model"}: ${whose}`,
      `${formatNumber(used)} of ${formatNumber(credits)} credits up to ${yesterday}. ${left}`,
      forecast(used, credits, days, yesterday),
      models === "" ? "" : `Models: ${models}`,
    ]
      .filter((line) => line !== "")
      .join("\n"),
    reason: `${threshold}%`,
    type: kind,
    details: { used, credits, percent: Math.floor(percent), threshold, period, start: days.startDate, of: whose },
  });
}

/** When the budget will be used up if it goes on like this. */
function forecast(used: number, credits: number, days: DateRange, yesterday: string): string {
  if (used >= credits) return "";
  const perDay = used / countDays({ startDate: days.startDate, endDate: yesterday });
  const date = addDays(yesterday, Math.ceil((credits - used) / perDay));
  return date > days.endDate ? "" : `At this rate they are used up on ${date}.`;
}

function usedCredits({ user, model }: Budget, rows: readonly TokensRow[]): number {
  return rows.reduce((sum, row) => {
    if (user !== undefined) {
      const own = row.by_user.filter(({ user_id, user_email }) => user_id === user || user_email === user);
      return sum + own.reduce((credits, each) => credits + each.billable_tokens, 0);
    }
    if (model !== undefined) {
      const own = row.by_model.filter(({ model_id }) => model_id === model);
      return sum + own.reduce((credits, each) => credits + each.billable_tokens, 0);
    }
    return sum + row.billable_tokens;
  }, 0);
}

function sumModels(rows: readonly TokensRow[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { model_id, billable_tokens } of rows.flatMap(({ by_model }) => by_model)) {
    sums.set(model_id, (sums.get(model_id) ?? 0) + billable_tokens);
  }
  return sums;
}
