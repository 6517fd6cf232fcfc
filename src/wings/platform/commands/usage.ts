// `hookbell usage`: prints the organization's figures as tables, JSON or CSV.
import { describeWriteError, type ExitCode, exitCodes, usageError } from "../../../model/errors.ts";
import { formatNumber } from "../../../model/figures/numbers.ts";
import type { PlatformClient } from "../client/client.ts";
import { type DateRange, earliestDate, isDate, utcDate } from "../contract/dates.ts";
import { type Artifact, tidyTools, tidyToolsByName } from "../client/tidy.ts";
import { agentName } from "../../../agents/index.ts";
import type { UnreadFile } from "../server/sources/transcripts.ts";
import { suggest } from "../../../rules/nearest.ts";
import { userName } from "../../../system/process/identity.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { createProgress, type Progress } from "../../../console/output/progress.ts";
import { renderTable } from "../../../console/output/table.ts";
import { jsonLine } from "../../../console/output/text.ts";
import { platformCommands } from "../help.ts";
import { findPlatformClient } from "./open-client.ts";
import type { UsageReport, UsageRow } from "../figures/figures.ts";
import { previousPeriod, readPeriod } from "../figures/period.ts";
import { writeCsv } from "../../../console/output/csv.ts";
import { readFormat } from "./output.ts";
import { showGroups, showUsage, showUsers } from "./usage-table.ts";
import { type UsageName, usageNames, type UsageView, usageViews } from "../figures/views.ts";

/** Transcripts that were found and not read, or only in part. `reason` follows "3 files of Codex, ". */
interface NotCounted {
  agent: string;
  files: number;
  reason: string;
}

/** An endpoint's answer with all pages. */
interface Answer {
  data: readonly UsageRow[];
  /** `so_far` and `counted_since` are hookbell's own: the day that is not over, when counting began, and what was not counted. */
  meta: { org_id: string; so_far?: string; counted_since?: string; not_counted?: NotCounted[] };
  artifacts?: readonly Artifact[];
}

export async function usage(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, platformCommands.usage.flags, 1);
  const name = readName(positionals[0]);
  const format = readFormat(values.format, values.json);
  const groupBy = values["group-by"];
  const progress = createProgress(io);
  const client = await findPlatformClient(io, values.config);
  const isLocal = client === undefined;
  const range = readPeriod(values.from, values.to, utcDate(io.clock.now()), isLocal);
  const isComparable = format === "table" && isDate(range.startDate) && isDate(range.endDate);
  const earlier = isComparable ? previousPeriod(range) : undefined;
  const isSoFar = values.to === "today";
  const load = async (days: DateRange, ask: Ask): Promise<Answer> => {
    progress.show(`loading ${name} of ${days.startDate} to ${days.endDate} ...`);
    const answer = await ask(name, { ...days, groupBy, isSoFar });
    return values.clean === true && name === "tools" ? clean(answer, groupBy) : answer;
  };
  const loadAll = async (ask: Ask): Promise<Loaded> => ({
    answer: await load(range, ask),
    before: earlier && { range: earlier, rows: (await load(earlier, ask)).data },
  });
  let loaded: Loaded;
  try {
    if (isLocal) progress.show("reading the transcripts of this machine ...");
    loaded =
      client === undefined
        ? await askTranscripts(io, (earlier ?? range).startDate, loadAll)
        : await loadAll((of, query) => askFor(client, of, query, progress));
  } finally {
    progress.end();
  }
  const { answer, before: previous } = loaded;
  if (format === "json") io.stdout(jsonLine(answer));
  else if (format === "csv") io.stdout(writeCsv(answer.data));
  else {
    const usage: UsageReport = { range, rows: answer.data, previous, organization: answer.meta.org_id };
    io.stdout(showAs(name, groupBy, usage, io) + showArtifacts(answer.artifacts ?? [], io));
    io.stdout(explain(answer, isLocal));
  }
  return exitCodes.done;
}

type Ask = (name: UsageName, query: Query) => Promise<Answer>;

interface Loaded {
  answer: Answer;
  before: { range: DateRange; rows: readonly UsageRow[] } | undefined;
}

/** Without a platform, the figures are those of this machine's own transcripts. */
async function askTranscripts(io: CommandIo, firstDate: string, load: (ask: Ask) => Promise<Loaded>): Promise<Loaded> {
  const { withLocalUsage } = await import("../server/local-usage.ts");
  const { clock, env, places } = io;
  const unread: NotCounted[] = [];
  const onUnread = ({ agentId, reason }: UnreadFile): void => {
    const known = unread.find((each) => each.agent === agentId && each.reason === reason);
    if (known === undefined) unread.push({ agent: agentId, files: 1, reason });
    else known.files += 1;
  };
  const source = { clock, env, home: places.home, user: userName(env), signal: io.untilStopped(), onUnread };
  return await withLocalUsage(source, isDate(firstDate) ? firstDate : earliestDate, async (ask, problem) => {
    if (problem !== undefined) io.stderr(`hookbell: a transcript was left out: ${describeWriteError(problem)}\n`);
    for (const each of unread) io.stderr(`hookbell: not counted, or only in part: ${describeFiles(each)}\n`);
    const left = unread.length === 0 ? {} : { not_counted: unread };
    return await load(async (name, query) => {
      const meta = { ...left, org_id: "local", start_date: query.startDate, end_date: query.endDate };
      const today = utcDate(clock.now());
      const soFar = query.endDate === today ? { so_far: today } : {};
      return { data: (await ask(name, query)) as UsageRow[], meta: { ...meta, ...soFar } };
    });
  });
}

function describeFiles({ agent, files, reason }: NotCounted): string {
  return `${files} ${files === 1 ? "file" : "files"} of ${agentName(agent)}, ${reason}`;
}

/** What the reader of a table has to know about its figures. */
function explain({ data, meta }: Answer, isLocal: boolean): string {
  const lines: string[] = [];
  if (isLocal) {
    lines.push("These figures come from the transcripts of agents on this machine, since no platform is configured.");
  }
  if (meta.so_far !== undefined) lines.push(`${meta.so_far} is not over yet (UTC), so its figures are incomplete.`);
  if (!isLocal && meta.counted_since !== undefined && data.every(isEmpty)) {
    const since = `The server has counted since ${meta.counted_since.slice(0, 16).replace("T", " ")} (UTC).`;
    const today = meta.so_far === undefined ? "For today so far, add --to today. " : "";
    lines.push(`${since} ${today}To count older transcripts, start it with: hookbell serve --backfill`);
  }
  return lines.length === 0 ? "" : `\n${lines.join("\n")}\n`;
}

function isEmpty(row: UsageRow): boolean {
  return Object.values(row).every((value) => typeof value !== "number" || value === 0);
}

function readName(word: string | undefined): UsageName {
  const name = usageNames.find((each) => each === word);
  if (name !== undefined) return name;
  const message = word === undefined ? "say what to show" : `unknown figures ${JSON.stringify(word)}`;
  throw usageError(
    "figures",
    message,
    word === undefined ? `hookbell usage ${usageNames.join(" | ")}` : suggest(word, usageNames, "figures"),
  );
}

type Query = DateRange & { groupBy: string | undefined; isSoFar: boolean };

/** The client refuses groups that the endpoint lacks, so these casts only satisfy the compiler. */
async function askFor(client: PlatformClient, name: UsageName, query: Query, progress: Progress): Promise<Answer> {
  switch (name) {
    case "tokens":
      return await client.getTokens(query as DateRange & { groupBy?: "model" });
    case "tools":
      return await client.getTools(query as DateRange & { groupBy?: "tool_name" });
    case "activity":
      return await client.getActivity(query as DateRange & { groupBy?: "client" });
    case "productivity":
      return await client.getProductivity(query as DateRange);
    case "users":
      return await allUsers(client, query, progress);
  }
}

async function allUsers(client: PlatformClient, { groupBy, ...range }: Query, progress: Progress): Promise<Answer> {
  if (groupBy !== undefined) {
    throw usageError("groupBy", "usage users has no groups", "leave out --group-by");
  }
  const data: UsageRow[] = [];
  let meta: Answer["meta"] = { org_id: "" };
  for await (const page of client.listUsers(range)) {
    data.push(...page.data);
    // Page counts do not apply to all pages together.
    const { has_more: _, next_cursor: __, ...rest } = page.meta;
    meta = { ...rest, has_more: false } as Answer["meta"];
    progress.show(`loading users of ${range.startDate} to ${range.endDate}: ${formatNumber(data.length)} rows ...`);
  }
  return { data, meta };
}

function clean(answer: Answer, groupBy: string | undefined): Answer {
  return groupBy === undefined
    ? tidyTools(answer as unknown as Parameters<typeof tidyTools>[0])
    : tidyToolsByName(answer as unknown as Parameters<typeof tidyToolsByName>[0]);
}

function showAs(name: UsageName, groupBy: string | undefined, usage: UsageReport, io: CommandIo): string {
  const view: UsageView = usageViews[name];
  if (groupBy !== undefined && view.grouped !== undefined) return showGroups(view.title, view.grouped, usage, io);
  return name === "users" ? showUsers(view, usage, io) : showUsage(view, usage, io);
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
