// Prints usage rows as tables: totals with the change from the period before, one line per day, then breakdowns.
import type { DateRange } from "../contract/dates.ts";
import { formatChange, formatNumber, formatShare, sparkline } from "../../../model/figures/numbers.ts";
import { type Column, renderTable } from "../../../console/output/table.ts";
import { count, paint } from "../../../console/output/text.ts";
import {
  breakdownItems,
  collectItems,
  daysOf,
  type Item,
  numberOf,
  perDay,
  summarize,
  textOf,
  type UsageReport,
  type UsageRow,
} from "../figures/figures.ts";
import type { UsageMeasure, Summing, UsageView } from "../figures/views.ts";

type Screen = { columns: number; isColor: boolean };

const maxItems = 10;
const minNameWidth = 12;

/** A period without groups. */
export function showUsage(view: UsageView, usage: UsageReport, screen: Screen): string {
  const days = daysOf(usage.range);
  const tables = [totalsTable(view.measures, usage)];
  if (days.length > 1) tables.push(daysTable(view.measures, usage.rows, days));
  for (const breakdown of view.breakdowns) {
    const items = breakdownItems(breakdown, usage.rows, days);
    if (items.length > 0) tables.push(itemsTable(breakdown.label, breakdown.valueLabel, items, breakdown.summing));
  }
  return heading(view.title, usage, screen) + tables.map((table) => renderTable(table, screen)).join("\n");
}

/** A period whose rows belong to groups: models, tools, clients. */
export function showGroups(
  title: string,
  grouped: NonNullable<UsageView["grouped"]>,
  usage: UsageReport,
  screen: Screen,
): string {
  const { label, measure } = grouped;
  const itemsOf = (rows: readonly UsageRow[], range: DateRange): Item[] =>
    collectItems(
      rows.map((row) => ({ date: row.date, name: String(row.group_key), value: numberOf(row, measure.field) })),
      daysOf(range),
      measure.summing,
    );
  const items = itemsOf(usage.rows, usage.range);
  const before = usage.previous && itemsOf(usage.previous.rows, usage.previous.range);
  return (
    heading(title, usage, screen) +
    renderTable(itemsTable(label, measure.label, items, measure.summing, before), screen)
  );
}

/** One line per user, the most credits first. */
export function showUsers(view: UsageView, usage: UsageReport, screen: Screen): string {
  const days = daysOf(usage.range);
  const rowsOf = new Map<string, UsageRow[]>();
  for (const row of usage.rows) {
    const id = String(row.user_id);
    rowsOf.set(id, [...(rowsOf.get(id) ?? []), row]);
  }
  const [first] = view.measures;
  const users = [...rowsOf.values()]
    .map((rows) => ({ rows, rank: first === undefined ? 0 : summarize(rows, first) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ rows }) => rows);
  const columns: Column[] = [
    {
      header: "User",
      cells: users.map((rows) => textOf(rows.at(-1), "user_email") || textOf(rows.at(-1), "user_id")),
      minWidth: minNameWidth,
    },
    ...view.measures.map((measure, index): Column => ({
      header: measure.label,
      cells: users.map((rows) => formatNumber(summarize(rows, measure))),
      isRight: true,
      ...(index === 0 ? {} : { omit: index }),
    })),
    {
      header: "Model",
      cells: users.map((rows) => textOf(rows.at(-1), "primary_model")),
      minWidth: minNameWidth,
      omit: 20,
    },
    { header: "Autonomy", cells: users.map((rows) => textOf(rows.at(-1), "delegation_level")), omit: 21 },
    {
      header: "Per day",
      cells: users.map((rows) => sparkline(first === undefined ? [] : perDay(rows, days, first.field))),
      omit: 0,
    },
  ];
  return [
    heading(view.title, usage, screen),
    renderTable(totalsTable(view.measures, usage), screen),
    "\n",
    users.length === 0 ? "no user was active on these days\n" : renderTable(columns, screen),
  ].join("");
}

function heading(title: string, { range, organization }: UsageReport, screen: Screen): string {
  const days = range.startDate === range.endDate ? range.startDate : `${range.startDate} to ${range.endDate}`;
  return `${paint(screen, "bold", title)}: ${days} (UTC), organization ${organization}\n\n`;
}

function totalsTable(measures: readonly UsageMeasure[], { rows, range, previous }: UsageReport): Column[] {
  const days = daysOf(range);
  const totals = measures.map((measure) => summarize(rows, measure));
  const before = measures.map((measure) => previous && summarize(previous.rows, measure));
  const number: Pick<Column, "isRight"> = { isRight: true };
  return [
    { header: "", cells: measures.map(({ label }) => label) },
    { header: "This period", cells: totals.map(formatNumber), ...number },
    ...(previous === undefined
      ? []
      : [
          {
            header: `${count(days.length, "day")} before`,
            cells: before.map((value) => (value === undefined ? "" : formatNumber(value))),
            ...number,
            omit: 2,
          },
          { header: "Change", cells: totals.map((total, index) => formatChange(total, before[index])), ...number },
        ]),
    ...(days.length === 1
      ? []
      : [{ header: "Per day", cells: measures.map(({ field }) => sparkline(perDay(rows, days, field))), omit: 1 }]),
  ];
}

function daysTable(measures: readonly UsageMeasure[], rows: readonly UsageRow[], days: readonly string[]): Column[] {
  return [
    { header: "Day", cells: days, footer: "All days" },
    ...measures.flatMap((measure, index): Column[] => {
      const values = perDay(rows, days, measure.field);
      const isMain = index === 0;
      const column: Column = {
        header: measure.label,
        cells: values.map(formatNumber),
        footer: formatNumber(summarize(rows, measure)),
        isRight: true,
        ...(isMain ? {} : { omit: index }),
      };
      return isMain ? [column, { header: "", cells: [], bars: values }] : [column];
    }),
  ];
}

function itemsTable(
  label: string,
  valueLabel: string,
  items: readonly Item[],
  summing: Summing,
  before?: readonly Item[],
): Column[] {
  const shown = items.slice(0, before === undefined ? maxItems : Infinity);
  const rest = items.slice(shown.length);
  const all = items.reduce((sum, { total }) => sum + total, 0);
  const restTotal = rest.reduce((sum, { total }) => sum + total, 0);
  const withRest =
    rest.length === 0 ? shown : [...shown, { name: `${rest.length} more`, total: restTotal, perDay: [] }];
  const totalBefore = (name: string): number | undefined =>
    before && (before.find((item) => item.name === name)?.total ?? 0);
  return [
    { header: label, cells: withRest.map(({ name }) => name), minWidth: minNameWidth },
    { header: valueLabel, cells: withRest.map(({ total }) => formatNumber(total)), isRight: true },
    ...(summing === "sum"
      ? [{ header: "Share", cells: withRest.map(({ total }) => formatShare(total, all)), isRight: true, omit: 2 }]
      : []),
    ...(before === undefined
      ? []
      : [
          {
            header: "Change",
            cells: withRest.map(({ name, total }) => formatChange(total, totalBefore(name))),
            isRight: true,
            omit: 1,
          },
        ]),
    { header: " ", cells: [], bars: withRest.map(({ total }) => total) },
    ...((withRest[0]?.perDay.length ?? 0) > 1
      ? [{ header: "Per day", cells: withRest.map(({ perDay }) => sparkline(perDay)), omit: 3 }]
      : []),
  ];
}
