// Readiness reports as people read them: scores, what changed since the report before, criteria that fell. Pure.
import { formatShare } from "../../model/figures/numbers.ts";
import type { ReadinessReport } from "./contract/readiness.ts";

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

/** The newest of the repository's reports that is older than this one. */
export function previousReport(report: ReadinessReport, all: readonly ReadinessReport[]): ReadinessReport | undefined {
  return all
    .filter(({ repoUrl, createdAt }) => repoUrl === report.repoUrl && createdAt < report.createdAt)
    .reduce<ReadinessReport | undefined>(
      (newest, each) => (newest === undefined || each.createdAt > newest.createdAt ? each : newest),
      undefined,
    );
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

/** `acme/shop` of `https://git.example.com/acme/shop.git`. */
export function repositoryName(repoUrl: string): string {
  const parts = repoUrl
    .replace(/\.git$/, "")
    .split(/[/:]/)
    .filter((part) => part !== "");
  return parts.slice(-2).join("/") || repoUrl;
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
  /** In points since the repository's report before, such as `+2.5`; empty if there is none. */
  change: string;
  branch: string;
  /** The worst first. */
  criteria: { name: string; met: string; hasFallen: boolean; why: string }[];
}

/** The newest first: the document gives no order. */
export function describeReports(reports: readonly ReadinessReport[]): DescribedReport[] {
  return reports
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .map((report) => {
      const before = previousReport(report, reports);
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
