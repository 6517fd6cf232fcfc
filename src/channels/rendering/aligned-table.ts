// Tables whose columns are aligned.
import { columnsOf } from "../../model/rich-text/columns.ts";

/** The table is meant for a block of code. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => columnsOf(row[column] ?? ""))));
  const pad = (cell: string, column: number): string =>
    cell + " ".repeat(Math.max(0, (widths?.[column] ?? 0) - columnsOf(cell)));
  return rows.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
