// Where the rows of `hookbell usage` come from: a platform, page by page, or the transcripts of this machine.
import { describeWriteError, usageError } from "../../../model/errors.ts";
import { formatNumber } from "../../../model/figures/numbers.ts";
import { agentName } from "../../../agents/index.ts";
import { userName } from "../../../system/process/identity.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import type { Progress } from "../../../console/output/progress.ts";
import type { PlatformClient } from "../client/client.ts";
import { tidyTools, tidyToolsByName } from "../client/tidy.ts";
import type { Artifact } from "../client/tidy.ts";
import { type DateRange, earliestDate, isDate, utcDate } from "../contract/dates.ts";
import type { UsageRow } from "../figures/rows.ts";
import type { UsageName } from "../figures/views.ts";
import type { UnreadFile } from "../server/sources/transcripts.ts";
import type { TimeZone } from "./time-zone.ts";

/** Transcripts that were found and not read, or only in part. `reason` follows "3 files of Codex, ". */
interface NotCounted {
  agent: string;
  files: number;
  reason: string;
}

/** `so_far`, `counted_since`, `timezone` and `not_counted` are hookbell's own. */
export interface UsageMeta {
  org_id: string;
  /** The day that is not over. */
  so_far?: string;
  /** When a server of one's own began to count. */
  counted_since?: string;
  /** Whose days they are, if not those of UTC. */
  timezone?: string;
  not_counted?: NotCounted[];
}

/** A part of an endpoint's answer. Only users have more than one. */
export interface Page {
  data: readonly UsageRow[];
  meta: UsageMeta;
  artifacts?: readonly Artifact[];
}

export interface Wanted {
  name: UsageName;
  groupBy: string | undefined;
  /** Today's figures so far may be asked for. */
  isSoFar: boolean;
  /** Tools: whether known flaws of the service are fixed. */
  isClean: boolean;
}

/** The rows of some days. Throws before the first page if they are refused. */
export type LoadPages = (days: DateRange) => AsyncIterable<Page>;

/** Rows of a platform. */
export function pagesOfPlatform(client: PlatformClient, wanted: Wanted, progress: Progress): LoadPages {
  const { name, groupBy, isSoFar } = wanted;
  return async function* load(days) {
    const of = `${name} of ${days.startDate} to ${days.endDate}`;
    progress.show(`loading ${of} ...`);
    if (name !== "users") {
      const query = { ...days, groupBy, isSoFar };
      yield tidied((await askFor(client, name, query)) as unknown as Page, wanted);
      return;
    }
    if (groupBy !== undefined) throw usageError("groupBy", "usage users has no groups", "leave out --group-by");
    let rows = 0;
    for await (const { data, meta } of client.listUsers({ ...days, isSoFar })) {
      rows += data.length;
      progress.show(`loading ${of}: ${formatNumber(rows)} rows ...`);
      // Page counts do not apply to all pages together.
      const { has_more: _, next_cursor: __, ...rest } = meta;
      yield { data, meta: { ...rest, has_more: false } as UsageMeta };
    }
  };
}

/** The client refuses groups that the endpoint lacks, so these casts only satisfy the compiler. */
async function askFor(
  client: PlatformClient,
  name: Exclude<UsageName, "users">,
  query: DateRange & { groupBy: string | undefined; isSoFar: boolean },
): Promise<object> {
  switch (name) {
    case "tokens":
      return await client.getTokens(query as DateRange & { groupBy?: "model" });
    case "tools":
      return await client.getTools(query as DateRange & { groupBy?: "tool_name" });
    case "activity":
      return await client.getActivity(query as DateRange & { groupBy?: "client" });
    case "productivity":
      return await client.getProductivity(query as DateRange);
  }
}

function tidied(page: Page, { name, groupBy, isClean }: Wanted): Page {
  if (!isClean || name !== "tools") return page;
  return groupBy === undefined
    ? tidyTools(page as unknown as Parameters<typeof tidyTools>[0])
    : tidyToolsByName(page as unknown as Parameters<typeof tidyToolsByName>[0]);
}

/** Without a platform, the figures are those of this machine's own transcripts. They are counted once, from `firstDate` on. */
export async function withTranscripts(
  io: CommandIo,
  { firstDate, zone }: { firstDate: string; zone: TimeZone },
  wanted: Wanted,
  use: (load: LoadPages) => Promise<void>,
): Promise<void> {
  const { withLocalUsage } = await import("../server/local-usage.ts");
  const { clock, env, places } = io;
  const unread: NotCounted[] = [];
  const onUnread = ({ agentId, reason }: UnreadFile): void => {
    const known = unread.find((each) => each.agent === agentId && each.reason === reason);
    if (known === undefined) unread.push({ agent: agentId, files: 1, reason });
    else known.files += 1;
  };
  const { wallMs } = zone;
  const source = { clock, env, home: places.home, user: userName(env), signal: io.untilStopped(), onUnread, wallMs };
  await withLocalUsage(source, isDate(firstDate) ? firstDate : earliestDate, async (ask, problem) => {
    if (problem !== undefined) io.stderr(`hookbell: a transcript was left out: ${describeWriteError(problem)}\n`);
    for (const each of unread) io.stderr(`hookbell: not counted, or only in part: ${describeFiles(each)}\n`);
    const { name, groupBy } = wanted;
    const today = utcDate(wallMs(clock.now()));
    await use(async function* load({ startDate, endDate }) {
      if (name === "users" && groupBy !== undefined)
        throw usageError("groupBy", "usage users has no groups", "leave out --group-by");
      const meta = {
        ...(unread.length === 0 ? {} : { not_counted: unread }),
        ...(zone.name === undefined ? {} : { timezone: zone.name }),
        org_id: "local",
        start_date: startDate,
        end_date: endDate,
        ...(endDate === today ? { so_far: today } : {}),
      };
      yield tidied({ data: [...(await ask(name, { startDate, endDate, groupBy }))], meta }, wanted);
    });
  });
}

function describeFiles({ agent, files, reason }: NotCounted): string {
  return `${files} ${files === 1 ? "file" : "files"} of ${agentName(agent)}, ${reason}`;
}
