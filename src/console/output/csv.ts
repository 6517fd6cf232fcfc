// Rows as CSV, for spreadsheets.
import { stringify } from "csv-stringify/sync";
import { printable } from "../../model/text.ts";
import { jsonLine } from "./text.ts";

/**
 * Rows as CSV with a header line. Objects become columns (`ratio.manual`), lists become JSON. Texts that a spreadsheet
 * would take for a formula start with an apostrophe, since they are untrusted.
 */
export function writeCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const flat = rows.map((row) => flatten(row));
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  return stringify(flat, {
    header: true,
    columns,
    escape_formulas: true,
    record_delimiter: "\n",
    cast: { boolean: String },
  });
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
