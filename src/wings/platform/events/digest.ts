// UsageDigest: what was used on the last complete UTC day, once a day from a local time on.
import type { ActivityRow, ProductivityRow, TokensRow, ToolsRow } from "../contract/analytics.ts";
import { addDays, earliestDate, utcDate, type DateRange } from "../contract/dates.ts";
import { formatChange, formatNumber } from "../../../model/figures/numbers.ts";
import { formatFigure } from "../figures/report.ts";
import { platformEvent, showShares, type PlatformEvent } from "./event.ts";

const chartDays = 14;

/** The rows of the days in `digestRange`. */
export interface DigestRows {
  tokens: readonly TokensRow[];
  tools: readonly ToolsRow[];
  activity: readonly ActivityRow[];
  productivity: readonly ProductivityRow[];
}

/** The UTC day to report: the one before the last time that the local clock showed `at` (`HH:MM`). */
export function digestDate(at: string, nowMs: number): string {
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const due = new Date(nowMs);
  due.setHours(hours, minutes, 0, 0);
  if (due.getTime() > nowMs) due.setDate(due.getDate() - 1);
  return addDays(utcDate(due.getTime()), -1);
}

/** The days to ask for: the reported one, and those before it for the chart. */
export function digestRange(date: string): DateRange {
  const startDate = addDays(date, 1 - chartDays);
  return { startDate: startDate < earliestDate ? earliestDate : startDate, endDate: date };
}

export function digestKey(date: string): string {
  return `usage-digest-${date}`;
}

/** Undefined while the service has no figures of that day. */
export function usageDigest(date: string, rows: DigestRows): PlatformEvent | undefined {
  const tokens = ofDay(rows.tokens, date);
  const activity = ofDay(rows.activity, date);
  if (tokens === undefined && activity === undefined) return undefined;
  const before = addDays(date, -1);
  const measures: { label: string; word: string; now: number | undefined; before: number | undefined }[] = [
    measure("Credits", "credits", rows.tokens, "billable_tokens"),
    measure("Active users", "active users", rows.activity, "daily_active_users"),
    measure("Sessions", "sessions", rows.activity, "sessions"),
    measure("User messages", "messages", rows.activity, "user_messages"),
    measure("Tool calls", "tool calls", rows.tools, "tool_calls"),
    measure("Files edited", "files edited", rows.productivity, "files_edited"),
    measure("Files created", "files created", rows.productivity, "files_created"),
    measure("Commits", "commits", rows.productivity, "git_commits"),
    measure("Pull requests", "pull requests", rows.productivity, "git_prs_created"),
  ];
  function measure<Row extends { date: string }>(label: string, word: string, all: readonly Row[], field: keyof Row) {
    return { label, word, now: valueOf(ofDay(all, date), field), before: valueOf(ofDay(all, before), field) };
  }
  const [credits, ...others] = measures;
  const models = showShares(sumBy(tokens?.by_model ?? [], ({ model_id }) => model_id));
  const users = showShares(sumBy(tokens?.by_user ?? [], ({ user_email, user_id }) => user_email || user_id));
  const days = rows.tokens.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return platformEvent({
    key: digestKey(date),
    name: "UsageDigest",
    subject: "usage",
    // A row that the service does not have yet is no 0.
    title: `${formatFigure(credits?.now)} credits on ${date}${inBrackets(changeOf(credits))}`,
    message: [
      others.flatMap(({ now = 0, word }) => (now > 0 ? [`${formatNumber(now)} ${word}`] : [])).join(", "),
      models === "" ? "" : `Models: ${models}`,
      users === "" ? "" : `Most credits: ${users}`,
    ]
      .filter((line) => line !== "")
      .join("\n"),
    figures: {
      table: {
        columns: ["", date, before, "Change"],
        rows: measures.map((each) => [each.label, formatFigure(each.now), formatFigure(each.before), changeOf(each)]),
      },
      chart: {
        title: "Credits per day (UTC)",
        labels: days.map((row) => row.date),
        values: days.map((row) => row.billable_tokens),
      },
    },
    details: { date, ...Object.fromEntries(measures.map(({ word, now }) => [word.replaceAll(" ", "_"), now])) },
  });
}

function changeOf(measure: { now: number | undefined; before: number | undefined } | undefined): string {
  return measure?.now === undefined ? "" : formatChange(measure.now, measure.before);
}

function ofDay<Row extends { date: string }>(rows: readonly Row[], date: string): Row | undefined {
  return rows.find((row) => row.date === date);
}

function valueOf<Row>(row: Row | undefined, field: keyof Row): number | undefined {
  const value = row?.[field];
  return typeof value === "number" ? value : undefined;
}

function sumBy<Item extends { billable_tokens: number }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(nameOf(item), (sums.get(nameOf(item)) ?? 0) + item.billable_tokens);
  return sums;
}

function inBrackets(text: string): string {
  return text === "" ? "" : ` (${text})`;
}
