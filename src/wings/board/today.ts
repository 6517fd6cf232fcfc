// `hookbell board --today`: the day of each project as a strip of characters.
import { quarters, type Day, type ProjectDay } from "../../overview/day.ts";
import { printableLine } from "../../model/text.ts";
import { renderTable } from "../../console/output/table.ts";
import { paint } from "../../console/output/text.ts";

type Screen = { columns: number; isColor: boolean };

/** One character for half an hour where the project's name and counts have room beside it, else for an hour. */
const wideColumns = 110;
const marks = { failures: "x", questions: "?", turns: "-" } as const;
const meaning = "- a turn ended   ? a question waited   x something failed";

/** One row for each project, under the hours of the day. */
export function printDay({ projects }: Day, screen: Screen): string {
  if (projects.length === 0) return "nothing has happened today\n";
  const cells = screen.columns >= wideColumns ? 48 : 24;
  const table = renderTable(
    [
      { header: "Today", cells: projects.map(({ project }) => printableLine(project)), minWidth: 12, isKey: false },
      { header: hoursOver(cells), cells: projects.map((day) => stripOf(day, cells)) },
      { header: "", cells: projects.map(({ summary }) => summary), omit: 1 },
    ],
    screen,
  );
  return `${table}\n${paint(screen, "dim", meaning)}\n`;
}

/** `0     6     12    18    `; every third hour where there is room. */
function hoursOver(cells: number): string {
  const step = cells === 24 ? 6 : 3;
  const hours = Array.from({ length: 24 / step }, (_, index) => index * step);
  return hours.map((hour) => String(hour).padEnd(cells / hours.length)).join("");
}

/** Each cell has the worst that happened in its time. */
function stripOf(day: ProjectDay, cells: number): string {
  const size = quarters / cells;
  return Array.from({ length: cells }, (_, cell) => {
    const has = (kind: keyof typeof marks): boolean =>
      day[kind].slice(cell * size, (cell + 1) * size).some((count) => count > 0);
    return has("failures") ? marks.failures : has("questions") ? marks.questions : has("turns") ? marks.turns : "·";
  }).join("");
}
