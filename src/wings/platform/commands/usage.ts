// `hookbell usage`: prints the organization's figures, or this machine's, as tables, JSON or CSV.
import { type ExitCode, exitCodes, messageOf, usageError, UserError } from "../../../model/errors.ts";
import { formatNumber } from "../../../model/figures/numbers.ts";
import { type DateRange, isDate, utcDate } from "../contract/dates.ts";
import type { Artifact } from "../client/tidy.ts";
import { suggest } from "../../../rules/nearest.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { createCsv, writeCsv } from "../../../console/output/csv.ts";
import { createProgress } from "../../../console/output/progress.ts";
import { renderTable } from "../../../console/output/table.ts";
import { jsonLine, paint, reportColumns, wrap } from "../../../console/output/text.ts";
import { calendarOf, spans, type UsageSpan } from "../figures/calendar.ts";
import { csvColumns } from "../figures/columns.ts";
import { periodColumns, periodRows } from "../figures/period-rows.ts";
import { previousPeriod, readPeriod } from "../figures/period.ts";
import { planOf, type UsageReport } from "../figures/report.ts";
import { isBeforeCounting, isEmptyRow } from "../figures/rows.ts";
import { createTally, type Tally } from "../figures/tally.ts";
import { type UsageName, usageNames, usageViews } from "../figures/views.ts";
import { platformCommands } from "../help.ts";
import { findPlatformClient, readSettings } from "./open-client.ts";
import { readFormat } from "./output.ts";
import { readTimeZone, type TimeZone, utc } from "./time-zone.ts";
import {
  type LoadPages,
  type Page,
  pagesOfPlatform,
  type UsageMeta,
  type Wanted,
  withTranscripts,
} from "./usage-source.ts";
import { showReport } from "./usage-table.ts";

/** What is printed of which days. */
interface Asked extends Wanted {
  range: DateRange;
  by: UsageSpan | undefined;
  top: number | undefined;
  zone: TimeZone;
  isLocal: boolean;
}

/** What a person asks first. */
const usualName: UsageName = "tokens";

export async function usage(args: string[], given: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, platformCommands.usage.flags, 1);
  const name = readName(positionals[0] ?? usualName);
  const format = readFormat(values.format, values.json);
  const by = values.by === undefined ? undefined : readSpan(values.by);
  const top = values.top === undefined ? undefined : readTop(values.top);
  if (top !== undefined && format !== "table") {
    throw usageError("top", `--top contradicts --format ${format}`, "it is for tables; CSV and JSON have every row");
  }
  const progress = createProgress(given);
  const { io } = progress;
  const settings = await readSettings(io, values.config);
  const client = await findPlatformClient(io, settings);
  const isLocal = client === undefined;
  const zone = isLocal ? readTimeZone(values.timezone ?? settings.timezone ?? "utc") : platformDays(values.timezone);
  const range = readPeriod(values.from, values.to, utcDate(zone.wallMs(io.clock.now())), isLocal);
  const isSoFar = values.to === "today";
  const wanted: Wanted = { name, groupBy: values["group-by"], isSoFar, isClean: values.clean === true };
  const asked: Asked = { ...wanted, range, by, top, zone, isLocal };
  const isComparable = format === "table" && isDate(range.startDate) && isDate(range.endDate);
  const earlier = isComparable ? previousPeriod(range) : undefined;
  const print = async (load: LoadPages): Promise<void> => {
    if (format === "table") await printTables(asked, earlier, load, io);
    else if (by !== undefined) await printPeriods(asked, format, load, io);
    else await (format === "json" ? printJson : printCsv)(asked, load, io);
  };
  try {
    if (client !== undefined) await print(pagesOfPlatform(client, wanted, progress));
    else {
      progress.show("reading the transcripts of this machine ...");
      await withTranscripts(io, { firstDate: (earlier ?? range).startDate, zone }, wanted, print);
    }
  } finally {
    progress.end();
  }
  if (positionals[0] === undefined && format === "table") {
    const others = usageNames.filter((each) => each !== usualName);
    io.stdout(`\n${wrap(`More: hookbell usage ${others.join(" | ")}`, reportColumns(io))}\n`);
  }
  return exitCodes.done;
}

/** The platform's rule, which no setting changes. */
function platformDays(timezone: string | undefined): TimeZone {
  if (timezone === undefined || readTimeZone(timezone) === utc) return utc;
  throw usageError(
    "timezone",
    "a platform counts by UTC days",
    "leave out --timezone: it is for the figures of this machine",
  );
}

async function printTables(
  asked: Asked,
  earlier: DateRange | undefined,
  load: LoadPages,
  io: CommandIo,
): Promise<void> {
  const { name, groupBy, range, by, top, isLocal } = asked;
  const isGrouped = groupBy !== undefined;
  const plan = planOf(name, isGrouped, 1);
  const { tally: now, last, isEmpty } = await tallyOf(load, range, () => createTally(plan, calendarOf(range, by)));
  let before: Tally | undefined;
  try {
    before = earlier && (await tallyOf(load, earlier, () => createTally(plan, calendarOf(earlier)))).tally;
  } catch (error) {
    if (!(error instanceof UserError) || io.untilStopped().aborted) throw error;
    io.stderr(`hookbell: there is no comparison with the days before: ${messageOf(error)}\n`);
  }
  const report: UsageReport = { name, isGrouped, now, before };
  io.stdout(heading(asked, last.meta, io));
  io.stdout(showReport(report, io, top) + showArtifacts(last.artifacts ?? [], io));
  io.stdout(explain(last.meta, { name, isLocal, isEmpty, range, zone: asked.zone }, io));
}

interface Counted {
  tally: Tally;
  /** The last page, with what is true of all. */
  last: Page;
  isEmpty: boolean;
}

/** The tally is made when the first page is there: what the service refuses may be no range at all. */
async function tallyOf(load: LoadPages, days: DateRange, create: () => Tally): Promise<Counted> {
  let tally: Tally | undefined;
  let last: Page = { data: [], meta: { org_id: "" } };
  let isEmpty = true;
  for await (const page of load(days)) {
    tally ??= create();
    last = page;
    for (const row of page.data) {
      if (isBeforeCounting(row, page.meta.counted_since)) continue;
      if (isEmpty) isEmpty = isEmptyRow(row);
      tally.add(row);
    }
  }
  return { tally: tally ?? create(), last, isEmpty };
}

async function printJson({ range }: Asked, load: LoadPages, io: CommandIo): Promise<void> {
  let isFirst = true;
  let rest: object = {};
  for await (const { data, ...more } of load(range)) {
    const rows = jsonLine(data).trimEnd().slice(1, -1);
    io.stdout(isFirst ? `{"data":[${rows}` : rows === "" ? "" : `,${rows}`);
    isFirst = false;
    rest = more;
  }
  io.stdout(`],${jsonLine(rest).slice(1)}`);
}

async function printCsv({ name, groupBy, range }: Asked, load: LoadPages, io: CommandIo): Promise<void> {
  const write = createCsv(csvColumns(name, groupBy !== undefined));
  for await (const { data } of load(range)) io.stdout(write(data));
}

/** Under --by, rows are hookbell's own sums, not what the service has sent. */
async function printPeriods(asked: Asked, format: "json" | "csv", load: LoadPages, io: CommandIo): Promise<void> {
  const { name, groupBy, range, by } = asked;
  const isGrouped = groupBy !== undefined;
  const create = (): Tally => createTally(planOf(name, isGrouped), calendarOf(range, by));
  const { tally: now, last } = await tallyOf(load, range, create);
  const rows = periodRows({ name, isGrouped, now, before: undefined });
  const { meta } = last;
  io.stdout(format === "json" ? jsonLine({ data: rows, meta }) : writeCsv(rows, periodColumns(name, isGrouped)));
}

function heading({ name, range, zone, isLocal }: Asked, { org_id }: UsageMeta, io: CommandIo): string {
  const days = range.startDate === range.endDate ? range.startDate : `${range.startDate} to ${range.endDate}`;
  const whose = isLocal ? "this machine" : `organization ${org_id}`;
  const text = `${paint(io, "bold", usageViews[name].title)}: ${days} (${zone.name ?? "UTC"}), ${whose}`;
  return `${wrap(text, reportColumns(io))}\n\n`;
}

interface Explained {
  name: UsageName;
  isLocal: boolean;
  isEmpty: boolean;
  range: DateRange;
  zone: TimeZone;
}

/** What the reader of a table has to know about its figures. */
function explain(meta: UsageMeta, { name, isLocal, isEmpty, range, zone }: Explained, io: CommandIo): string {
  const lines: string[] = [];
  if (name === "tokens" || name === "users") {
    lines.push("Credits are tokens weighed by what they cost: see hookbell usage --help.");
  }
  if (isLocal) {
    lines.push(
      "These figures come from the transcripts of agents on this machine, since no platform is configured (a server with the figures of an organization).",
    );
  }
  if (meta.so_far !== undefined) {
    lines.push(`${meta.so_far} is not over yet (${zone.name ?? "UTC"}), so its figures are incomplete.`);
  }
  const { counted_since: since = "" } = meta;
  if (!isLocal && since.slice(0, 10) > range.startDate) {
    const today = meta.so_far === undefined && isEmpty ? "For today so far, add --to today. " : "";
    lines.push(
      `The server has counted since ${since.slice(0, 16).replace("T", " ")} (UTC). ${today}To count older transcripts, start it with: hookbell serve --backfill`,
    );
  }
  return lines.length === 0 ? "" : `\n${lines.map((line) => wrap(line, reportColumns(io))).join("\n")}\n`;
}

function readName(word: string): UsageName {
  const name = usageNames.find((each) => each === word);
  if (name !== undefined) return name;
  throw usageError("figures", `unknown figures ${JSON.stringify(word)}`, suggest(word, usageNames, "figures"));
}

function readSpan(word: string): UsageSpan {
  const span = spans.find((each) => each === word);
  if (span !== undefined) return span;
  throw usageError("by", `invalid --by ${JSON.stringify(word)}`, `write --by ${spans.join(", --by ")}`);
}

function readTop(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError(
    "top",
    `invalid --top ${JSON.stringify(text)}`,
    "expected a whole number from 1 on, such as --top 20",
  );
}

function showArtifacts(artifacts: readonly Artifact[], io: CommandIo): string {
  if (artifacts.length === 0) return "";
  const table = renderTable(
    [
      { header: "Not a tool's name", cells: artifacts.map(({ tool }) => tool), minWidth: 20 },
      { header: "Day", cells: artifacts.map(({ date }) => date) },
      { header: "Calls", cells: artifacts.map(({ invocations }) => formatNumber(invocations)), isRight: true },
    ],
    io,
  );
  return `\n${table}`;
}
