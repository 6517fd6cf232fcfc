// What a test with real agents measured, kept in a JSON file from which `npm run generate` makes a table of the documents.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Takes the place of the earlier figure of the same key. `order` has all keys. Does nothing without `RECORD_FIGURES=1`. */
export function keepFigure<T>(file: URL, figure: T, keyOf: (each: T) => string, order: readonly string[]): void {
  if (process.env.RECORD_FIGURES !== "1") return;
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T[]) : [];
  const all = [...known.filter((each) => keyOf(each) !== keyOf(figure)), figure]
    .filter((each) => order.includes(keyOf(each)))
    .toSorted((a, b) => order.indexOf(keyOf(a)) - order.indexOf(keyOf(b)));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
