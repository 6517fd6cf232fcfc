// The figures of this machine's transcripts, counted in this process for one call: no server runs, and nothing is kept.
import { join } from "node:path";
import { inTemporaryFolder } from "../../../system/files/files.ts";
import { addDays } from "../contract/dates.ts";
import { createAsk, type QueryReport } from "./store/ask.ts";
import { readTranscripts, type TranscriptSource } from "./sources/transcripts.ts";
import { openDatabase } from "./store/database.ts";
import { monthDays } from "./store/days.ts";
import { migrate } from "./store/schema.ts";

/**
 * Reads the transcripts that changed on the first day or later, and hands over what answers questions about them.
 * `problem` is the first file that could not be read. With `wallMs`, days are those of a clock on the wall.
 */
export async function withLocalUsage<Result>(
  source: Omit<TranscriptSource, "database" | "changedSinceMs">,
  firstDate: string,
  use: (ask: QueryReport, problem: unknown) => Promise<Result>,
): Promise<Result> {
  const { clock, wallMs = (atMs: number) => atMs } = source;
  return await inTemporaryFolder(async (folder) => {
    const database = await openDatabase(join(folder, "usage.db"), clock.now());
    try {
      // Figures that are counted anew at each call need not survive a crash.
      database.exec("PRAGMA synchronous = OFF");
      migrate(database);
      // The windows of activity reach back from the first day; one day more than they do covers every time zone.
      const changedSinceMs = Date.parse(addDays(firstDate, -monthDays));
      let problem: unknown;
      await readTranscripts({ ...source, database, changedSinceMs }).catch((error: unknown) => (problem = error));
      return await use(createAsk(database, { ...clock, now: () => wallMs(clock.now()) }), problem);
    } finally {
      database.close();
    }
  });
}
