// Opens a SQLite file for this process alone. docs/reference/SERVER.md says why it is this engine, and why in this mode.
import type { Database as Engine, Statement } from "node-sqlite3-wasm";
import { codeOf, UserError } from "../../../../model/errors.ts";
import { createExclusive } from "../../../../system/files/create-exclusive.ts";
import { removeTree } from "../../../../system/files/files.ts";

export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, SqlValue>;

export interface Database {
  exec(sql: string): void;
  run(sql: string, ...values: SqlValue[]): void;
  all(sql: string, ...values: SqlValue[]): Row[];
  get(sql: string, ...values: SqlValue[]): Row | undefined;
  /** All of it or nothing, also when the process is killed. Transactions do not nest. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

/** Plug-ins have everything but this package. */
async function loadEngine(): Promise<{ Database: new (path: string) => Engine }> {
  try {
    return (await import("node-sqlite3-wasm")).default;
  } catch (error) {
    // The two loaders of Node have different codes.
    if (codeOf(error)?.endsWith("MODULE_NOT_FOUND") !== true) throw error;
    throw new UserError("server.database", "serve needs SQLite, which is not in hookbell's plug-ins", {
      hint: "npm install --global hookbell, then: hookbell serve",
    });
  }
}

/**
 * The caller makes sure that no other process has the file open. The engine's own rollback journal is not played back
 * after a kill, since its lock is a folder that is taken for another process's; a write-ahead log in exclusive mode is.
 */
export async function openDatabase(path: string, nowMs: number): Promise<Database> {
  const engine = await loadEngine();
  // SQLite takes an empty file for a new database; this one is readable by its owner alone.
  createExclusive(path, "", nowMs);
  removeTree(`${path}.lock`);
  const database = new engine.Database(path);
  const statements = new Map<string, Statement>();
  const withStatement = <Result>(sql: string, use: (statement: Statement) => Result): Result => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    try {
      return use(statement);
    } catch (error) {
      // A failed statement cannot be used again; ending it reports the failure once more.
      statements.delete(sql);
      try {
        statement.finalize();
      } catch {}
      throw error;
    }
  };
  // Reading to the end ends the statement, so no open reader holds up the log.
  const all = (sql: string, ...values: SqlValue[]): Row[] =>
    withStatement(sql, (statement) => statement.all(values) as Row[]);
  for (const setting of ["page_size = 8192", "locking_mode = EXCLUSIVE", "synchronous = FULL", "cache_size = -16000"]) {
    database.exec(`PRAGMA ${setting}`);
  }
  const mode = database.get("PRAGMA journal_mode = WAL");
  if (mode?.journal_mode !== "wal") throw new Error(`SQLite has no write-ahead log for ${path}`);
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => {
      withStatement(sql, (statement) => statement.run(values));
    },
    all,
    get: (sql, ...values) => all(sql, ...values)[0],
    transaction(work) {
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.inTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },
    close() {
      for (const statement of statements.values()) statement.finalize();
      statements.clear();
      database.close();
    },
  };
}
