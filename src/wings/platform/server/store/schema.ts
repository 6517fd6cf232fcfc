// The tables of the server's database and the steps from an older version to this one.
import { UserError } from "../../../../model/errors.ts";
import type { Database } from "./database.ts";
import { markAllStale } from "./days.ts";

/** One step a version, in order; a step never changes once it is released. */
const migrations: readonly string[] = [
  `
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    client TEXT,
    first_day INTEGER NOT NULL,
    UNIQUE (user, agent, session)
  );
  -- The raw counts: what one session did in one UTC day, as one source saw it. Days are counted from 1970-01-01.
  CREATE TABLE session_days (
    day INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions,
    source INTEGER NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (day, session, source)
  ) WITHOUT ROWID;
  -- What has been counted, by a digest of its id; counts are kept where a later reading may be larger.
  CREATE TABLE seen (
    day INTEGER NOT NULL,
    id INTEGER NOT NULL,
    session INTEGER,
    counts TEXT,
    PRIMARY KEY (day, id)
  ) WITHOUT ROWID;
  -- How far each source has been read.
  CREATE TABLE cursors (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  -- Days whose rows are older than their counts.
  CREATE TABLE stale_days (day INTEGER PRIMARY KEY);
  -- Finished rows as JSON, made from session_days: rows of one report and day, separated by commas.
  CREATE TABLE day_rows (report TEXT NOT NULL, day INTEGER NOT NULL, rows BLOB NOT NULL, PRIMARY KEY (report, day)) WITHOUT ROWID;
  CREATE TABLE user_days (day INTEGER NOT NULL, user INTEGER NOT NULL, row BLOB NOT NULL, PRIMARY KEY (day, user)) WITHOUT ROWID;
  -- The users of a day, as a JSON array of numbers.
  CREATE TABLE active_users (day INTEGER PRIMARY KEY, users TEXT NOT NULL);
  CREATE TABLE install_sessions (
    computer TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    completed_at INTEGER,
    error TEXT
  ) WITHOUT ROWID;
  CREATE TABLE readiness_reports (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, repository TEXT NOT NULL, report TEXT NOT NULL);
  CREATE INDEX readiness_by_time ON readiness_reports (created_at DESC, id DESC);
  CREATE INDEX readiness_by_repository ON readiness_reports (repository, created_at DESC, id DESC);
  `,
  `
  -- The process of a session and when it started, in the system's own format: a server that starts after a kill ends it.
  ALTER TABLE install_sessions ADD COLUMN pid INTEGER;
  ALTER TABLE install_sessions ADD COLUMN pid_start TEXT;
  `,
  `
  -- How many sessions of a user hooks have told of on a day.
  CREATE TABLE day_sessions (day INTEGER NOT NULL, user INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, user)) WITHOUT ROWID;
  INSERT INTO day_sessions SELECT d.day, s.user, count(*)
    FROM session_days d JOIN sessions s ON s.id = d.session WHERE d.source = 0 GROUP BY d.day, s.user;
  `,
];

/** Raise it when a row of a day changes its meaning: all rows are made again. */
const formulas = 1;

/** Brings the database to this version, in one transaction. */
export function migrate(database: Database): void {
  const version = Number(database.get("PRAGMA user_version")?.user_version ?? 0);
  if (version > migrations.length) {
    throw new UserError("server.newer", "a newer hookbell has written this database", {
      hint: "run the newer hookbell, or give another folder with --data",
    });
  }
  database.transaction(() => {
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    const known = database.get("SELECT value FROM cursors WHERE name = 'formulas'")?.value;
    if (known === String(formulas)) return;
    markAllStale(database);
    database.run("INSERT OR REPLACE INTO cursors VALUES ('formulas', ?)", String(formulas));
  });
}
