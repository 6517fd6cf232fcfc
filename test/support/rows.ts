// A table as one test of its claim: every row is tried, and a failure names all the rows that fail.
import { expect } from "vitest";

/**
 * Runs the check for every row, one after the other; await it, or return it from the test.
 * A row is named by `nameOf`, else by its `name`, else by what it starts with. A row whose check asserts nothing fails.
 * On Windows, rows with "(posix)" in their names are left out.
 */
export async function everyRow<const Row>(
  rows: readonly Row[],
  check: (row: Row) => unknown,
  nameOf: (row: Row) => string = nameOfRow,
): Promise<void> {
  expect(rows.length, "the table has rows").toBeGreaterThan(0);
  const failing: string[] = [];
  let first: unknown;
  for (const row of rows) {
    if (process.platform === "win32" && nameOf(row).includes("(posix)")) continue;
    const before = expect.getState().assertionCalls;
    try {
      await check(row);
      if (expect.getState().assertionCalls === before) throw new Error("nothing is asserted");
    } catch (error) {
      first ??= error;
      failing.push(`${nameOf(row)}: ${firstLineOf(error)}`);
    }
  }
  try {
    expect(failing, `${failing.length} of ${rows.length} rows fail`).toEqual([]);
  } catch (error) {
    // The first row's own failure is shown below it, with its difference and its line.
    if (error instanceof Error) error.cause = first;
    throw error;
  }
}

function nameOfRow(row: unknown): string {
  if (typeof row === "string") return row;
  if (Array.isArray(row)) return nameOfRow(row[0]);
  if (typeof row === "object" && row !== null && "name" in row && typeof row.name === "string") return row.name;
  return JSON.stringify(row) ?? String(row);
}

function firstLineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "";
}
