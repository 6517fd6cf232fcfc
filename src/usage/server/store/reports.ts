// Readiness reports: kept as they came, newest first.
import { readinessReportSchema, type ReadinessReport } from "../../contract/readiness.ts";
import type { Database } from "./database.ts";

/** One that is stored already stays as it is. Returns whether it was new. */
export function storeReport(database: Database, report: ReadinessReport): boolean {
  const { reportId, createdAt, repoUrl } = report;
  if (database.get("SELECT 1 AS found FROM readiness_reports WHERE id = ?", reportId) !== undefined) return false;
  database.run(
    "INSERT INTO readiness_reports VALUES (?, ?, ?, ?)",
    reportId,
    createdAt,
    repositoryOf(repoUrl),
    JSON.stringify(report),
  );
  return true;
}

/** `https://github.com/a/b.git`, `git@github.com:a/b` and `github.com/a/b` are one repository. */
function repositoryOf(repoUrl: string): string {
  const path = repoUrl
    .trim()
    .replace(/^[a-z+]+:\/\//i, "")
    .replace(/^[^@/]*@/, "")
    .replace(/^([^/:]+):(?!\d+\/)/, "$1/");
  return path.replace(/(?:\.git)?\/*$/, "").toLowerCase();
}

export interface ReportQuery {
  repoId?: string | undefined;
  limit: number;
  startAfter?: string | undefined;
}

/** Undefined when there is no report `startAfter`. */
export function listReports(
  database: Database,
  { repoId, limit, startAfter }: ReportQuery,
): ReadinessReport[] | undefined {
  const start =
    startAfter === undefined
      ? undefined
      : database.get("SELECT created_at, id FROM readiness_reports WHERE id = ?", startAfter);
  if (startAfter !== undefined && start === undefined) return undefined;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (repoId !== undefined) {
    conditions.push("repository = ?");
    values.push(repositoryOf(repoId));
  }
  if (start !== undefined) {
    conditions.push("(created_at, id) < (?, ?)");
    values.push(Number(start.created_at), String(start.id));
  }
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const sql = `SELECT report FROM readiness_reports ${where} ORDER BY created_at DESC, id DESC LIMIT ?`;
  return database
    .all(sql, ...values, limit)
    .map(({ report }) => readinessReportSchema.parse(JSON.parse(String(report))));
}
