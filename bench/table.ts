import { percentile } from "./percentile.ts";

/** One line of the report. What something is compared with was measured in the same run. */
export interface Row {
  what: string;
  median: string;
  p90: string;
  ratio: string;
  floor: string;
}

export type Floor = { name: string; value: number };

const heading: Row = { what: "what", median: "median", p90: "p90", ratio: "ratio", floor: "to" };
const columns = ["what", "median", "p90", "ratio", "floor"] as const;

export function timeRow(what: string, samplesMs: readonly number[], floor: Floor): Row {
  const median = percentile(samplesMs, 0.5);
  return {
    what,
    median: `${median.toFixed(1)} ms`,
    p90: samplesMs.length < 10 ? "" : `${percentile(samplesMs, 0.9).toFixed(1)} ms`,
    ratio: (median / floor.value).toFixed(2),
    floor: floor.name,
  };
}

export function valueRow(what: string, value: number, unit: string, floor: Floor): Row {
  const ratio = (value / floor.value).toFixed(2);
  return { what, median: `${value.toFixed(0)} ${unit}`, p90: "", ratio, floor: floor.name };
}

/** For what could not be measured here, or is no figure. */
export function remarkRow(what: string, remark: string): Row {
  return { what, median: remark, p90: "", ratio: "", floor: "" };
}

/** Markdown, with the columns aligned for those who read it as it is. */
export function renderTable(rows: readonly Row[]): string {
  const widths = columns.map((column) => Math.max(3, ...[heading, ...rows].map((row) => row[column].length)));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const pad = (row: Row): string[] => columns.map((column, index) => row[column].padEnd(widths[index] ?? 0));
  return [
    line(pad(heading)),
    line(widths.map((width) => "-".repeat(width))),
    ...rows.map((row) => line(pad(row))),
  ].join("");
}
