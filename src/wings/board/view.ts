// The board as rows of a terminal. Pure: from the sessions, what the person has chosen, and the size.
import { endsAt } from "../../answers/questions.ts";
import { quoteMark } from "../../model/answer.ts";
import { ageOf } from "../../sessions/waiting.ts";
import { describeRow, groupTitles, type BoardQuestion, type BoardRow, type Group } from "../../overview/board.ts";
import { describeNotifications } from "../../overview/notifications.ts";
import { describeMute } from "../../policies/mute.ts";
import { formatDuration, formatLocalMinute } from "../../model/figures/duration.ts";
import { formatTime } from "../../model/figures/wall-clock.ts";
import { cut, isPlain, printable, printableLine, shortenMiddle } from "../../model/text.ts";
import { lineOf, stateWords } from "../../sessions/describe.ts";
import { turnOf } from "../../sessions/state.ts";
import { cardRows } from "../../console/output/card-rows.ts";
import { renderTable } from "../../console/output/table.ts";
import { paint, widthOf, wrap } from "../../console/output/text.ts";
import { canChoose, howToReach, keysFor, keyTable, type Ui } from "./keys.ts";

export interface Look {
  columns: number;
  rows: number;
  isColor: boolean;
  nowMs: number;
  /** Such as "demo", at the end of the first row. */
  label?: string | undefined;
  /** What is wrong with the rules. */
  notice?: string | undefined;
}

export interface Drawn {
  rows: string[];
  /** The event of the question of which every row is on the screen. */
  wholeQuestion: string | undefined;
}

/** Where there is no room for more, this many sessions stay in view beside a long question. */
const minListRows = 4;
const minRowsForNotice = 12;
const minDetailRows = 4;

/** Exactly as many rows as the screen has. */
export function drawBoard(all: readonly BoardRow[], selected: BoardRow | undefined, ui: Ui, look: Look): Drawn {
  const { rows: height } = look;
  const head = [headRow(all, look), ...noticeRows(look)];
  const foot = footRows(all, selected, ui, look);
  const room = Math.max(1, height - head.length - foot.length);
  const fill = (rows: readonly string[]): string[] => [...rows, ...Array<string>(room).fill("")].slice(0, room);
  if (ui.mode.kind === "keys") return { rows: [...head, ...fill(keyRows(look)), ...foot], wholeQuestion: undefined };
  const detail = selected === undefined ? undefined : detailRows(selected, look, ui.mode.kind === "whole");
  if (ui.mode.kind === "whole" && detail !== undefined) {
    const { rows, isAll } = window(detail.rows, ui.mode.from, room);
    return { rows: [...head, ...fill(rows), ...foot], wholeQuestion: isAll ? detail.question : undefined };
  }
  const list = listRows(all, selected, look);
  const headings = height < minRowsForNotice || all.length === 0 ? [] : [list.heading];
  const { lines } = list;
  const most = Math.max(minDetailRows, room - 1 - headings.length - Math.min(lines.length, minListRows));
  const below = detail === undefined ? [] : detail.rows.slice(0, most);
  const isAll = below.length === detail?.rows.length;
  const listRoom = Math.max(1, room - headings.length - below.length - 1);
  const from = Math.max(
    0,
    Math.min(all.findIndex((row) => row === selected) - Math.floor(listRoom / 2), lines.length - listRoom),
  );
  const shown = lines.slice(from, from + listRoom);
  if (!isAll && below.length > 0) below[below.length - 1] = paint(look, "bold", " … Space shows all of it");
  const body = [
    ...headings,
    ...shown,
    ...Array<string>(listRoom - shown.length).fill(""),
    rule(from, shown.length, all.length, look),
    ...below,
  ];
  const isWhole = isAll && body.length <= room;
  return { rows: [...head, ...fill(body), ...foot], wholeQuestion: isWhole ? detail?.question : undefined };
}

/** What `--once` prints: every session, and every question in full. */
export function printBoard(all: readonly BoardRow[], look: Omit<Look, "rows">): string {
  const whole = { ...look, rows: Infinity };
  const asking = all.filter(({ questions }) => questions.length > 0);
  const details = asking.flatMap((row) => ["", ...detailRows(row, whole, true).rows]);
  const { heading, lines } = listRows(all, undefined, whole);
  return [...noticeRows(whole), ...(all.length === 0 ? [] : [heading]), ...lines, ...details, ""]
    .map((row) => row.trimEnd())
    .join("\n");
}

const empty = " No session is open. hookbell board --demo shows what this looks like.";

function window(rows: readonly string[], from: number, room: number): { rows: string[]; isAll: boolean } {
  const start = Math.max(0, Math.min(from, rows.length - room));
  return { rows: rows.slice(start, start + room), isAll: rows.length <= room };
}

function headRow(all: readonly BoardRow[], look: Look): string {
  const counts = lineOf(all.map(({ record }) => record));
  const waits = all.some(({ group }) => group === "needsYou");
  const said = waits ? counts : ["nothing needs you", counts].filter(Boolean).join(", ");
  const left = ` ${said}`;
  const right = [look.label, formatLocalMinute(look.nowMs)].filter(Boolean).join("  ");
  const gap = look.columns - widthOf(left) - widthOf(right) - 1;
  const text = gap < 1 ? fit(left, look.columns) : `${left}${" ".repeat(gap)}${right}`;
  return paint(look, waits ? ["bold", "magenta"] : "bold", text);
}

function noticeRows({ notice, ...look }: Look): string[] {
  if (notice === undefined || look.rows < minRowsForNotice) return [];
  return wrapped(notice, look.columns - 2).map((line) => paint(look, ["bold", "red"], ` ${line}`));
}

/** Bold red and magenta can be read on light and dark terminals; green, yellow and cyan cannot on light ones. */
const styles: Partial<Readonly<Record<Group, ("bold" | "dim" | "magenta" | "red")[]>>> = {
  needsYou: ["bold", "magenta"],
  failed: ["bold", "red"],
  waitsForLimit: ["bold", "red"],
  unread: ["bold"],
  quiet: ["dim"],
  ended: ["dim"],
};

interface List {
  heading: string;
  /** One for each session, or what is said if there is none. */
  lines: string[];
}

function listRows(all: readonly BoardRow[], selected: BoardRow | undefined, look: Look): List {
  if (all.length === 0) return { heading: "", lines: [empty] };
  const column = (header: string, of: (row: BoardRow) => string): { header: string; cells: string[] } => ({
    header,
    cells: all.map(of),
  });
  const isNarrow = look.columns < narrowColumns;
  const placeRoom = Math.min(40, Math.max(12, Math.floor(look.columns * placeShare)));
  const [heading = "", ...lines] = renderTable(
    [
      column("State", stateOf),
      { ...column("For", ({ record }) => roughAge(look.nowMs - record.state.since)), isRight: true },
      // The end of the place tells sessions of one project apart.
      column("Session", ({ place, agentName }) => shortened(place === "" ? agentName : place, placeRoom)),
      ...(isNarrow ? [] : [column("Agent", ({ agentName }) => agentName)]),
      // It has the rest of the row, and is cut at its end.
      column("What", (row) => printableLine(whatOf(row, look.nowMs))),
    ],
    { columns: Infinity, isColor: false },
  ).split("\n");
  const drawn = all.map((row, index) => {
    const line = fit(lines[index] ?? "", look.columns - marker.length);
    const style = styles[row.group] ?? [];
    if (row !== selected) return `${" ".repeat(marker.length)}${paint(look, style, line)}`;
    const marked = `${marker}${line}`;
    return paint(look, ["inverse", ...style], `${marked}${" ".repeat(Math.max(0, look.columns - widthOf(marked)))}`);
  });
  const above = `${" ".repeat(marker.length)}${fit(heading, look.columns - marker.length)}`;
  return { heading: paint(look, "dim", above), lines: drawn };
}

/** In at most so many cells, of which most characters outside of ASCII may take two. */
function shortened(line: string, cells: number): string {
  if (widthOf(line) <= cells) return line;
  return shortenMiddle(line, isPlain(line.replace(narrowSigns, "")) ? cells : Math.floor(cells / 2), 1 / 2);
}

/** Punctuation of prose that every terminal draws in one cell. */
const narrowSigns = /[…·–—‘’“”]/g;

const marker = "▸ ";
/** A session's name gets this part of its row: what it asks needs more room. */
const placeShare = 3 / 10;
/** Below this, a session's own name and words need the agent's room. */
const narrowColumns = 96;

/** `41s`, `3m`, `2h`: a column of them is read at a glance. */
function roughAge(ms: number): string {
  return ageOf(ms).split(" ", 1)[0] ?? "";
}

function stateOf({ group, record }: BoardRow): string {
  if (group === "unread") return "done, new";
  return stateWords[record.state.kind];
}

function whatOf(row: BoardRow, nowMs: number): string {
  const what = describeRow(row, nowMs);
  return row.mute === undefined ? what : `[${describeMuted(row.mute, nowMs)}] ${what}`;
}

function describeMuted({ until }: NonNullable<BoardRow["mute"]>, nowMs: number): string {
  return until === undefined ? "muted" : `muted until ${formatTime(until, nowMs, undefined)}`;
}

function rule(from: number, shown: number, count: number, look: Look): string {
  const text = shown < count ? `─ ${from + 1} to ${from + shown} of ${count} ` : "";
  return paint(look, "dim", `${text}${"─".repeat(Math.max(0, look.columns - text.length))}`);
}

/** All about one session. `question` is the event of the question that is among the rows, if there is one. */
function detailRows(row: BoardRow, look: Look, isWhole: boolean): { rows: string[]; question: string | undefined } {
  const { record, agentName, place, questions, telling, mute, subagents } = row;
  const { state, folder, branch } = record;
  const wide = look.columns - 2;
  const age = ageOf(look.nowMs - state.since);
  const head = [place, agentName, `${groupTitles[row.group]} ${age === "now" ? age : `for ${age}`}`].filter(Boolean);
  const [question] = questions;
  const facts = [
    mute && describeMute(mute, look.nowMs).replace(/^/, "muted: "),
    question === undefined && subagents > 0
      ? `${subagents} ${subagents === 1 ? "subagent runs" : "subagents run"}`
      : undefined,
    question?.open === undefined ? [folder, branch].filter(Boolean).join(", ") : undefined,
  ];
  const body = question === undefined ? doingRows(row, look) : questionRows(row, question, look);
  const told = question === undefined ? telling : question.telling;
  const texts = [...facts, ...(told === undefined ? [] : describeNotifications(told, look.nowMs, isWhole))].map(
    (each) => printableLine(each ?? ""),
  );
  return {
    rows: [
      paint(look, "bold", fit(` ${printableLine(head.join(" · "))}`, look.columns)),
      ...body.map((each) => ` ${each}`),
      ...texts.filter(Boolean).flatMap((text) => wrapped(text, wide).map((line) => paint(look, "dim", ` ${line}`))),
    ],
    question: question?.event,
  };
}

function doingRows(row: BoardRow, look: Look): string[] {
  const { words, toolSince, record } = row;
  const columns = look.columns - 2;
  const { lastTool } = turnOf(record) ?? {};
  const lines = [
    record.lastPrompt === undefined || words === record.lastPrompt ? undefined : `prompt: ${record.lastPrompt}`,
    toolSince === undefined && lastTool !== undefined && words !== lastTool ? `last: ${lastTool}` : undefined,
    record.state.reason,
  ];
  return [
    ...(words === undefined ? [] : quotedLines(describeRow(row, look.nowMs), columns)),
    ...lines.flatMap((line) => (line === undefined ? [] : wrapped(printableLine(line), columns))),
  ];
}

/** Prose of one line, broken at blanks. */
function quotedLines(words: string, columns: number): string[] {
  return wrapped(printableLine(words), columns - quoteMark.length).map((line) => `${quoteMark}${line}`);
}

function questionRows(row: BoardRow, question: BoardQuestion, look: Look): string[] {
  const { open, ended, words, whyClosed } = question;
  const count = row.questions.length;
  const columns = look.columns - 2;
  const more = count > 1 ? [`1 of ${count} questions`] : [];
  if (open === undefined) {
    const how = ended ?? [howToReach(row), whyClosed].filter(Boolean).join(" ");
    return [
      ...(words === undefined ? [] : quoted(words, columns)),
      ...wrapped(printableLine([...more, how].join("; ")), columns),
    ];
  }
  const left = formatDuration(Math.max(0, endsAt(open.question) - look.nowMs));
  const note = [...more, ...(open.note === undefined ? [] : [open.note]), `${left} left to answer`].join("; ");
  return [
    ...(open.question.kind === "permission" ? [] : [printableLine(open.card.title)]),
    ...cardRows(open.card, columns),
    ...wrapped(printableLine(note), columns),
  ];
}

function quoted(words: string, columns: number): string[] {
  return cardRows({ body: printable(words).replaceAll("\t", "  ").replace(/^/gm, quoteMark), fields: [] }, columns);
}

/** Wraps at blanks, and words that are longer than a row anywhere. */
function wrapped(text: string, columns: number): string[] {
  return wrap(text, columns)
    .split("\n")
    .map((line) => fit(line, columns));
}

/** One row, or more for what an act says where it is longer. */
function footRows(all: readonly BoardRow[], selected: BoardRow | undefined, ui: Ui, look: Look): string[] {
  if (ui.mode.kind === "reply") {
    const what = selected && canChoose(selected, "reply") ? "reply" : "deny and say why";
    const head = ` ${what} (enter: send, esc: back): `;
    const room = look.columns - head.length - 2;
    let shown = ui.mode.text.replaceAll("\n", "⏎");
    while (widthOf(shown) > room) shown = shown.slice(Math.max(1, Math.ceil((widthOf(shown) - room) / 2)));
    return [`${paint(look, "bold", head)}${shown}${paint(look, "inverse", look.isColor ? " " : "_")}`];
  }
  if (ui.says !== undefined) {
    const lines = wrapped(printableLine(ui.says), look.columns - 1).slice(0, Math.max(1, Math.min(3, look.rows - 5)));
    return lines.map((line) => paint(look, "bold", ` ${line}`));
  }
  const keys = all.length === 0 ? keysFor(undefined, ui) : keysFor(selected, ui);
  const widthFor = (some: readonly { key: string; does: string }[]): number =>
    some.reduce((sum, { key, does }) => sum + widthOf(key) + widthOf(does) + 3, 0);
  // The keys for help and for the way out stay.
  while (widthFor(keys) > look.columns && keys.length > 2) keys.splice(-3, 1);
  return [` ${keys.map(({ key, does }) => `${paint(look, "bold", key)} ${does}`).join("  ")}`];
}

function keyRows(look: Look): string[] {
  const width = Math.max(...keyTable.map(([key]) => widthOf(key)));
  const rows = keyTable.flatMap(([key, does]) => {
    const lines = wrap(does, look.columns - width - 4).split("\n");
    return lines.map((line, index) => ` ${paint(look, "bold", (index === 0 ? key : "").padEnd(width))}  ${line}`);
  });
  return ["", ...rows];
}

function fit(text: string, columns: number): string {
  return cut(text, columns, widthOf);
}
