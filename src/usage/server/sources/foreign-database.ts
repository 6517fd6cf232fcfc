// Reads rows of a SQLite database that another program has open, from a copy of it.
import { join } from "node:path";
import type { Payload } from "../../../agents/dialect/agent.ts";
import { copyIfThere, inTemporaryFolder } from "../../../system/files/files.ts";
import { openDatabase, type Row } from "../store/database.ts";

export interface RowsRead {
  rows: Payload[];
  /** The largest `changed` of each query's rows. */
  changed: number[];
}

/** Undefined when the copy cannot be read; a later try may succeed. */
export async function queryCopy(
  path: string,
  queries: readonly string[],
  since: readonly number[],
  nowMs: number,
): Promise<RowsRead | undefined> {
  return await inTemporaryFolder(async (folder) => {
    const copy = join(folder, "copy.db");
    // The log last: what it repeats of the database is harmless, what it lacks is lost.
    for (const suffix of ["", "-wal"]) copyIfThere(`${path}${suffix}`, `${copy}${suffix}`);
    try {
      const database = await openDatabase(copy, nowMs);
      try {
        const results = queries.map((query, index) => database.all(query, since[index] ?? 0));
        const changed = results.map((rows, index) => largest(rows, since[index] ?? 0));
        return { rows: results.flat(), changed };
      } finally {
        database.close();
      }
    } catch {
      return undefined;
    }
  });
}

function largest(rows: readonly Row[], least: number): number {
  return rows.reduce((most, { changed }) => Math.max(most, typeof changed === "number" ? changed : 0), least);
}
