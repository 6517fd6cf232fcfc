// Prints a table that fits the terminal: cuts long texts, drops the least important columns, and adds bars if there is room.
// The first column says whose a row is, so it is cut only when nothing else is left to cut or to drop.
import getTruncatedWidth from "fast-string-truncated-width";
import { printableLine } from "../../model/text.ts";
import { paint, reportColumns, type ReportIo, widthOf, wrap } from "./text.ts";

/** `texts` has one item per row; the footer is printed below a line. */
export interface Column {
  header: string;
  cells: readonly string[];
  footer?: string;
  isRight?: boolean;
  /** Texts may be cut to this many characters. */
  minWidth?: number;
  /** For the first column: it is cut like any other, since each row is known by its beginning. */
  isKey?: false;
  /** Columns with the highest number are dropped first. A column without a number stays. */
  omit?: number;
  /** A bar for each value replaces the texts. `barMax` fills the column. */
  bars?: readonly number[];
  barMax?: number;
  /** The texts are hookbell's own drawings, whose blanks mean something. */
  isDrawn?: true;
}

const gap = "  ";
const ellipsis = "…";
const minBarWidth = 6;
const maxBarWidth = 30;
/** A first column that names no width of its own is cut to this. */
const minKeyWidth = 8;

/** A command's io, below whose table stands which columns did not fit; or a place of this width on a screen that is drawn. */
export type TableScreen = ({ columns: number } | ReportIo) & { isColor: boolean };

/** What did not fit: the headers of the columns that were dropped, and how wide a screen would have to be for all of them. */
export interface LeftOut {
  headers: Set<string>;
  columns: number;
}

/**
 * The table's lines, each as wide as the screen at most, if possible. Where several tables have one sentence about what was
 * dropped, it is added to `leftOut` instead, for `describeLeftOut`.
 */
export function renderTable(all: readonly Column[], io: TableScreen, leftOut?: LeftOut): string {
  const dropped = leftOut ?? { headers: new Set<string>(), columns: 0 };
  const table = layOut(all, io, dropped);
  return leftOut === undefined && "isTerminal" in io ? table + describeLeftOut(dropped, io) : table;
}

function layOut(all: readonly Column[], io: TableScreen, leftOut: LeftOut): string {
  const clean = all.map((column) => ({
    ...column,
    cells: column.isDrawn === true ? column.cells : column.cells.map(printableLine),
    footer: column.footer === undefined ? undefined : printableLine(column.footer),
  }));
  const fitted = fit(clean, "isTerminal" in io ? reportColumns(io) : io.columns);
  noteLeftOut(clean, fitted, leftOut);
  const rowCount = Math.max(...clean.map(({ cells, bars }) => (bars ?? cells).length));
  const line = (textOf: (column: FittedColumn) => string): string =>
    fitted
      .map((column) => pad(textOf(column), column.width, column.isRight ?? false))
      .join(gap)
      .trimEnd();
  const lines = [
    paint(
      io,
      "bold",
      line(({ header }) => header),
    ),
  ];
  for (let row = 0; row < rowCount; row += 1) lines.push(line((column) => cellOf(column, row)));
  if (clean.some(({ footer }) => footer !== undefined)) {
    lines.push(
      paint(
        io,
        "dim",
        line(({ width }) => "─".repeat(width)),
      ),
    );
    lines.push(
      paint(
        io,
        "bold",
        line(({ footer = "" }) => footer),
      ),
    );
  }
  return `${lines.join("\n")}\n`;
}

type FittedColumn = Column & { width: number };

/** Bars only repeat a column. */
function noteLeftOut(all: readonly Column[], fitted: readonly FittedColumn[], leftOut: LeftOut): void {
  const columns = all.filter(({ bars }) => bars === undefined);
  const dropped = columns.filter(({ cells }) => !fitted.some((column) => column.cells === cells));
  for (const { header } of dropped) leftOut.headers.add(header);
  const natural = columns.reduce((sum, column) => sum + naturalWidth(column), gap.length * (columns.length - 1));
  if (dropped.length > 0) leftOut.columns = Math.max(leftOut.columns, natural);
}

function fit(all: readonly Column[], available: number): FittedColumn[] {
  const columns = all
    .filter(({ bars }) => bars === undefined)
    .map((column) => ({ ...column, width: naturalWidth(column), source: column }));
  const excess = (): number =>
    columns.reduce((sum, { width }) => sum + width, 0) + gap.length * (columns.length - 1) - available;
  while (excess() > 0) {
    const [key, ...others] = columns;
    const cuttable = (key?.isKey === false ? columns : others).filter(
      ({ width, minWidth = width }) => width > minWidth,
    );
    const room = cuttable.reduce((sum, { width, minWidth = width }) => sum + width - minWidth, 0);
    const [least] = others.filter(({ omit }) => omit !== undefined).toSorted((a, b) => (b.omit ?? 0) - (a.omit ?? 0));
    if (room < excess() && least !== undefined) {
      columns.splice(columns.indexOf(least), 1);
      continue;
    }
    const widest = cuttable.toSorted((a, b) => b.width - a.width)[0] ?? key;
    const narrowest = widest?.minWidth ?? minKeyWidth;
    if (widest === undefined || widest.width <= narrowest) break;
    widest.width = Math.max(narrowest, widest.width - excess());
  }
  const barWidth = Math.min(maxBarWidth, -excess() - gap.length);
  return all.flatMap((column) => {
    if (column.bars !== undefined) return barWidth < minBarWidth ? [] : [{ ...column, width: barWidth }];
    return columns.find(({ source }) => source === column) ?? [];
  });
}

/** A sentence for below the tables; empty if nothing was dropped. */
export function describeLeftOut({ headers, columns }: LeftOut, io: ReportIo): string {
  if (headers.size === 0) return "";
  const sentence = `Columns left out: ${[...headers].join("; ")}. To see all, set COLUMNS=${columns}, or append | cat`;
  return `${wrap(sentence, reportColumns(io))}\n`;
}

/** The cells that it takes where nothing is cut. */
export function naturalWidth({ header, cells, footer = "" }: Column): number {
  return [header, ...cells, footer].reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

function cellOf(column: FittedColumn, row: number): string {
  if (column.bars === undefined) return column.cells[row] ?? "";
  return bar(column.bars[row] ?? 0, column.barMax ?? Math.max(...column.bars), column.width);
}

function pad(text: string, width: number, isRight: boolean): string {
  const shown = cutToWidth(text, width);
  const blanks = " ".repeat(Math.max(0, width - widthOf(shown)));
  return isRight ? blanks + shown : shown + blanks;
}

function cutToWidth(text: string, width: number): string {
  const { index, truncated, ellipsed } = getTruncatedWidth(text, { limit: width, ellipsis, ellipsisWidth: 1 });
  return truncated ? `${text.slice(0, index)}${ellipsed ? ellipsis : ""}` : text;
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** The bar has at most `width` characters. Anything above zero is visible. */
function bar(value: number, max: number, width: number): string {
  if (value <= 0 || max <= 0) return "";
  const units = Math.max(1, Math.round((Math.min(value, max) / max) * width * 8));
  return "█".repeat(Math.floor(units / 8)) + (eighths[units % 8] ?? "");
}
