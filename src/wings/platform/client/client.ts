// The platform's typed client: one function for each operation. It refuses what the document forbids.
import { withoutPassword } from "../repository.ts";
import { exitCodes, UserError } from "../../../model/errors.ts";
import type {
  ActivityByClientRow,
  ActivityRow,
  Envelope,
  ProductivityRow,
  TokensByModelRow,
  TokensRow,
  ToolsByNameRow,
  ToolsRow,
  UsersEnvelope,
} from "../contract/analytics.ts";
import type { Computer } from "../contract/computers.ts";
import { addDays, countDays, findDateProblems, utcDate, type DateRange } from "../contract/dates.ts";
import { endpoints, soFarParameter, usersLimit, type OperationId, type RequestId } from "../contract/endpoints.ts";
import type { ReadinessList, ReadinessReport } from "../contract/readiness.ts";
import { tooLarge } from "./request-errors.ts";
import { sendOperation, type PlatformAccess, type PlatformTools } from "./request.ts";

/** Days, and how to group them; an endpoint without groups takes none. */
export interface UsageQuery<GroupBy extends string | undefined = undefined> extends DateRange {
  groupBy?: GroupBy;
  /** Today's figures so far may be asked for, which only hookbell's own server has. */
  isSoFar?: boolean;
}

type Groups<Name extends string> = Name | undefined;
/** What a group is asked for has rows of its own. */
type Usage<Group, Row, GroupedRow> = Promise<Envelope<Group extends string ? GroupedRow : Row>>;

export interface UsersQuery extends DateRange {
  isSoFar?: boolean;
  /** Rows of one page, 1 to 100. */
  limit?: number;
}

export interface ReadinessQuery {
  repoId?: string | undefined;
  /** How many reports to get in all. */
  maxReports: number;
}

export interface PlatformClient {
  /** The request is never sent twice if the first try may have been carried out. */
  retryInstallDeps(computerId: string): Promise<Computer>;
  /** Those of hookbell's own server; a platform has no such list. */
  listComputers(): Promise<Computer[]>;
  getTokens<Group extends Groups<"model"> = undefined>(
    query: UsageQuery<Group>,
  ): Usage<Group, TokensRow, TokensByModelRow>;
  getTools<Group extends Groups<"tool_name"> = undefined>(
    query: UsageQuery<Group>,
  ): Usage<Group, ToolsRow, ToolsByNameRow>;
  getActivity<Group extends Groups<"client"> = undefined>(
    query: UsageQuery<Group>,
  ): Usage<Group, ActivityRow, ActivityByClientRow>;
  getProductivity(query: UsageQuery): Promise<Envelope<ProductivityRow>>;
  getUsersPage(query: UsersQuery & { cursor?: string | undefined }): Promise<UsersEnvelope>;
  /** Page after page until the last one, however many there are; only the page before is kept. */
  listUsers(query: UsersQuery): AsyncGenerator<UsersEnvelope, void>;
  getReadinessPage(query: {
    repoId?: string | undefined;
    limit?: number;
    startAfter?: string | undefined;
  }): Promise<ReadinessList>;
  /** The reports come in the service's order. */
  listReadinessReports(query: ReadinessQuery): AsyncGenerator<ReadinessReport[], void>;
}

/** The document gives no maximum. */
export const readinessPageSize = 50;
/** What "all reports" means. */
export const maxReadinessReports = 10_000;

export function createPlatformClient(access: PlatformAccess, tools: PlatformTools): PlatformClient {
  /** The operation's schema has checked the answer. */
  const send = async <Body>(id: RequestId, request: Parameters<typeof sendOperation>[3]): Promise<Body> =>
    (await sendOperation(access, tools, id, request)) as Body;

  const getUsage = async <Row>(
    id: "getTokens" | "getTools" | "getActivity" | "getProductivity",
    { startDate, endDate, groupBy, isSoFar = false }: UsageQuery<string | undefined>,
  ): Promise<Envelope<Row>> => {
    const endpoint = endpoints[id];
    refuseUsage(id, { startDate, endDate, groupBy, isSoFar });
    const query = { startDate, endDate, group_by: groupBy, ...soFar(isSoFar) };
    const request = groupBy !== undefined && "grouped" in endpoint ? { query, body: endpoint.grouped } : { query };
    try {
      return await send(id, request);
    } catch (error) {
      const days = countDays({ startDate, endDate });
      if (!(error instanceof UserError) || error.code !== tooLarge || days === 1) throw error;
      // A row of tokens names each user, so those of a large organization come by parts.
      const last = addDays(startDate, Math.ceil(days / 2) - 1);
      const first = await getUsage<Row>(id, { startDate, endDate: last, groupBy });
      const rest = await getUsage<Row>(id, { startDate: addDays(last, 1), endDate, groupBy, isSoFar });
      return { ...rest, data: [...first.data, ...rest.data], meta: { ...rest.meta, start_date: startDate } };
    }
  };
  const refuseUsage = (id: OperationId, query: UsageQuery<string | undefined>): void => {
    const today = utcDate(tools.clock.now());
    const isOfToday = query.endDate === today && query.isSoFar !== true;
    const hint = isOfToday ? "a server of your own has today's figures so far: --to today" : undefined;
    refuse(findUsageProblems(id, query, tools.clock.now()), hint);
  };

  const client: PlatformClient = {
    async retryInstallDeps(computerId) {
      // A path segment of dots would lead to another operation.
      if (computerId === "" || /^\.{1,2}$/.test(computerId))
        refuse([`${JSON.stringify(computerId)} is not a computer's id`]);
      return await send("retryInstallDeps", { pathParameters: { computerId } });
    },
    async listComputers() {
      const { computers } = await send<{ computers: Computer[] }>("listComputers", {});
      return computers;
    },
    getTokens: (query) => getUsage("getTokens", query),
    getTools: (query) => getUsage("getTools", query),
    getActivity: (query) => getUsage("getActivity", query),
    getProductivity: (query) => getUsage("getProductivity", query),

    async getUsersPage({ startDate, endDate, limit, cursor, isSoFar = false }) {
      refuseUsage("getUsers", { startDate, endDate, isSoFar });
      refuse(findLimitProblems(limit, usersLimit.min, usersLimit.max));
      const query = { startDate, endDate, limit, cursor, ...soFar(isSoFar) };
      return await send("getUsers", { query });
    },
    async *listUsers(query) {
      const cursors = new Set<string>();
      let before = new Set<string>();
      let empty = 0;
      let cursor: string | undefined;
      for (;;) {
        const page = await client.getUsersPage({ limit: usersLimit.max, ...query, cursor });
        const keys = page.data.map(({ user_id, date }) => `${user_id} ${date}`);
        // A page may begin with days that the one before had.
        const data = page.data.filter((_, index) => !before.has(keys[index] ?? ""));
        yield { ...page, data };
        if (!page.meta.has_more) return;
        cursor = page.meta.next_cursor ?? undefined;
        if (cursor === undefined || cursors.has(cursor)) {
          throw brokenPages(cursor === undefined ? "names no next one" : "names one that was read already");
        }
        if (data.length === 0) empty += 1;
        if (empty === maxEmptyPages) throw brokenPages("has no new row, and names a next one");
        cursors.add(cursor);
        before = new Set(keys);
      }
    },

    async getReadinessPage({ repoId, limit, startAfter }) {
      refuse(findLimitProblems(limit, 1, Number.MAX_SAFE_INTEGER));
      const query = { repoId, limit, startAfter };
      const list: ReadinessList = await send("listReadinessReports", { query });
      return {
        ...list,
        reports: list.reports.map((report) => ({ ...report, repoUrl: withoutPassword(report.repoUrl) })),
      };
    },
    async *listReadinessReports({ repoId, maxReports }) {
      refuse(findLimitProblems(maxReports, 1, maxReadinessReports));
      const seen = new Set<string>();
      let startAfter: string | undefined;
      while (seen.size < maxReports) {
        const limit = Math.min(readinessPageSize, maxReports - seen.size);
        const { reports } = await client.getReadinessPage({ repoId, limit, startAfter });
        // A service may have a smaller maximum, so a short page need not be the last.
        const news = reports.filter(({ reportId }) => !seen.has(reportId));
        if (news.length === 0) return;
        for (const { reportId } of news) seen.add(reportId);
        yield news.slice(0, limit);
        startAfter = reports.at(-1)?.reportId;
      }
    },
  };
  return client;
}

function soFar(isSoFar: boolean): Record<string, string> {
  return isSoFar ? { [soFarParameter]: "true" } : {};
}

/** Every reason to refuse these days and groups at this time. */
export function findUsageProblems(id: OperationId, query: UsageQuery<string | undefined>, nowMs: number): string[] {
  const endpoint = endpoints[id];
  const problems = findDateProblems(query, utcDate(nowMs), query.isSoFar).map(
    ({ parameter, message }) => `${parameter}: ${message}`,
  );
  const groupBy = "groupBy" in endpoint ? endpoint.groupBy : undefined;
  if (query.groupBy === undefined || query.groupBy === groupBy) return problems;
  const instead = groupBy === undefined ? "these figures have no groups" : `the only group is ${groupBy}`;
  return [...problems, `group_by: ${JSON.stringify(query.groupBy)} is unknown here; ${instead}`];
}

function findLimitProblems(limit: number | undefined, min: number, max: number): string[] {
  if (limit === undefined || (Number.isInteger(limit) && limit >= min && limit <= max)) return [];
  const most = max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`;
  return [`limit: expected a whole number from ${min}${most}, got ${limit}`];
}

export function refuse(problems: readonly string[], hint?: string): void {
  if (problems.length === 0) return;
  throw new UserError("platform.notSent", `the request was not sent:\n${problems.join("\n")}`, {
    hint,
    exitCode: exitCodes.badInput,
    details: { problems },
  });
}

/** A list without end has them, whatever its cursors are. */
const maxEmptyPages = 3;

function brokenPages(what: string): UserError {
  return new UserError("platform.unexpectedAnswer", `the service's list of users is broken: a page ${what}`);
}
