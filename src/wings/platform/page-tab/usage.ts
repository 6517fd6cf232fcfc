// What the tab "Usage" shows: the figures of this server's own store, as its API and `hookbell usage` have them.
import { UserError } from "../../../model/errors.ts";
import { earliestDate, utcDate, type DateRange } from "../contract/dates.ts";
import { endpoints } from "../contract/endpoints.ts";
import { chartGroups, chartUsage, chartUsers, type UsageCharts } from "../figures/charts.ts";
import type { UsageReport, UsageRow } from "../figures/figures.ts";
import { previousPeriod, readPeriod } from "../figures/period.ts";
import { usageNames, usageViews, type UsageName, type UsageView } from "../figures/views.ts";
import type { PlatformParts } from "../server/http/parts.ts";
import { HttpProblem } from "../../../http-server/problems.ts";
import { createAsk } from "../server/store/ask.ts";
import { countedSince } from "../server/store/ingest.ts";
import { writeCsv } from "../../../console/output/csv.ts";
import type { UsageOnPage } from "./contract.ts";

type Store = Pick<PlatformParts, "database" | "clock">;

/** By what the endpoint can group, in the words of its `group_by`. */
const groupsOf: Partial<Record<UsageName, string>> = {
  tokens: endpoints.getTokens.groupBy,
  tools: endpoints.getTools.groupBy,
  activity: endpoints.getActivity.groupBy,
};

/** Which model costs what is the first question of all. */
const groupedAtFirst = "tokens";

/** Throws the answer for a query that the API refuses, too. */
export async function readUsage(store: Store, query: Readonly<Record<string, string>>): Promise<UsageOnPage> {
  const { name, usage, isGrouped } = await askStore(store, query, true);
  const view: UsageView = usageViews[name];
  const { startDate, endDate } = usage.range;
  return {
    ...chartsOf(name, view, usage, isGrouped),
    startDate,
    endDate,
    group: view.grouped === undefined ? undefined : { label: view.grouped.label, isGrouped },
    notes: notesOf(store, usage),
  };
}

/** The endpoint's rows, as `hookbell usage --format csv` prints them. */
export async function readUsageCsv(
  store: Store,
  query: Readonly<Record<string, string>>,
): Promise<{ file: string; text: string }> {
  const { name, usage } = await askStore(store, query, false);
  const { startDate, endDate } = usage.range;
  return { file: `hookbell-${name}-${startDate}-to-${endDate}.csv`, text: writeCsv(usage.rows) };
}

async function askStore(
  { database, clock }: Store,
  query: Readonly<Record<string, string>>,
  isCompared: boolean,
): Promise<{ name: UsageName; usage: UsageReport; isGrouped: boolean }> {
  const name = usageNames.find((each) => each === query.of);
  if (name === undefined) throw new HttpProblem(400, `of: expected one of ${usageNames.join(", ")}`);
  const isGrouped = groupsOf[name] !== undefined && (query.grouped ?? String(name === groupedAtFirst)) === "true";
  const groupBy = isGrouped ? groupsOf[name] : undefined;
  const ask = createAsk(database, clock);
  try {
    const range = readPeriod(query.from === "all" ? earliestDate : query.from, query.to, utcDate(clock.now()), true);
    const rowsOf = async (days: DateRange): Promise<UsageRow[]> =>
      (await ask(name, { ...days, groupBy })) as UsageRow[];
    const rows = await rowsOf(range);
    const earlier = isCompared ? previousPeriod(range) : undefined;
    const previous = earlier && { range: earlier, rows: await rowsOf(earlier) };
    return { name, usage: { range, rows, previous, organization: "" }, isGrouped };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const problems = error.details?.problems;
    throw new HttpProblem(400, Array.isArray(problems) ? problems.join("; ") : error.message);
  }
}

function chartsOf(name: UsageName, view: UsageView, usage: UsageReport, isGrouped: boolean): UsageCharts {
  if (isGrouped && view.grouped !== undefined) return chartGroups(view.title, view.grouped, usage);
  return name === "users" ? chartUsers(view, usage) : chartUsage(view, usage);
}

function notesOf({ database, clock }: Store, { range }: UsageReport): string[] {
  const today = utcDate(clock.now());
  const since = countedSince(database);
  return [
    ...(range.endDate === today ? [`${today} is not over yet (UTC), so its figures are incomplete.`] : []),
    ...(since === undefined || since.slice(0, 10) <= range.startDate
      ? []
      : [
          `The server has counted since ${since.slice(0, 16).replace("T", " ")} (UTC). To count older transcripts, start it with: hookbell serve --backfill`,
        ]),
  ];
}
