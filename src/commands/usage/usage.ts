// `hookbell usage`: prints the organization's figures as tables, JSON or CSV.
import { type ExitCode, exitCodes, usageError } from "../../model/errors.ts";
import { formatNumber } from "../../model/figures/numbers.ts";
import type { PlatformClient } from "../../usage/client/client.ts";
import { addDays, countDays, type DateRange, earliestDate, isDate, utcDate } from "../../usage/contract/dates.ts";
import { type Artifact, tidyTools, tidyToolsByName } from "../../usage/client/tidy.ts";
import { suggest } from "../../rules/nearest.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { createProgress, type Progress } from "../console/progress.ts";
import { renderTable } from "../console/table.ts";
import { jsonLine } from "../console/text.ts";
import { platformCommands } from "../help/usage.ts";
import { openPlatformClient } from "./open-client.ts";
import { readFormat, writeCsv } from "./output.ts";
import type { Usage, UsageRow } from "./usage-figures.ts";
import { showGroups, showUsage, showUsers } from "./usage-table.ts";
import { type UsageName, usageNames, type UsageView, usageViews } from "./usage-views.ts";

/** An endpoint's answer with all pages. */
interface Answer {
  data: readonly UsageRow[];
  meta: { org_id: string };
  artifacts?: readonly Artifact[];
}

export async function usage(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, platformCommands.usage.flags, 1);
  const name = readName(positionals[0]);
  const format = readFormat(values.format, values.json);
  const groupBy = values["group-by"];
  const range = readPeriod(values.from, values.to, utcDate(io.clock.now()));
  const { client } = await openPlatformClient(io, values.config);
  const progress = createProgress(io);
  const load = async (days: DateRange): Promise<Answer> => {
    progress.show(`loading ${name} of ${days.startDate} to ${days.endDate} ...`);
    const answer = await askFor(client, name, { ...days, groupBy }, progress);
    return values.clean === true && name === "tools" ? clean(answer, groupBy) : answer;
  };
  let answer: Answer;
  let before: { range: DateRange; rows: readonly UsageRow[] } | undefined;
  try {
    answer = await load(range);
    const earlier = format === "table" ? previousPeriod(range) : undefined;
    if (earlier !== undefined) before = { range: earlier, rows: (await load(earlier)).data };
  } finally {
    progress.end();
  }
  if (format === "json") io.stdout(jsonLine(answer));
  else if (format === "csv") io.stdout(writeCsv(answer.data));
  else {
    const usage: Usage = { range, rows: answer.data, previous: before, organization: answer.meta.org_id };
    io.stdout(showAs(name, groupBy, usage, io) + showArtifacts(answer.artifacts ?? [], io));
  }
  return exitCodes.done;
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

type Query = DateRange & { groupBy: string | undefined };

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

function showAs(name: UsageName, groupBy: string | undefined, usage: Usage, io: CommandIo): string {
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

const defaultDays = 7;
const maxRelativeDays = 10_000;

/** `--from 7d` is the 7 days that end with `--to`, by default yesterday (UTC). */
export function readPeriod(from: string | undefined, to: string | undefined, today: string): DateRange {
  const endDate = to ?? addDays(today, -1);
  const days = from === undefined ? defaultDays : relativeDays(from);
  // The client refuses a malformed end, together with all other problems.
  if (days === undefined || !isDate(endDate)) return { startDate: from ?? endDate, endDate };
  return { startDate: addDays(endDate, 1 - days), endDate };
}

function relativeDays(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,5})([dw])$/.exec(text) ?? [];
  if (amount === undefined) return undefined;
  const days = Number(amount) * (unit === "w" ? 7 : 1);
  if (days >= 1 && days <= maxRelativeDays) return days;
  throw usageError("period", `invalid --from ${text}`, "write --from 7d, --from 4w, or --from 2026-03-01");
}

/** The same number of days before; undefined if the service has no data for some of them. */
export function previousPeriod(range: DateRange): DateRange | undefined {
  const startDate = addDays(range.startDate, -countDays(range));
  return startDate < earliestDate ? undefined : { startDate, endDate: addDays(range.startDate, -1) };
}
