// A period's figures of one endpoint, with those of the days before, and how they read. Pure.
import { formatChange, formatNumber, formatShare } from "../../../model/figures/numbers.ts";
import type { Calendar } from "./calendar.ts";
import type { Figure } from "./days.ts";
import { textOf } from "./rows.ts";
import type { Tally, TallyPlan } from "./tally.ts";
import { type Breakdown, type UsageMeasure, type UsageName, type UsageView, usageViews } from "./views.ts";

export interface UsageReport {
  name: UsageName;
  isGrouped: boolean;
  now: Tally;
  /** Undefined if there is nothing to compare with. */
  before: Tally | undefined;
}

export function measuresOf(name: UsageName, isGrouped: boolean): readonly UsageMeasure[] {
  const view: UsageView = usageViews[name];
  return isGrouped && view.grouped !== undefined ? view.grouped.measures : view.measures;
}

/** `dailyMeasures`: of how many measures the days of each user are kept. */
export function planOf(name: UsageName, isGrouped: boolean, dailyMeasures?: number): TallyPlan {
  const view: UsageView = usageViews[name];
  if (name === "users") {
    return {
      measures: view.measures,
      groupOf: (row) => {
        const key = textOf(row, "user_id");
        return { key, name: textOf(row, "user_email") || key };
      },
      favourites: ["primary_model", "delegation_level"],
      ...(dailyMeasures === undefined ? {} : { dailyMeasures }),
    };
  }
  if (!isGrouped || view.grouped === undefined) return { measures: view.measures, breakdowns: view.breakdowns };
  return {
    measures: view.grouped.measures,
    groupOf: (row) => ({ key: textOf(row, "group_key"), name: textOf(row, "group_key") }),
  };
}

/** Who uses two clients is in both groups, so a sum of the groups would be wrong. */
export function hasTotal({ summing }: UsageMeasure, isGrouped: boolean): boolean {
  return !isGrouped || summing === "sum";
}

export function labelOf({ label, ofOneDay }: UsageMeasure, { days }: Calendar): string {
  return days.length === 1 ? (ofOneDay ?? label) : label;
}

const unknown = "–";

export function formatFigure(value: number | undefined): string {
  return value === undefined ? unknown : formatNumber(value);
}

/** Shares of 1 are percentages. */
export function formatItem(value: number | undefined, { summing }: Pick<Breakdown, "summing">): string {
  return summing === "ratio" && value !== undefined ? formatShare(value, 1) : formatFigure(value);
}

export function changeOf(now: number | undefined, before: number | undefined): string {
  return now === undefined ? "" : formatChange(now, before);
}

/** `5 of 7 days`, if a mean leaves days out; `no day`, if it is of none. */
export function meanOfText({ meanOf }: Figure, { days }: Calendar): string {
  if (meanOf === 0) return "no day";
  return meanOf === undefined || meanOf === days.length ? "" : `${meanOf} of ${days.length} days`;
}
