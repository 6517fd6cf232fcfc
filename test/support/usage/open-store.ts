// A server's database in a folder of its own, with the transcripts of one home.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Database } from "../../../src/wings/platform/server/store/database.ts";
import { migrate } from "../../../src/wings/platform/server/store/schema.ts";
import type { TranscriptSource } from "../../../src/wings/platform/server/sources/transcripts.ts";
import { systemClock } from "../../../src/system/clock.ts";

export interface TestStore {
  folder: string;
  home: string;
  database: Database;
  source: TranscriptSource;
  remove(): void;
}

export async function openStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-server-"));
  const home = join(folder, "home");
  const database = await openDatabase(join(folder, "usage.db"), Date.now());
  migrate(database);
  const source = { database, clock: systemClock, env: {}, home, user: "ann", signal: new AbortController().signal };
  return {
    folder,
    home,
    database,
    source,
    remove() {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
