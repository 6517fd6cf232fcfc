// Rows as CSV, for spreadsheets.
import { stringify } from "csv-stringify/sync";
import { printable } from "../../model/text.ts";
import { jsonLine } from "./text.ts";

type CsvRow = Readonly<Record<string, unknown>>;

/** Where a column's value is in a row: the names of the members, from the outside in. */
export type CsvColumn = readonly string[];

/**
 * Rows as CSV with a header line, which is there without rows, too, where the columns are known. Objects become columns
 * (`ratio.manual`), lists become JSON. Texts that a spreadsheet would take for a formula start with an apostrophe, since
 * they are untrusted.
 */
export function writeCsv(rows: readonly CsvRow[], known: readonly CsvColumn[] = []): string {
  return createCsv(known)(rows);
}

/** Writes CSV piece by piece. Columns are those that are known, and those of the first rows. */
export function createCsv(known: readonly CsvColumn[]): (rows: readonly CsvRow[]) => string {
  let columns: CsvColumn[] | undefined;
  return (rows) => {
    const records: unknown[][] = [];
    if (columns === undefined) {
      const all = [...known, ...rows.flatMap((row) => columnsOf(row))];
      columns = [...new Map(all.map((column) => [column.join("."), column])).values()];
      if (columns.length === 0) return "";
      records.push(columns.map((column) => column.join(".")));
    }
    for (const row of rows) records.push(columns.map((column) => cellOf(row, column)));
    return stringify(records, { escape_formulas: true, record_delimiter: "\n", cast: { boolean: String } });
  };
}

function columnsOf(row: CsvRow): CsvColumn[] {
  return Object.entries(row).flatMap(([name, value]): CsvColumn[] =>
    isNested(value) ? columnsOf(value).map((inner) => [name, ...inner]) : [[name]],
  );
}

function isNested(value: unknown): value is CsvRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cellOf(row: CsvRow, column: CsvColumn): unknown {
  let value: unknown = row;
  for (const name of column) value = isNested(value) ? value[name] : undefined;
  if (typeof value === "string") return printable(value);
  return typeof value === "object" && value !== null ? jsonLine(value).trimEnd() : value;
}
