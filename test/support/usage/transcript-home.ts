// A home folder with the transcripts that real agents wrote, or with made ones.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../../src/wings/platform/server/store/database.ts";

const known = fileURLToPath(new URL("../../agents/known/", import.meta.url));

/** The agents of which transcripts were captured. */
export const capturedAgents = readdirSync(known).filter((agent) => existsSync(join(known, agent, "transcripts")));

/** The folders of the corpus: one for each way in which tokens were once counted wrongly. */
export const corpus = fileURLToPath(new URL("../../wings/platform/server/sources/corpus/", import.meta.url));

/** Copies the captured transcripts of an agent to where it keeps them. */
export async function fillHome(home: string, agent: string): Promise<void> {
  const folder = join(known, agent, "transcripts");
  cpSync(folder, home, { recursive: true, filter: (path) => !path.endsWith(".db.json") });
  const dump = join(folder, "opencode.db.json");
  if (existsSync(dump)) await makeDatabase(join(home, ".local/share/opencode/opencode.db"), dump);
}

/** Copies one folder of the corpus. */
export async function fillFromCorpus(home: string, name: string): Promise<void> {
  const folder = join(corpus, name);
  cpSync(folder, home, { recursive: true, filter: (path) => !path.endsWith(".db.json") });
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (path.endsWith(".db.json")) await makeDatabase(join(home, path.replace(/\.json$/, "")), join(folder, path));
  }
}

interface Dump {
  schema: Record<string, string>;
  rows: Record<string, Record<string, string | number | null>[]>;
}

async function makeDatabase(path: string, dump: string): Promise<void> {
  const { schema, rows } = JSON.parse(readFileSync(dump, "utf8")) as Dump;
  mkdirSync(dirname(path), { recursive: true });
  const database = await openDatabase(path, Date.now());
  for (const sql of Object.values(schema)) database.exec(sql);
  for (const [table, all] of Object.entries(rows)) {
    for (const row of all) {
      const columns = Object.keys(row);
      const places = columns.map(() => "?").join(", ");
      database.run(`INSERT INTO "${table}" (${columns.join(", ")}) VALUES (${places})`, ...Object.values(row));
    }
  }
  database.close();
}

/** Writes files below the home, each from its lines. */
export function writeTranscripts(home: string, files: Record<string, readonly object[]>): void {
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}
