// The figures of this machine's transcripts, counted in this process for one call: no server runs, and nothing is kept.
import { join } from "node:path";
import { inTemporaryFolder } from "../../system/files/files.ts";
import { findUsageProblems, refuse } from "../client/client.ts";
import { addDays, type DateRange } from "../contract/dates.ts";
import type { OperationId } from "../contract/endpoints.ts";
import { readTranscripts, type TranscriptSource } from "./sources/transcripts.ts";
import { openDatabase } from "./store/database.ts";
import { monthDays, readRows, readUsersPage, renderStaleDays, type Report } from "./store/days.ts";
import { dayOf } from "./store/ingest.ts";
import { migrate } from "./store/schema.ts";

/** The rows of an endpoint for some days, today included. */
export type AskLocally = (report: LocalReport, query: DateRange & { groupBy?: string | undefined }) => object[];

const operations = {
  tokens: "getTokens",
  tools: "getTools",
  activity: "getActivity",
  productivity: "getProductivity",
  users: "getUsers",
} as const satisfies Record<string, OperationId>;
export type LocalReport = keyof typeof operations;

/**
 * Reads the transcripts that changed on the first day or later, and hands over what answers questions about them.
 * `problem` is the first file that could not be read.
 */
export async function withLocalUsage<Result>(
  source: Omit<TranscriptSource, "database" | "changedSinceMs">,
  firstDate: string,
  use: (ask: AskLocally, problem: unknown) => Promise<Result>,
): Promise<Result> {
  const { clock } = source;
  return await inTemporaryFolder(async (folder) => {
    const database = await openDatabase(join(folder, "usage.db"), clock.now());
    try {
      // Figures that are counted anew at each call need not survive a crash.
      database.exec("PRAGMA synchronous = OFF");
      migrate(database);
      // The windows of activity reach back from the first day.
      const changedSinceMs = Date.parse(addDays(firstDate, -monthDays));
      let problem: unknown;
      await readTranscripts({ ...source, database, changedSinceMs }).catch((error: unknown) => (problem = error));
      renderStaleDays(database, dayOf(clock.now()) + 1);
      const ask: AskLocally = (report, { startDate, endDate, groupBy }) => {
        const id = operations[report];
        refuse(findUsageProblems(id, { startDate, endDate, groupBy, isSoFar: true }, clock.now()));
        const range = { firstDay: dayOf(Date.parse(startDate)), lastDay: dayOf(Date.parse(endDate)) };
        const rows =
          report === "users"
            ? readUsersPage(database, range, { limit: Number.MAX_SAFE_INTEGER }).rows
            : readRows(database, groupBy === undefined ? report : (`${report}:${groupBy}` as Report), range);
        return JSON.parse(`[${Array.from(rows, (row) => Buffer.from(row).toString("utf8")).join(",")}]`) as object[];
      };
      return await use(ask, problem);
    } finally {
      database.close();
    }
  });
}
