// ReadinessReport for a new report, ReadinessRegression where a criterion fell.
import { cut } from "../../../model/text.ts";
import type { ReadinessReport } from "../contract/readiness.ts";
import { fellBetween, findPrevious, isComparable, metCriteria, score } from "../readiness.ts";
import { repositoryName } from "../repository.ts";
import { platformEvent, type PlatformEvent } from "./event.ts";

const maxLines = 8;
const maxBranchLength = 60;

/** The events of one new report; `all` has those that it is compared with. */
export function readinessEvents(report: ReadinessReport, all: readonly ReadinessReport[]): PlatformEvent[] {
  const before = findPrevious(all)(report);
  return [reportEvent(report, before), ...regressionEvents(report, before)];
}

export function reportKey({ reportId }: ReadinessReport): string {
  return `readiness-report-${reportId}`;
}

function reportEvent(report: ReadinessReport, before: ReadinessReport | undefined): PlatformEvent {
  const criteria = Object.entries(report.report);
  const missed = criteria
    .filter(([, { numerator, denominator }]) => numerator < denominator)
    .map(([id, { numerator, denominator, rationale }]) => line(id, `${numerator}/${denominator}`, rationale));
  const points = before === undefined ? 0 : Math.round((score(report) - score(before)) * 100);
  const change = points === 0 ? "" : `, ${points > 0 ? "+" : ""}${points} points`;
  return platformEvent({
    key: reportKey(report),
    name: "ReadinessReport",
    subject: repositoryName(report.repoUrl),
    title: `readiness ${Math.round(score(report) * 100)} %${onBranch(report)} (${metCriteria(report)} of ${criteria.length} criteria met${change})`,
    message: missed.length === 0 ? "Every criterion is met." : atMost(missed),
    details: { ...aboutReport(report), score: score(report), met: metCriteria(report), criteria: criteria.length },
  });
}

function regressionEvents(report: ReadinessReport, before: ReadinessReport | undefined): PlatformEvent[] {
  const fell = before === undefined || !isComparable(before, report) ? [] : fellBetween(before, report);
  if (fell.length === 0) return [];
  const lines = fell.map(({ criterion, before: { numerator, denominator }, now }) =>
    line(criterion, `${now.numerator}/${now.denominator}, was ${numerator}/${denominator}`, now.rationale),
  );
  return [
    platformEvent({
      key: `readiness-regression-${report.reportId}`,
      name: "ReadinessRegression",
      subject: repositoryName(report.repoUrl),
      title: `readiness fell${onBranch(report)}: ${fell.length === 1 ? (fell[0]?.criterion ?? "") : `${fell.length} criteria`}`,
      message: atMost(lines),
      details: { ...aboutReport(report), criteria: fell.map(({ criterion }) => criterion) },
    }),
  ];
}

function onBranch({ branch = "" }: ReadinessReport): string {
  return branch === "" ? "" : ` on ${cut(branch, maxBranchLength)}`;
}

function aboutReport({ reportId, repoUrl, branch, commitHash, createdAt }: ReadinessReport): Record<string, unknown> {
  return { reportId, repoUrl, branch, commitHash, createdAt };
}

function line(criterion: string, counts: string, rationale: string): string {
  return `${criterion} ${counts}${rationale === "" ? "" : `: ${rationale}`}`;
}

function atMost(lines: readonly string[]): string {
  const rest = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
}
