// The rows of the analytics endpoints as values, for callers in this process.
import type { Clock } from "../../../../system/clock.ts";
import { findUsageProblems, refuse } from "../../client/client.ts";
import type { DateRange } from "../../contract/dates.ts";
import type { OperationId } from "../../contract/endpoints.ts";
import type { Database } from "./database.ts";
import { monthDays, readRows, readUsersPage, renderInTurn, type Report } from "./days.ts";
import { dayOf } from "./ingest.ts";

/**
 * The rows of an endpoint for some days, today included, each made when it is asked for. Throws a `UserError` for what the
 * platform refuses.
 */
export type QueryReport = (
  report: keyof typeof operations,
  query: DateRange & { groupBy?: string | undefined },
) => Promise<Iterable<StoredRow>>;

type StoredRow = Record<string, unknown> & { date: string };

const operations = {
  tokens: "getTokens",
  tools: "getTools",
  activity: "getActivity",
  productivity: "getProductivity",
  users: "getUsers",
} as const satisfies Record<string, OperationId>;

export function createAsk(database: Database, clock: Clock): QueryReport {
  return async (report, { startDate, endDate, groupBy }) => {
    const id = operations[report];
    refuse(findUsageProblems(id, { startDate, endDate, groupBy, isSoFar: true }, clock.now()));
    const range = { firstDay: dayOf(Date.parse(startDate)), lastDay: dayOf(Date.parse(endDate)) };
    // Activity has windows that reach back.
    await renderInTurn(database, { ...range, firstDay: range.firstDay - monthDays });
    const rows =
      report === "users"
        ? readUsersPage(database, range, { limit: Number.MAX_SAFE_INTEGER }).rows
        : readRows(database, groupBy === undefined ? report : (`${report}:${groupBy}` as Report), range);
    return parsed(rows);
  };
}

function* parsed(pieces: Iterable<Uint8Array>): Generator<StoredRow> {
  for (const piece of pieces) yield* JSON.parse(`[${Buffer.from(piece).toString("utf8")}]`) as StoredRow[];
}
