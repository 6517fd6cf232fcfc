// What a replay found, as text and as JSON.
import type { Comparison, Difference } from "./compare.ts";
import type { ReplayFigures, ReplayReport } from "./report.ts";
import type { Replayed } from "./run.ts";
import { agentName } from "../../agents/index.ts";
import { withChange } from "../../model/figures/numbers.ts";
import { formatDuration, formatLocalTime } from "../../model/figures/duration.ts";
import { printableLine } from "../../model/text.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { renderTable } from "../../console/output/table.ts";
import { paint } from "../../console/output/text.ts";

/** More differences are in `--json`. */
const maxShown = 20;

interface Found extends Comparison {
  from: number;
  to: number;
  replayed: Pick<Replayed, "presenceSince" | "olderUntil" | "events">;
  /** The replayed rules are not the rules that apply. */
  isOther: boolean;
}

export function reportOf(found: Found): ReplayReport {
  const { from, to, replayed, was, wouldBe, differences, questions } = found;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const { presenceSince, olderUntil, events } = replayed;
  return {
    headline: headlineOf(found),
    from: iso(from),
    to: iso(to),
    events,
    notes: notesOf(replayed, from),
    presenceSince: presenceSince === undefined ? undefined : iso(presenceSince),
    olderUntil: olderUntil === undefined ? undefined : iso(olderUntil),
    was,
    wouldBe,
    differences: differences.map((each) => ({ ...each, at: iso(each.at), text: textOf(each) })),
    questions: questions.map(({ at, wasMs, wouldBeMs, ...each }) => ({
      at: iso(at),
      text: textOf(each),
      wasMs,
      wouldBeMs,
    })),
  };
}

export function showFound(found: Found, io: CommandIo): string {
  const { was, wouldBe, differences, replayed, from } = found;
  const parts = [
    `${paint(io, "bold", headlineOf(found))}\n`,
    showDays(was, wouldBe, io),
    showFigures(was, wouldBe, io),
  ];
  parts.push(showDifferences(differences, io));
  for (const note of notesOf(replayed, from)) parts.push(`${paint(io, "dim", note)}\n`);
  return parts.join("\n");
}

function headlineOf({ from, to, was, wouldBe, isOther }: Found): string {
  const these = isOther ? "these rules" : "your rules as they are now";
  const now = withChange(wouldBe.notifications, was.notifications);
  const lost = was.notArrived === 0 ? "" : ` (${was.notArrived} did not arrive)`;
  return `${was.notifications} notifications in the last ${formatDuration(to - from)}${lost}; ${these}: ${now}; ${latest(wouldBe)}.`;
}

function latest({ questions: { asked, notified, latestMs } }: ReplayFigures): string {
  if (asked === 0) return "no session asked a question";
  if (notified === 0 || latestMs === undefined) return "no question was sent";
  if (latestMs < 1000) return "every question was sent at once";
  return `no question waited longer than ${formatDuration(Math.ceil(latestMs / 1000) * 1000)}`;
}

function showDays(was: ReplayFigures, wouldBe: ReplayFigures, io: CommandIo): string {
  const days = [...new Set([...Object.keys(was.perDay), ...Object.keys(wouldBe.perDay)])].sort();
  const rows = days.flatMap((day) => {
    const [before = {}, after = {}] = [was.perDay[day], wouldBe.perDay[day]];
    const channels = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return channels.map((channel) => ({ day, channel, before: before[channel] ?? 0, after: after[channel] ?? 0 }));
  });
  return renderTable(
    [
      { header: "Day", cells: rows.map(({ day }) => day) },
      { header: "Channel", cells: rows.map(({ channel }) => channel), minWidth: 8 },
      {
        header: "Was",
        cells: rows.map(({ before }) => String(before)),
        isRight: true,
        footer: String(was.notifications),
      },
      {
        header: "Would be",
        cells: rows.map(({ after }) => String(after)),
        isRight: true,
        footer: String(wouldBe.notifications),
      },
    ],
    io,
  );
}

function showFigures(was: ReplayFigures, wouldBe: ReplayFigures, io: CommandIo): string {
  const duration = (ms: number | undefined): string => (ms === undefined ? "-" : formatDuration(ms));
  const rows: [string, (of: ReplayFigures) => string][] = [
    ["Questions asked", ({ questions }) => String(questions.asked)],
    ["Questions sent", ({ questions }) => String(questions.notified)],
    ["Median delay of questions", ({ questions }) => duration(questions.medianMs)],
    ["Longest delay of a question", ({ questions }) => duration(questions.latestMs)],
    ["Notifications at night", ({ atNight }) => String(atNight)],
  ];
  return renderTable(
    [
      { header: "", cells: rows.map(([name]) => name) },
      { header: "Was", cells: rows.map(([, of]) => of(was)), isRight: true },
      { header: "Would be", cells: rows.map(([, of]) => of(wouldBe)), isRight: true },
    ],
    io,
  );
}

function showDifferences(differences: readonly Difference[], io: CommandIo): string {
  if (differences.length === 0) return "0 differences: the same notifications at the same times\n";
  const count = differences.length === 1 ? "1 difference" : `${differences.length} differences`;
  const shown = differences.slice(-maxShown);
  const left = differences.length - shown.length;
  const title = left === 0 ? `${count}:` : `${count}; the newest ${shown.length} (all: --json):`;
  return `${paint(io, "bold", title)}\n${shown.map((each) => `  ${lineOf(each)}\n`).join("")}`;
}

function lineOf(difference: Difference): string {
  return `${formatLocalTime(difference.at)}  ${changeOf(difference)}  ${printableLine(difference.channel)}  ${textOf(difference)}`;
}

function textOf({ about: { agent, project, event, words } }: Pick<Difference, "about">): string {
  const what = [agent === undefined ? undefined : agentName(agent), project, event, words];
  return printableLine(what.filter((each) => each !== undefined && each !== "").join(" · "));
}

function changeOf({ what, laterMs = 0 }: Difference): string {
  if (what === "more") return "new    ";
  if (what === "less") return "gone   ";
  return `${formatDuration(Math.abs(laterMs))} ${laterMs > 0 ? "later" : "earlier"}`;
}

/** What was not recorded, so that the replay had to assume it. */
function notesOf({ presenceSince, olderUntil }: Found["replayed"], from: number): string[] {
  const notes = [
    "Every receiver counts as reachable: what did not arrive counts as sent; retries and fallbacks are left out on both sides.",
  ];
  if (olderUntil !== undefined) {
    notes.push(
      `The journal up to ${formatLocalTime(olderUntil)} was written by an older version of hookbell: in that part you count as away, and a report counts as a repeat if it did then.`,
    );
  }
  if (presenceSince === undefined) {
    notes.push("Where you were is not recorded, because no rule asked; you count as away.");
  } else if (presenceSince > Math.max(from, olderUntil ?? 0)) {
    notes.push(`No rule asked where you were before ${formatLocalTime(presenceSince)}; until then, you count as away.`);
  }
  return notes;
}
