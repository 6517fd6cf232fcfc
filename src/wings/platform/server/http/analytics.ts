// The five analytics endpoints. Rows are stored as JSON, and an answer is put together from their bytes.
import type { Context } from "hono";
import { findDateProblems, utcDate, type DateRange } from "../../contract/dates.ts";
import { soFarParameter } from "../../contract/endpoints.ts";
import { monthDays, readRows, readUsersPage, renderInTurn, type DayRange, type Report } from "../store/days.ts";
import { countedSince, dayOf } from "../store/ingest.ts";
import { operations } from "./operations.ts";
import type { App, AppEnv } from "../../../../http-server/served.ts";
import type { KeyGuard } from "./guard.ts";
import type { PlatformParts } from "./parts.ts";
import { readQuery, requireOnce } from "./query.ts";
import { HttpProblem } from "../../../../http-server/problems.ts";
import { streamJson } from "../../../../http-server/stream-json.ts";

/** This server has one organization. */
const orgId = "local";

interface Days extends DateRange, DayRange {
  /** The answer has them in its `meta`. */
  notes: { so_far?: string; counted_since?: string };
}

export function addAnalytics(app: App, parts: PlatformParts, guard: KeyGuard): void {
  const { getTokens, getTools, getActivity, getProductivity, getUsers } = operations;
  const addReport = (
    endpoint: { path: string; roles: typeof getTokens.roles; groupBy?: string },
    report: Report,
  ): void => {
    app.get(endpoint.path, async (context) => {
      guard.requireKey(context, endpoint.roles);
      const days = await readDays(context, parts);
      const isGrouped = readGroupBy(context, endpoint.groupBy);
      const name = isGrouped ? (`${report}:${endpoint.groupBy}` as Report) : report;
      return envelope(readRows(parts.database, name, days), days);
    });
  };
  addReport(getTokens, "tokens");
  addReport(getTools, "tools");
  addReport(getActivity, "activity");
  addReport(getProductivity, "productivity");
  app.get(getUsers.path, async (context) => {
    guard.requireKey(context, getUsers.roles);
    const days = await readDays(context, parts);
    readGroupBy(context, undefined);
    const page = readQuery(context, getUsers.query.pick({ limit: true, cursor: true }));
    const { rows, nextCursor } = readUsersPage(parts.database, days, page);
    const more = nextCursor === undefined ? { has_more: false } : { has_more: true, next_cursor: nextCursor };
    return envelope(rows, days, more);
  });
}

async function readDays(context: Context<AppEnv>, { clock, database }: PlatformParts): Promise<Days> {
  requireOnce(context, ["startDate", "endDate", "group_by", soFarParameter]);
  const range = { startDate: required(context, "startDate"), endDate: required(context, "endDate") };
  const today = utcDate(clock.now());
  // The platform has no figures of today. This server has, for those who ask for what there is so far.
  const isSoFar = context.req.query(soFarParameter) === "true";
  const problems = findDateProblems(range, today, isSoFar);
  const texts = problems.map(({ parameter, message }) => `${parameter}: ${message}`);
  if (range.endDate === today && !isSoFar) texts.push(`${soFarParameter}=true asks for today's figures so far`);
  if (texts.length > 0) throw new HttpProblem(400, texts.join("; "));
  const [firstDay, lastDay] = [dayOf(Date.parse(range.startDate)), dayOf(Date.parse(range.endDate))];
  // Yesterday's rows are made when first asked for, any day's again after late events.
  await renderInTurn(database, { firstDay: firstDay - monthDays, lastDay });
  const since = countedSince(database);
  const notes = {
    ...(range.endDate === today ? { so_far: today } : {}),
    ...(since === undefined ? {} : { counted_since: since }),
  };
  return { ...range, firstDay, lastDay, notes };
}

function required(context: Context, name: string): string {
  const value = context.req.query(name);
  if (value === undefined) throw new HttpProblem(400, `${name}: is required, as YYYY-MM-DD`);
  return value;
}

function readGroupBy(context: Context, only: string | undefined): boolean {
  const groupBy = context.req.query("group_by");
  if (groupBy === undefined) return false;
  if (groupBy === only) return true;
  const expected = only === undefined ? "this endpoint has none" : `expected ${only}`;
  throw new HttpProblem(400, `group_by: ${expected}, got ${JSON.stringify(groupBy.slice(0, 100))}`);
}

function envelope(rows: Iterable<Uint8Array>, { startDate, endDate, notes }: Days, more: object = {}): Response {
  const meta = JSON.stringify({ org_id: orgId, start_date: startDate, end_date: endDate, ...notes, ...more });
  return streamJson('{"data":[', rows, `],"meta":${meta}}`);
}
