// `hookbell readiness`: prints readiness reports as tables, JSON or CSV.
import { exitCodes, type ExitCode, usageError, UserError } from "../../../model/errors.ts";
import { printableLine } from "../../../model/text.ts";
import { maxReadinessReports, type PlatformClient, readinessPageSize, type ReadinessQuery } from "../client/client.ts";
import type { ReadinessReport } from "../contract/readiness.ts";
import { describeReports, type DescribedReport, newestFirst } from "../readiness.ts";
import { isNamed } from "../repository.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { writeCsv } from "../../../console/output/csv.ts";
import { createProgress, type Progress } from "../../../console/output/progress.ts";
import { type Column, describeLeftOut, type LeftOut, renderTable } from "../../../console/output/table.ts";
import { jsonLine, paint } from "../../../console/output/text.ts";
import { platformCommands } from "../help.ts";
import { openPlatformClient } from "./open-client.ts";
import { readFormat } from "./output.ts";

export async function readiness(args: string[], given: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, platformCommands.readiness.flags, 0);
  const format = readFormat(values.format, values.json);
  const maxReports = readLimit(values.limit, values.all === true);
  const progress = createProgress(given);
  const { io } = progress;
  const { client } = await openPlatformClient(io, values.config);
  // The table compares, so it needs reports from before those that it shows.
  const lookedAt = format === "table" ? Math.min(maxReports + readinessPageSize, maxReadinessReports) : maxReports;
  const all = await findReports(client, values["repo-id"], lookedAt, progress);
  const reports = (format === "table" ? newestFirst(all) : all).slice(0, maxReports);
  if (format === "json") io.stdout(jsonLine({ reports }));
  else if (format === "csv") io.stdout(writeCsv(reports.flatMap(criterionRows), criterionColumns));
  else io.stdout(showReports(reports, all, values["repo-id"], io));
  return exitCodes.done;
}

function readLimit(text: string | undefined, isAll: boolean): number {
  if (text === undefined) return isAll ? maxReadinessReports : Number(platformCommands.readiness.flags.limit.usual);
  const limit = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
  if (limit !== undefined && !isAll && limit <= maxReadinessReports) return limit;
  const message = isAll ? "--all contradicts --limit" : `invalid --limit ${JSON.stringify(text)}`;
  throw usageError(
    "limit",
    message,
    isAll ? "leave out one of them" : `expected a whole number from 1 to ${maxReadinessReports}`,
  );
}

/**
 * With `wanted`, the reports of one repository: the one that the service knows by that id, or else the one with this address or
 * this name in the table. The document does not say what an id looks like.
 */
async function findReports(
  client: PlatformClient,
  wanted: string | undefined,
  maxReports: number,
  progress: Progress,
): Promise<ReadinessReport[]> {
  const collect = async (query: ReadinessQuery): Promise<ReadinessReport[]> => {
    const reports: ReadinessReport[] = [];
    for await (const page of client.listReadinessReports(query)) {
      reports.push(...page);
      progress.show(`loading readiness reports: ${reports.length} ...`);
    }
    return reports;
  };
  try {
    progress.show("loading readiness reports ...");
    const found = await collect({ repoId: wanted, maxReports }).catch((error: unknown) => {
      if (wanted !== undefined && error instanceof UserError && refusesId.has(error.code)) return [];
      throw error;
    });
    if (wanted === undefined || found.length > 0) return found;
    const all = await collect({ maxReports: maxReadinessReports });
    return all.filter(({ repoUrl }) => isNamed(repoUrl, wanted)).slice(0, maxReports);
  } finally {
    progress.end();
  }
}

/** A service may refuse what is no id of its own. */
const refusesId: ReadonlySet<string> = new Set(["platform.badRequest", "platform.notFound"]);

/** One line per criterion, so that a spreadsheet can add them up. Without a report, the header is still there. */
const criterionColumns = ["reportId", "createdAt", "repoUrl", "criterion", "numerator", "denominator", "rationale"].map(
  (name) => [name],
);

function criterionRows({ report, apps: _, ...rest }: ReadinessReport): Record<string, unknown>[] {
  return Object.entries(report).map(([criterion, { numerator, denominator, rationale }]) => ({
    ...rest,
    criterion,
    numerator,
    denominator,
    rationale,
  }));
}

function showReports(
  reports: readonly ReadinessReport[],
  all: readonly ReadinessReport[],
  repository: string | undefined,
  io: CommandIo,
): string {
  if (reports.length === 0) {
    return repository === undefined
      ? "there are no readiness reports\n"
      : `there are no readiness reports of ${printableLine(repository)}; hookbell readiness lists the repositories\n`;
  }
  const described = describeReports(reports, all);
  const leftOut: LeftOut = { headers: new Set(), columns: 0 };
  const columns: Column[] = [
    { header: "Repository", cells: described.map(({ repository }) => repository), minWidth: 12 },
    { header: "Report (UTC)", cells: described.map(({ at }) => showTime(at)) },
    { header: "Criteria met", cells: described.map(({ met }) => met), isRight: true },
    { header: "Score", cells: described.map(({ scoreText }) => scoreText), isRight: true },
    { header: "Change", cells: described.map(({ change }) => change), isRight: true, omit: 1 },
    { header: "", cells: [], bars: described.map(({ score }) => score), barMax: 1 },
    { header: "Branch", cells: described.map(({ branch }) => branch), minWidth: 8, omit: 2 },
    { header: "Report id", cells: described.map(({ id }) => id), omit: 3 },
  ];
  const [newest] = described;
  const detail =
    newest !== undefined && (repository !== undefined || reports.length === 1) ? showCriteria(newest, io, leftOut) : "";
  const table = renderTable(columns, io, leftOut);
  return table + detail + (leftOut.headers.size === 0 ? "" : `\n${describeLeftOut(leftOut, io)}`);
}

function showTime(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 16).replace("T", " ");
}

/** Every criterion of one report, the worst first. */
function showCriteria({ repository, at, criteria }: DescribedReport, io: CommandIo, leftOut: LeftOut): string {
  const columns: Column[] = [
    { header: "Criterion", cells: criteria.map(({ name }) => name), minWidth: 16 },
    { header: "Met", cells: criteria.map(({ met }) => met), isRight: true },
    { header: "", cells: criteria.map(({ hasFallen }) => (hasFallen ? "fell" : "")) },
    { header: "Why", cells: criteria.map(({ why }) => why), minWidth: 20, omit: 1 },
  ];
  return `\n${paint(io, "bold", repository)}, ${showTime(at)}\n\n${renderTable(columns, io, leftOut)}`;
}
