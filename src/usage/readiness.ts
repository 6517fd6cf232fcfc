// Compares readiness reports: scores, the report before, criteria that fell.
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

export interface FallenCriterion {
  criterion: string;
  before: { numerator: number; denominator: number };
  now: { numerator: number; denominator: number; rationale: string };
}

/** Criteria that a smaller share of applications meets; one no longer evaluated has not fallen. */
export function fellBetween(before: ReadinessReport, now: ReadinessReport): FallenCriterion[] {
  return Object.entries(now.report).flatMap(([criterion, after]) => {
    const earlier = Object.hasOwn(before.report, criterion) ? before.report[criterion] : undefined;
    if (earlier === undefined) return [];
    // Compared as fractions, since 1/3 and 2/6 are the same.
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
