// Readiness reports: checked, kept as they came, listed newest first.
import * as z from "zod";
import { messageOfIssue } from "../../../../model/errors.ts";
import { maxAheadMs } from "../../contract/dates.ts";
import { knownEfforts, readinessReportSchemaOf, type ReadinessReport } from "../../contract/readiness.ts";
import { repositoryOf, withoutPassword } from "../../repository.ts";
import type { Database } from "./database.ts";

/** Bounds of what users store: with more reports, those that were stored first are forgotten. */
export const reportLimits = { bytes: 256 * 1024, textLength: 10_000, count: 2000 };

const tooLongText = `no text may have more than ${reportLimits.textLength} characters, in further members neither`;

export const storedReportSchema = readinessReportSchemaOf(z.string().max(reportLimits.textLength), knownEfforts)
  .extend({
    createdAt: z.number().min(0).describe("milliseconds since the epoch, at most an hour ahead of the server's clock"),
  })
  .refine((report) => !hasLongText(report), tooLongText)
  .describe(tooLongText);

/** This is a moment of 1973. Seconds reach it in the year 5138. */
const leastTimeMs = 1e11;

/** The report, or why it is refused. */
export function checkReport(value: unknown, nowMs: number): { report: ReadinessReport } | { problem: string } {
  const report = storedReportSchema.safeParse(value, { error: messageOfIssue });
  if (!report.success) return { problem: problemsOf(report.error) };
  const { createdAt } = report.data;
  if (createdAt < leastTimeMs) {
    return { problem: `createdAt: expected milliseconds since 1970, got ${createdAt}, which looks like seconds` };
  }
  if (createdAt > nowMs + maxAheadMs) return { problem: "createdAt: is more than an hour in the future" };
  return { report: report.data };
}

function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length > reportLimits.textLength;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => hasLongText(name) || hasLongText(member));
}

const maxShownProblems = 5;

/** The first problems with their places. */
export function problemsOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, maxShownProblems)
    .map(({ path, message }) => `${path.map(String).join(".").slice(0, 100) || "the body"}: ${message}`)
    .join("; ");
}

export function isStored(database: Database, { reportId }: ReadinessReport): boolean {
  return database.get("SELECT 1 AS found FROM readiness_reports WHERE id = ?", reportId) !== undefined;
}

/** A report that is stored already stays as it is. */
export function storeReport(database: Database, given: ReadinessReport): void {
  const report = { ...given, repoUrl: withoutPassword(given.repoUrl) };
  const { reportId, createdAt, repoUrl } = report;
  database.run(
    "INSERT OR IGNORE INTO readiness_reports VALUES (?, ?, ?, ?)",
    reportId,
    createdAt,
    repositoryOf(repoUrl),
    JSON.stringify(report),
  );
  // Rows are numbered without gaps, since only the first ones are ever removed.
  const last = "SELECT max(rowid) FROM readiness_reports";
  database.run(`DELETE FROM readiness_reports WHERE rowid <= (${last}) - ?`, reportLimits.count);
}

/** Earlier versions kept the port of an address; this is done once. */
export function renameRepositories(database: Database): void {
  const done = "repositories-without-ports";
  database.transaction(() => {
    if (database.get("SELECT 1 AS found FROM cursors WHERE name = ?", done) !== undefined) return;
    for (const { id, repository } of database.all("SELECT id, repository FROM readiness_reports")) {
      const sql = "UPDATE readiness_reports SET repository = ? WHERE id = ?";
      database.run(sql, repositoryOf(String(repository)), String(id));
    }
    database.run("INSERT INTO cursors VALUES (?, 'true')", done);
  });
}

export interface ReportQuery {
  repoId?: string | undefined;
  limit: number;
  startAfter?: string | undefined;
}

/** Each report as JSON, read while it is sent. Undefined when there is no report `startAfter`. */
export function listReports(
  database: Database,
  { repoId, limit, startAfter }: ReportQuery,
): Iterable<Uint8Array> | undefined {
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
  const sql = `SELECT id FROM readiness_reports ${where} ORDER BY created_at DESC, id DESC LIMIT ?`;
  return readReports(
    database,
    database.all(sql, ...values, limit).map(({ id }) => String(id)),
  );
}

function* readReports(database: Database, ids: readonly string[]): Generator<Uint8Array> {
  for (const id of ids) {
    // The engine takes twice as long to decode a text.
    const sql = "SELECT CAST(report AS BLOB) AS report FROM readiness_reports WHERE id = ?";
    const bytes = database.get(sql, id)?.report;
    if (bytes instanceof Uint8Array) yield bytes;
  }
}
