// Rows as CSV, for spreadsheets.
import { stringify } from "csv-stringify/sync";
import { printable } from "../../model/text.ts";
import { jsonLine } from "./text.ts";

type CsvRow = Readonly<Record<string, unknown>>;

/**
 * Rows as CSV with a header line, which is there without rows, too, where the columns are known. Objects become columns
 * (`ratio.manual`), lists become JSON. Texts that a spreadsheet would take for a formula start with an apostrophe, since
 * they are untrusted.
 */
export function writeCsv(rows: readonly CsvRow[], known: readonly string[] = []): string {
  return createCsv(known)(rows);
}

/** Writes CSV piece by piece. Columns are those that are known, and those of the first rows. */
export function createCsv(known: readonly string[]): (rows: readonly CsvRow[]) => string {
  let columns: string[] | undefined;
  return (rows) => {
    const flat = rows.map((row) => flatten(row));
    const isFirst = columns === undefined;
    columns ??= [...new Set([...known, ...flat.flatMap((row) => Object.keys(row))])];
    if (columns.length === 0) return "";
    return stringify(flat, {
      header: isFirst,
      columns,
      escape_formulas: true,
      record_delimiter: "\n",
      cast: { boolean: String },
    });
  };
}

function flatten(row: Readonly<Record<string, unknown>>, prefix = ""): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([key, value]): [string, unknown][] => {
      if (Array.isArray(value)) return [[prefix + key, jsonLine(value).trimEnd()]];
      if (typeof value === "string") return [[prefix + key, printable(value)]];
      if (typeof value !== "object" || value === null) return [[prefix + key, value]];
      return Object.entries(flatten(value as Record<string, unknown>, `${prefix}${key}.`));
    }),
  );
}
