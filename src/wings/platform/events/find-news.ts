// Asks the platform for what is new since the cursor. One part's failure hides no other.
import { UserError } from "../../../model/errors.ts";
import { readinessPageSize, type PlatformClient } from "../client/client.ts";
import type { TokensRow } from "../contract/analytics.ts";
import { addDays, maxAheadMs, utcDate } from "../contract/dates.ts";
import type { ReadinessReport } from "../contract/readiness.ts";
import { budgetEvents, budgetRange, type Budget } from "./budget.ts";
import type { Cursor } from "./cursor.ts";
import { digestDate, digestKey, digestRange, usageDigest } from "./digest.ts";
import type { PlatformEvent } from "./event.ts";
import { readinessEvents, reportKey } from "./readiness.ts";

/** What to look for. */
export interface NewsSettings {
  /** From this local time on (`HH:MM`), the last complete UTC day is reported. */
  digest?: { at: string } | undefined;
  budgets?: readonly Budget[] | undefined;
  readiness?: boolean | undefined;
}

export interface News {
  /** The events are in the order in which to send them. */
  events: PlatformEvent[];
  /** Keys that count as sent from now on, without being sent. */
  passedOver: string[];
  readinessSince?: number | undefined;
  /** What the service refused, or could not be asked. */
  problems: UserError[];
}

/** More reports than this are not looked through at each poll. */
const maxReports = 10 * readinessPageSize;
/** A report this much older than the newest is history, whenever it comes. */
const historyMs = 30 * 86_400_000;

export async function findNews(
  client: PlatformClient,
  settings: NewsSettings,
  cursor: Cursor,
  nowMs: number,
): Promise<News> {
  const sent = new Set(cursor.sent);
  const news: News = { events: [], passedOver: [], readinessSince: cursor.readinessSince, problems: [] };
  const parts = [
    () => findDigest(client, settings, sent, news, nowMs),
    () => findBudgets(client, settings, sent, news, nowMs),
    () => findReports(client, settings, sent, news, nowMs),
  ];
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // What is wrong with one request is mostly wrong with the others, too.
      const isKnown = news.problems.some(({ code, message }) => code === error.code && message === error.message);
      if (!isKnown) news.problems.push(error);
    }
  }
  return news;
}

async function findDigest(
  client: PlatformClient,
  { digest }: NewsSettings,
  sent: ReadonlySet<string>,
  news: News,
  nowMs: number,
): Promise<void> {
  if (digest === undefined) return;
  const date = digestDate(digest.at, nowMs);
  if (sent.has(digestKey(date))) return;
  const range = digestRange(date);
  const event = usageDigest(date, {
    tokens: (await client.getTokens(range)).data,
    tools: (await client.getTools(range)).data,
    activity: (await client.getActivity(range)).data,
    productivity: (await client.getProductivity(range)).data,
  });
  if (event !== undefined) news.events.push(event);
}

async function findBudgets(
  client: PlatformClient,
  { budgets = [] }: NewsSettings,
  sent: ReadonlySet<string>,
  news: News,
  nowMs: number,
): Promise<void> {
  const yesterday = addDays(utcDate(nowMs), -1);
  const rowsOf = new Map<string, readonly TokensRow[]>();
  for (const budget of budgets) {
    const rows = rowsOf.get(budget.period) ?? (await client.getTokens(budgetRange(budget.period, yesterday))).data;
    rowsOf.set(budget.period, rows);
    const fresh = budgetEvents(budget, rows, yesterday).filter(({ key }) => !sent.has(key));
    news.events.push(...fresh.slice(-1));
    news.passedOver.push(...fresh.slice(0, -1).map(({ key }) => key));
  }
}

async function findReports(
  client: PlatformClient,
  { readiness = false }: NewsSettings,
  sent: ReadonlySet<string>,
  news: News,
  nowMs: number,
): Promise<void> {
  if (!readiness) return;
  const reports: ReadinessReport[] = [];
  const latest = nowMs + maxAheadMs;
  for await (const page of client.listReadinessReports({ maxReports })) {
    // A report of a wrong clock is no news before its time, and must not make others look old.
    reports.push(...page.filter(({ createdAt }) => createdAt <= latest));
  }
  const newest = Math.max(0, ...reports.map(({ createdAt }) => createdAt));
  const since = news.readinessSince === undefined ? undefined : Math.min(news.readinessSince, latest);
  // What is there at the first look is where the news begins.
  news.readinessSince = since === undefined ? newest : Math.max(since, newest - historyMs);
  if (since === undefined) return;
  const fresh = reports
    .filter((report) => report.createdAt > since && !sent.has(reportKey(report)))
    .toSorted((a, b) => a.createdAt - b.createdAt);
  news.events.push(...fresh.flatMap((report) => readinessEvents(report, reports)));
}
