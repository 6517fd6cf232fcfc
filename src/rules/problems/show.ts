// Prints problems of a rules file with the lines they are on.
import { styleText } from "node:util";
import type { Problem } from "../../model/errors.ts";
import { printable, printableLine } from "../../model/text.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { lineAround, positionOf } from "../../jsonc/position.ts";

export interface ProblemSource {
  text: string;
  /** The file's name in front of each problem. */
  file: string;
  isColor: boolean;
  /** The file's lines are cut to this width around the position. */
  columns?: number | undefined;
}

const defaultColumns = 100;
const tab = "  ";
const indent = "  ";

/** Each problem as `file:line:col  message`, the line with a caret under the position, and the fix. */
export function showProblems(problems: readonly Problem[], source: ProblemSource): string {
  // A shown line may contain another setting's secret.
  const text = maskSecrets(source.text);
  return problems.map((problem) => showProblem(problem, text, source)).join("\n");
}

function showProblem(
  problem: Problem,
  text: string,
  { file, isColor, columns = defaultColumns }: ProblemSource,
): string {
  const paint = (style: "bold" | "red" | "yellow" | "dim", plain: string): string =>
    isColor ? styleText(style, plain, { validateStream: false }) : plain;
  const isWarning = problem.severity === "warning";
  const color = isWarning ? "yellow" : "red";
  const { line, column } = positionOf(text, problem.offset ?? 0);
  const message = `${isWarning ? "warning: " : ""}${printableLine(problem.message)}`;
  const lines = [`${paint("bold", `${file}:${line}:${column}`)}  ${paint(color, message)}`];
  if (problem.offset !== undefined) {
    const { shown, caretAt, caretLength } = cutAround(text, problem.offset, problem.length ?? 1, columns);
    if (shown.trim() !== "") {
      lines.push(`${indent}${shown}`, `${indent}${" ".repeat(caretAt)}${paint(color, "^".repeat(caretLength))}`);
    }
  }
  if (problem.hint !== undefined) lines.push(`${indent}${paint("dim", printableLine(problem.hint))}`);
  return `${lines.join("\n")}\n`;
}

/** The part of a line around a position; widths in terminal columns. */
function cutAround(
  text: string,
  offset: number,
  length: number,
  columns: number,
): { shown: string; caretAt: number; caretLength: number } {
  const room = Math.max(20, columns - indent.length);
  const line = lineAround(text, offset, 4 * room);
  const cells = Array.from(line.text, toCell);
  const index = Array.from(line.text.slice(0, line.index)).length;
  const marked = Array.from(line.text.slice(line.index, line.index + length)).length;
  const widths = cells.map(widthOfCell);
  const widthOf = (from: number, to: number): number => widths.slice(from, to).reduce((sum, width) => sum + width, 0);
  let from = 0;
  let to = cells.length;
  if (line.isCutBefore || line.isCutAfter || widthOf(0, to) > room) {
    // A third of the room is before the position; two columns are for the ellipses.
    from = Math.max(0, Math.min(index - Math.floor(room / 3), cells.length - room + 2));
    to = from;
    for (let used = 0; to < cells.length; to += 1) {
      used += widths[to] ?? 0;
      if (used > room - 2 && to > from) break;
    }
  }
  const before = from > 0 || line.isCutBefore ? "…" : "";
  const after = to < cells.length || line.isCutAfter ? "…" : "";
  const shown = before + cells.slice(from, to).join("") + after;
  const caretAt = before.length + widthOf(from, index);
  const end = Math.min(to, index + marked);
  return { shown: shown.trimEnd(), caretAt, caretLength: Math.max(1, widthOf(index, end)) };
}

function toCell(character: string): string {
  if (character === "\t") return tab;
  return printable(character) === character ? character : "\uFFFD";
}

/** East Asian characters and emoji take two columns, combining marks none. */
function widthOfCell(cell: string): number {
  if (cell === tab) return tab.length;
  if (cell <= "~") return 1;
  if (/^\p{Mn}$/u.test(cell)) return 0;
  return /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Emoji_Presentation}]$/u.test(cell) ? 2 : 1;
}
