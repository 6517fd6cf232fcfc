// `hookbell replay`: shows what would have been sent under other rules, beside what was sent.
import { openRules } from "../../dispatch/current-rules.ts";
import { compare, type Comparison, type Difference, type Figures } from "../../dispatch/replay/compare.ts";
import { type Replayed, replayJournal } from "../../dispatch/replay/run.ts";
import { agentName } from "../../agents/index.ts";
import { exitCodes, type ExitCode, usageError, UserError } from "../../model/errors.ts";
import { formatDuration, formatLocalTime, parseDuration } from "../../model/figures/duration.ts";
import { printableLine } from "../../model/text.ts";
import { listJournal } from "../../outbox/journal.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { renderTable } from "../console/table.ts";
import { jsonLine, paint, wrapping } from "../console/text.ts";
import { inspectCommands } from "../help/inspect.ts";
import { goodRules, requireRulesFile } from "../pipeline/load-rules.ts";

const usualSince = "7d";
/** More differences are in `--json`. */
const maxShown = 20;

interface Report extends Comparison {
  from: number;
  to: number;
  replayed: Pick<Replayed, "presenceSince" | "wholeSince" | "events">;
}

export async function replay(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, inspectCommands.replay.flags, 0);
  const to = io.clock.now();
  const since = values.since ?? usualSince;
  const from = to - readSince(since);
  const layout = layoutOf(io.places.stateDir);
  requireRulesFile(values.rules, "--rules");
  // Opened without the state folder, the rules leave no copy there.
  const { stuckAfterMs, quietHours } = (await openRules(io.places.rulesFile, undefined)).rules().rules;
  const file = values.rules ?? io.places.rulesFile;
  const rules = goodRules(await openRules(file, undefined), values.rules, io);
  if (listJournal(layout).length === 0) throw nothingThere("the journal is empty");
  const { places, platform } = io;
  const replayed = await replayJournal({
    layout,
    span: { from, to },
    rules,
    stuckAfterMs,
    home: places.home,
    platform,
  });
  if (replayed.events === 0) throw nothingThere(`the journal has no event of the last ${formatDuration(to - from)}`);
  const report = { from, to, replayed, ...compare(replayed.was, replayed.wouldBe, quietHours) };
  if (values.json === true) io.stdout(jsonLine(asJson(report)));
  else wrapping(io).stdout(show(report, values.rules, io));
  return exitCodes.done;
}

function nothingThere(why: string): UserError {
  const hint = "hookbell log --all shows what it has";
  return new UserError("journal.empty", `there is nothing to replay: ${why}`, { hint, exitCode: exitCodes.badInput });
}

function readSince(text: string): number {
  const span = parseDuration(text);
  if (span !== undefined && span > 0) return span;
  throw usageError(
    "replay",
    `${JSON.stringify(text)} is not a duration`,
    "hookbell replay --since 7d --rules new.jsonc",
  );
}

function asJson({ from, to, replayed, differences, ...figures }: Report): Record<string, unknown> {
  const iso = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : new Date(ms).toISOString();
  const { presenceSince, wholeSince, events } = replayed;
  return {
    from: iso(from),
    to: iso(to),
    events,
    presenceSince: iso(presenceSince),
    wholeSince: iso(wholeSince),
    ...figures,
    differences: differences.map((each) => ({ ...each, at: iso(each.at) })),
  };
}

function show(
  { from, to, replayed, was, wouldBe, differences }: Report,
  rulesFile: string | undefined,
  io: CommandIo,
): string {
  const these = rulesFile === undefined ? "your rules as they are now" : "these rules";
  const headline = `${was.notifications} notifications in the last ${formatDuration(to - from)}; ${these}: ${wouldBe.notifications}; ${latest(wouldBe)}.`;
  const parts = [`${paint(io, "bold", headline)}\n`, showDays(was, wouldBe, io), showFigures(was, wouldBe, io)];
  parts.push(showDifferences(differences, io));
  for (const note of notesOf(replayed, from)) parts.push(`${paint(io, "dim", note)}\n`);
  return parts.join("\n");
}

function latest({ questions: { asked, told, latestMs } }: Figures): string {
  if (asked === 0) return "no session asked a question";
  if (told === 0 || latestMs === undefined) return "no question told";
  return `no question later than ${formatDuration(Math.ceil(latestMs / 1000) * 1000)}`;
}

function showDays(was: Figures, wouldBe: Figures, io: CommandIo): string {
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

function showFigures(was: Figures, wouldBe: Figures, io: CommandIo): string {
  const duration = (ms: number | undefined): string => (ms === undefined ? "-" : formatDuration(ms));
  const rows: [string, (of: Figures) => string][] = [
    ["Questions asked", ({ questions }) => String(questions.asked)],
    ["Questions told", ({ questions }) => String(questions.told)],
    ["Told after, half of them", ({ questions }) => duration(questions.medianMs)],
    ["Told after, the latest", ({ questions }) => duration(questions.latestMs)],
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
  const { at, channel, about } = difference;
  const { agent, project, event, words } = about;
  const what = [agent === undefined ? undefined : agentName(agent), project, event, words];
  const told = what.filter((each) => each !== undefined && each !== "").join(" · ");
  return printableLine(`${formatLocalTime(at)}  ${changeOf(difference)}  ${channel}  ${told}`);
}

function changeOf({ what, laterMs = 0 }: Difference): string {
  if (what === "more") return "new    ";
  if (what === "less") return "gone   ";
  return `${formatDuration(Math.abs(laterMs))} ${laterMs > 0 ? "later" : "earlier"}`;
}

/** What was not recorded, so that the replay had to assume it. */
function notesOf({ presenceSince, wholeSince }: Report["replayed"], from: number): string[] {
  const notes: string[] = [];
  if (presenceSince === undefined) {
    notes.push("Where you were is not recorded, because no rule asked; you count as away.");
  } else if (presenceSince > from) {
    notes.push(`Presence is recorded since ${formatLocalTime(presenceSince)}; before, you count as away.`);
  }
  if (wholeSince === undefined || wholeSince > from + oneDayMs) {
    const since = wholeSince === undefined ? "not yet" : `since ${formatLocalTime(wholeSince)}`;
    notes.push(`Events are recorded in full ${since}; before, repeated reports are left out as they were was.`);
  }
  return notes;
}

const oneDayMs = 24 * 60 * 60_000;
