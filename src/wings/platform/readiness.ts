// Readiness reports as people read them: scores, what changed since the report before, criteria that fell. Pure.
import { formatShare } from "../../model/figures/numbers.ts";
import type { ReadinessReport } from "./contract/readiness.ts";
import { lineOf, repositoryName, repositoryOf } from "./repository.ts";

/** The mean of all criteria, 0 to 1; the document defines no score. */
export function score({ report }: ReadinessReport): number {
  const criteria = Object.values(report);
  if (criteria.length === 0) return 0;
  return criteria.reduce((sum, { numerator, denominator }) => sum + numerator / denominator, 0) / criteria.length;
}

/** How many criteria every application meets. */
export function metCriteria({ report }: ReadinessReport): number {
  return Object.values(report).filter(({ numerator, denominator }) => numerator === denominator).length;
}

/**
 * Finds the report to compare another one with: the newest older one of the same repository and branch, or of the default branch
 * if this branch has none. One without local changes is preferred.
 */
export function findPrevious(
  all: readonly ReadinessReport[],
): (report: ReadinessReport) => ReadinessReport | undefined {
  const keyOf = (repoUrl: string, line: string): string => `${repositoryOf(repoUrl)} ${line}`;
  const reports = new Map<string, ReadinessReport[]>();
  for (const report of newestFirst(all)) {
    const key = keyOf(report.repoUrl, lineOf(report.branch));
    const known = reports.get(key);
    if (known === undefined) reports.set(key, [report]);
    else known.push(report);
  }
  return ({ repoUrl, branch, createdAt }) => {
    const ofLine = (line: string): ReadinessReport | undefined => {
      const older = reports.get(keyOf(repoUrl, line))?.filter((each) => each.createdAt < createdAt) ?? [];
      return older.find(({ hasLocalChanges }) => hasLocalChanges !== true) ?? older[0];
    };
    return ofLine(lineOf(branch)) ?? ofLine(lineOf(undefined));
  };
}

/** Whether a criterion that fell between them has got worse, and is not just another in someone's own work. */
export function isComparable(before: ReadinessReport, now: ReadinessReport): boolean {
  const isOfOneLine = lineOf(before.branch) === lineOf(now.branch);
  return isOfOneLine && (now.hasLocalChanges !== true || before.hasLocalChanges === true);
}

/** Criteria that a smaller share of applications meets; one no longer evaluated has not fallen. */
export function fellBetween(before: Pick<ReadinessReport, "report">, now: Pick<ReadinessReport, "report">) {
  return Object.entries(now.report).flatMap(([criterion, after]) => {
    const earlier = Object.hasOwn(before.report, criterion) ? before.report[criterion] : undefined;
    if (earlier === undefined) return [];
    // The shares are compared as fractions, since 1/3 and 2/6 are the same.
    const hasFallen = after.numerator * earlier.denominator < earlier.numerator * after.denominator;
    return hasFallen ? [{ criterion, before: earlier, now: after }] : [];
  });
}

/** The document gives no order. */
export function newestFirst(reports: readonly ReadinessReport[]): ReadinessReport[] {
  return reports.toSorted((a, b) => b.createdAt - a.createdAt);
}

export interface DescribedReport {
  id: string;
  repository: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Such as `5 of 8`. */
  met: string;
  /** 0 to 1. */
  score: number;
  scoreText: string;
  /** In points since the report that it is compared with, such as `+2.5`; empty if there is none. */
  change: string;
  branch: string;
  /** The worst first. */
  criteria: { name: string; met: string; hasFallen: boolean; why: string }[];
}

/** The newest first. `all` has those that they are compared with. */
export function describeReports(
  reports: readonly ReadinessReport[],
  all: readonly ReadinessReport[] = reports,
): DescribedReport[] {
  const previousOf = findPrevious(all);
  return newestFirst(reports).map((report) => {
    const before = previousOf(report);
    return {
      id: report.reportId,
      repository: repositoryName(report.repoUrl),
      at: report.createdAt,
      met: `${metCriteria(report)} of ${Object.keys(report.report).length}`,
      score: score(report),
      scoreText: formatShare(score(report), 1),
      change: before === undefined ? "" : changeBetween(before, report),
      branch: report.branch ?? "",
      criteria: criteriaOf(report, before),
    };
  });
}

function changeBetween(before: ReadinessReport, now: ReadinessReport): string {
  const points = Math.round((score(now) - score(before)) * 1000) / 10;
  return points === 0 ? "±0" : `${points > 0 ? "+" : ""}${points}`;
}

function criteriaOf({ report }: ReadinessReport, before: ReadinessReport | undefined): DescribedReport["criteria"] {
  const fell = new Set(before === undefined ? [] : fellBetween(before, { report }).map(({ criterion }) => criterion));
  return Object.entries(report)
    .toSorted(([, a], [, b]) => a.numerator / a.denominator - b.numerator / b.denominator)
    .map(([name, { numerator, denominator, rationale }]) => {
      return { name, met: `${numerator}/${denominator}`, hasFallen: fell.has(name), why: rationale };
    });
}
