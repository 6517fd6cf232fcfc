// What the tab "Usage" shows: the figures of this server's own store, as its API and `hookbell usage` have them.
import { UserError } from "../../../model/errors.ts";
import { earliestDate, utcDate, type DateRange } from "../contract/dates.ts";
import { endpoints } from "../contract/endpoints.ts";
import { calendarOf } from "../figures/calendar.ts";
import { chartsOf } from "../figures/charts.ts";
import { csvColumns } from "../figures/columns.ts";
import { planOf } from "../figures/report.ts";
import { previousPeriod, readPeriod } from "../figures/period.ts";
import { isBeforeCounting, type UsageRow } from "../figures/rows.ts";
import { createTally, type Tally } from "../figures/tally.ts";
import { usageNames, usageViews, type UsageName, type UsageView } from "../figures/views.ts";
import type { PlatformParts } from "../server/http/parts.ts";
import { HttpProblem } from "../../../http-server/problems.ts";
import { createAsk } from "../server/store/ask.ts";
import { countedSince } from "../server/store/ingest.ts";
import { createCsv, type CsvColumn } from "../../../console/output/csv.ts";
import type { UsageOnPage } from "./contract.ts";

type Store = Pick<PlatformParts, "database" | "clock">;
type Query = Readonly<Record<string, string>>;

/** By what the endpoint can group, in the words of its `group_by`. */
const groupsOf: Partial<Record<UsageName, string>> = {
  tokens: endpoints.getTokens.groupBy,
  tools: endpoints.getTools.groupBy,
  activity: endpoints.getActivity.groupBy,
};

/** Which model costs what is the first question of all. */
const groupedAtFirst = "tokens";

/** Throws the answer for a query that the API refuses, too. */
export async function readUsage(store: Store, query: Query): Promise<UsageOnPage> {
  const { name, isGrouped, range, rowsOf } = readAsked(store, query);
  const since = countedSince(store.database);
  const tallyOf = async (days: DateRange): Promise<Tally> => {
    const rows = await rowsOf(days);
    const tally = createTally(planOf(name, isGrouped), calendarOf(days));
    for (const row of rows) if (!isBeforeCounting(row, since)) tally.add(row);
    return tally;
  };
  const now = await tallyOf(range);
  const earlier = previousPeriod(range);
  const view: UsageView = usageViews[name];
  return {
    ...chartsOf({ name, isGrouped, now, before: earlier && (await tallyOf(earlier)) }),
    ...range,
    whose: whoseOf(store),
    group: view.grouped === undefined ? undefined : { label: view.grouped.label, isGrouped },
    notes: notesOf(store, range),
  };
}

/** The endpoint's rows, as `hookbell usage --format csv` prints them, piece by piece. */
export async function readUsageCsv(
  store: Store,
  query: Query,
): Promise<{ file: string; pieces: Iterable<Uint8Array> }> {
  const { name, isGrouped, range, rowsOf } = readAsked(store, query);
  const rows = await rowsOf(range);
  const file = `hookbell-${name}-${range.startDate}-to-${range.endDate}.csv`;
  return { file, pieces: csvPieces(rows, csvColumns(name, isGrouped)) };
}

const rowsAtOnce = 500;

function* csvPieces(rows: Iterable<UsageRow>, columns: readonly CsvColumn[]): Generator<Uint8Array> {
  const write = createCsv(columns);
  let waiting: UsageRow[] = [];
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length < rowsAtOnce) continue;
    yield Buffer.from(write(waiting));
    waiting = [];
  }
  yield Buffer.from(write(waiting));
}

interface Asked {
  name: UsageName;
  isGrouped: boolean;
  range: DateRange;
  rowsOf(days: DateRange): Promise<Iterable<UsageRow>>;
}

function readAsked({ database, clock }: Store, query: Query): Asked {
  const name = usageNames.find((each) => each === query.of);
  if (name === undefined) throw new HttpProblem(400, `of: expected one of ${usageNames.join(", ")}`);
  const isGrouped = groupsOf[name] !== undefined && (query.grouped ?? String(name === groupedAtFirst)) === "true";
  const groupBy = isGrouped ? groupsOf[name] : undefined;
  const ask = createAsk(database, clock);
  const from = query.from === "all" ? earliestDate : query.from;
  return {
    name,
    isGrouped,
    range: orProblem(() => readPeriod(from, query.to, utcDate(clock.now()), true)),
    async rowsOf(days) {
      try {
        return await ask(name, { ...days, groupBy });
      } catch (error) {
        throw problemOf(error);
      }
    },
  };
}

function orProblem<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw problemOf(error);
  }
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof UserError)) return error;
  const problems = error.details?.problems;
  return new HttpProblem(400, Array.isArray(problems) ? problems.join("; ") : error.message);
}

export function countPeople({ database }: Pick<Store, "database">): number {
  return Number(database.get("SELECT count(*) AS people FROM users")?.people ?? 0);
}

function whoseOf(store: Store): string {
  const people = countPeople(store);
  return people <= 1 ? "your own figures" : `${people} people`;
}

function notesOf({ database, clock }: Store, range: DateRange): string[] {
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
