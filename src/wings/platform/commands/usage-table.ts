// Prints a report as tables: totals with the change from the period before, one line for each period, then breakdowns.
import { formatShare, sparkline } from "../../../model/figures/numbers.ts";
import { type Column, describeLeftOut, type LeftOut, renderTable } from "../../../console/output/table.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { count } from "../../../console/output/text.ts";
import type { Figure } from "../figures/days.ts";
import type { UsageGroup } from "../figures/groups.ts";
import {
  changeOf,
  formatFigure,
  formatItem,
  hasTotal,
  labelOf,
  meanOfText,
  type UsageReport,
} from "../figures/report.ts";
import { type Breakdown, type UsageMeasure, type UsageView, usageViews } from "../figures/views.ts";

/** A list has so many names; of groups and users, there is a line for each. */
const usualItems = 10;
const right: Pick<Column, "isRight"> = { isRight: true };

/** `top`: of how many users, groups or names there is a line. */
export function showReport(report: UsageReport, io: CommandIo, top: number | undefined): string {
  const leftOut: LeftOut = { headers: new Set(), columns: 0 };
  const shown = tablesOf(report, top).map((table) => renderTable(table, io, leftOut));
  const isNoOne = report.name === "users" && report.now.groups().length === 0;
  const notes = [isNoOne ? "no user was active on these days\n" : "", describeLeftOut(leftOut, io)];
  return [...shown, ...notes.filter((note) => note !== "")].join("\n");
}

function tablesOf(report: UsageReport, top: number | undefined): Column[][] {
  const view: UsageView = usageViews[report.name];
  if (report.isGrouped && view.grouped !== undefined) {
    return [groupsTable(view.grouped.label, view.grouped.measures, report, top ?? Infinity)];
  }
  const { now } = report;
  const tables = [totalsTable(view.measures, report)];
  if (report.name === "users") {
    const groups = now.groups();
    if (groups.length === 0) return tables;
    if (now.calendar.by !== "day") tables.push(periodsTable(view.measures, report));
    tables.push(usersTable(groups, view.measures, report, top ?? Infinity));
  } else {
    if (now.calendar.periods.length > 1) tables.push(periodsTable(view.measures, report));
    for (const breakdown of view.breakdowns) {
      const items = now.items(breakdown);
      if (items.length > 0) tables.push(itemsTable(breakdown, items, report, top ?? usualItems));
    }
  }
  return tables;
}

/** No row of a user means that no one did anything. */
function totalOf({ total }: Figure, { name }: UsageReport): number | undefined {
  return name === "users" ? (total ?? 0) : total;
}

function totalsTable(measures: readonly UsageMeasure[], report: UsageReport): Column[] {
  const { now, before } = report;
  const { days, by, periods } = now.calendar;
  const figures = now.figures();
  const earlier = before?.figures();
  const means = figures.map((figure) => meanOfText(figure, now.calendar));
  return [
    { header: "", cells: measures.map((measure) => labelOf(measure, now.calendar)) },
    { header: "This period", cells: figures.map((figure) => formatFigure(totalOf(figure, report))), ...right },
    ...(means.some((text) => text !== "") ? [{ header: "Mean of", cells: means, omit: 0 }] : []),
    ...(earlier === undefined
      ? []
      : [
          {
            header: `${count(days.length, "day")} before`,
            cells: earlier.map((figure) => formatFigure(totalOf(figure, report))),
            ...right,
            omit: 3,
          },
          {
            header: "Change",
            cells: figures.map((figure, index) => {
              const previous = earlier[index];
              return changeOf(totalOf(figure, report), previous && totalOf(previous, report));
            }),
            ...right,
            omit: 1,
          },
        ]),
    ...(periods.length === 1
      ? []
      : [{ header: `Per ${by}`, cells: figures.map(({ each }) => sparkline(each)), isDrawn: true as const, omit: 2 }]),
  ];
}

function periodsTable(measures: readonly UsageMeasure[], { now }: UsageReport): Column[] {
  const { periods, by } = now.calendar;
  const header = { day: "Day", week: "Week", month: "Month" }[by];
  const footer = { day: "All days", week: "All weeks", month: "All months" }[by];
  return [
    { header, cells: periods.map(({ label }) => label), footer },
    ...now.figures().flatMap((figure, index): Column[] => {
      const measure = measures[index];
      const isMain = index === 0;
      const isOfOneDay = by === "day" && measure?.ofOneDay !== undefined;
      const column: Column = {
        header: isOfOneDay ? (measure?.ofOneDay ?? "") : figure.name,
        cells: figure.each.map(formatFigure),
        footer: isOfOneDay ? "" : formatFigure(figure.total),
        ...right,
        ...(isMain ? {} : { omit: index }),
      };
      return isMain ? [column, { header: "", cells: [], bars: figure.each.map((value) => value ?? 0) }] : [column];
    }),
  ];
}

function itemsTable(breakdown: Breakdown, items: readonly Figure[], report: UsageReport, top: number): Column[] {
  const isSum = breakdown.summing === "sum";
  const shown = items.slice(0, top);
  const rest = items.slice(top);
  const add = (some: readonly Figure[]): number => some.reduce((sum, { total = 0 }) => sum + total, 0);
  const all = add(items);
  const lines = rest.length === 0 ? shown : [...shown, { name: `${rest.length} more`, total: add(rest), each: [] }];
  return [
    { header: breakdown.label, cells: lines.map(({ name }) => name) },
    { header: breakdown.valueLabel, cells: lines.map(({ total }) => formatItem(total, breakdown)), ...right },
    ...(isSum
      ? [{ header: "Share", cells: lines.map(({ total = 0 }) => formatShare(total, all)), ...right, omit: 2 }]
      : []),
    { header: " ", cells: [], bars: lines.map(({ total = 0 }) => total) },
    ...sparklineColumn(
      lines.map(({ each }) => each),
      report,
    ),
  ];
}

function sparklineColumn(lines: readonly (readonly (number | undefined)[])[], { now }: UsageReport): Column[] {
  const isWorthwhile = (lines[0]?.length ?? 0) > 1;
  return isWorthwhile
    ? [{ header: `Per ${now.calendar.by}`, cells: lines.map((each) => sparkline(each)), isDrawn: true, omit: 99 }]
    : [];
}

/** The groups with the most of the first measure, all others in one line, and the total. */
function linesOf(groups: readonly UsageGroup[], measures: readonly UsageMeasure[], top: number): UsageGroup[] {
  const shown = groups.slice(0, top);
  const rest = groups.slice(top);
  if (rest.length === 0) return shown;
  const figures = measures.map(({ label, summing }, index): Figure => {
    const values = rest.map((group) => group.figures[index]?.total ?? 0);
    return {
      name: label,
      total: summing === "sum" ? values.reduce((sum, value) => sum + value, 0) : undefined,
      each: [],
    };
  });
  return [...shown, { name: `${rest.length} more`, figures, favourites: [] }];
}

function groupsTable(label: string, measures: readonly UsageMeasure[], report: UsageReport, top: number): Column[] {
  const { now, before } = report;
  const lines = linesOf(now.groups(), measures, top);
  const earlier = before && new Map(before.groups().map(({ name, figures }) => [name, figures[0]?.total ?? 0]));
  const figures = now.figures();
  const [first] = measures;
  const all = figures[0]?.total ?? 0;
  const isTotal = first !== undefined && hasTotal(first, true);
  const main = lines.map((line) => line.figures[0]);
  return [
    { header: label, cells: lines.map(({ name }) => name), ...(isTotal ? { footer: "Total" } : {}) },
    ...measures.flatMap((measure, index): Column[] => {
      const column: Column = {
        header: measure.label,
        cells: lines.map((line) => formatFigure(line.figures[index]?.total)),
        ...(isTotal ? { footer: formatFigure(figures[index]?.total ?? 0) } : {}),
        ...right,
        ...(index === 0 ? {} : { omit: 3 + index }),
      };
      if (index > 0 || !isTotal) return [column];
      const shares = main.map((figure) => formatShare(figure?.total ?? 0, all));
      return [column, { header: "Share", cells: shares, ...right, omit: 2 }];
    }),
    ...meanColumn(main, report),
    ...(earlier === undefined
      ? []
      : [
          {
            header: "Change",
            cells: lines.map(({ name }, index) =>
              index < top ? changeOf(main[index]?.total, earlier.get(name) ?? 0) : "",
            ),
            ...(isTotal ? { footer: changeOf(all, before?.figures()[0]?.total) } : {}),
            ...right,
            omit: 1,
          },
        ]),
    { header: " ", cells: [], bars: main.map((figure) => figure?.total ?? 0) },
    ...sparklineColumn(
      main.map((figure) => figure?.each ?? []),
      report,
    ),
  ];
}

function meanColumn(figures: readonly (Figure | undefined)[], { now }: UsageReport): Column[] {
  const cells = figures.map((figure) => (figure === undefined ? "" : meanOfText(figure, now.calendar)));
  return cells.some((text) => text !== "") ? [{ header: "Mean of", cells, omit: 0 }] : [];
}

/** One line for each user, the most credits first. */
function usersTable(
  groups: readonly UsageGroup[],
  measures: readonly UsageMeasure[],
  { now }: UsageReport,
  top: number,
): Column[] {
  const lines = linesOf(groups, measures, top);
  return [
    { header: "User", cells: lines.map(({ name }) => name) },
    ...measures.map((measure, index): Column => ({
      header: measure.label,
      cells: lines.map(({ figures }) => formatFigure(figures[index]?.total ?? 0)),
      ...right,
      ...(index === 0 ? {} : { omit: index }),
    })),
    { header: "Model", cells: lines.map(({ favourites }) => favourites[0] ?? ""), omit: 20 },
    { header: "Autonomy", cells: lines.map(({ favourites }) => favourites[1] ?? ""), omit: 21 },
    {
      header: `Per ${now.calendar.by}`,
      cells: lines.map(({ figures }) => sparkline(figures[0]?.each ?? [])),
      isDrawn: true,
      omit: 0,
    },
  ];
}
