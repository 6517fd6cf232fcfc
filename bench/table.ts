// The report's rows, and how they print as Markdown.

/** The value below which this part (0 to 1) of the values is; NaN of none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** The comparison was measured in the same run. */
export interface Row {
  what: string;
  median: string;
  p90: string;
  ratio: string;
  floor: string;
  /** The highest ratio that the project wants, or the lowest where it says so; empty where it wants none. */
  goal: string;
}

export interface Floor {
  name: string;
  value: number;
}

const heading: Row = { what: "what", median: "median", p90: "p90", ratio: "ratio", floor: "to", goal: "goal" };
const columns = ["what", "median", "p90", "ratio", "floor", "goal"] as const;

export function timeRow(what: string, samplesMs: readonly number[], floor: Floor, goal?: number): Row {
  const median = percentile(samplesMs, 0.5);
  const ratio = median / floor.value;
  return {
    what,
    median: `${median.toFixed(1)} ms`,
    p90: samplesMs.length < 10 ? "" : `${percentile(samplesMs, 0.9).toFixed(1)} ms`,
    ratio: ratio.toFixed(2),
    floor: floor.name,
    goal: goal === undefined ? "" : `${goal}${ratio > goal ? " missed" : ""}`,
  };
}

/** `goal`: the lowest ratio that the project wants. */
export function valueRow(what: string, value: number, unit: string, floor: Floor, goal?: number): Row {
  const ratio = value / floor.value;
  const wanted = goal === undefined ? "" : `at least ${goal}${ratio < goal ? " missed" : ""}`;
  const median = `${value.toFixed(0)} ${unit}`;
  return { what, median, p90: "", ratio: ratio.toFixed(2), floor: floor.name, goal: wanted };
}

/** Without a floor, the goal is about the count itself. */
export function countRow(what: string, count: number, floor?: Floor, goal?: number): Row {
  const judged = floor === undefined ? count : count / floor.value;
  return {
    what,
    median: `${count}`,
    p90: "",
    ratio: floor === undefined ? "" : judged.toFixed(2),
    floor: floor?.name ?? "",
    goal: goal === undefined ? "" : `${goal}${judged > goal ? " missed" : ""}`,
  };
}

/** For what is not a figure, such as why there is none. */
export function remarkRow(what: string, remark: string): Row {
  return { what, median: remark, p90: "", ratio: "", floor: "", goal: "" };
}

export function renderTable(rows: readonly Row[]): string {
  const cellsOf = (row: Row): string[] => columns.map((column) => row[column]);
  return renderCells(cellsOf(heading), rows.map(cellsOf));
}

/** Aligned, so that it is readable as it is. */
export function renderCells(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = names.map((_, column) => Math.max(3, ...[names, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |\n`;
  return [line(names), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("");
}
