// Reads the table and the chart of a payload; leaves out odd ones.
import type { Figures } from "../../model/event.ts";
import { objectOf } from "./values.ts";

/** A notification is no report. */
const limits = { columns: 8, rows: 50, points: 100, textLength: 200 };

export function readFigures(value: unknown): Figures | undefined {
  const { table, chart } = objectOf(value);
  const figures = { table: readTable(objectOf(table)), chart: readChart(objectOf(chart)) };
  return figures.table === undefined && figures.chart === undefined ? undefined : figures;
}

function readTable({ columns, rows }: Record<string, unknown>): Figures["table"] {
  if (!areTexts(columns, limits.columns) || !Array.isArray(rows) || rows.length > limits.rows) return undefined;
  const isWhole = rows.every((row): row is string[] => areTexts(row, limits.columns) && row.length === columns.length);
  return isWhole ? { columns, rows } : undefined;
}

function readChart({ title, labels, values }: Record<string, unknown>): Figures["chart"] {
  if (!areTexts([title], 1) || !areTexts(labels, limits.points) || !Array.isArray(values)) return undefined;
  const areNumbers = values.every((each): each is number => typeof each === "number" && Number.isFinite(each));
  return areNumbers && values.length === labels.length && values.length > 0
    ? { title: String(title), labels, values }
    : undefined;
}

function areTexts(value: unknown, most: number): value is string[] {
  const isText = (each: unknown): boolean => typeof each === "string" && each.length <= limits.textLength;
  return Array.isArray(value) && value.length <= most && value.every(isText);
}
