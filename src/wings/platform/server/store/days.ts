// The finished rows of each day: made from the raw counts, read for the answers.
import type { ClientType } from "../../../../model/usage.ts";
import type { ActivityRow } from "../../contract/analytics.ts";
import { mergeSources, type Counts } from "../analytics/counts.ts";
import { summariseDay, type DayRows, type SessionDay } from "../analytics/summarise-day.ts";
import { othersTurn } from "../../../../system/clock.ts";
import type { Database, Row } from "./database.ts";
import { sources } from "../analytics/observation.ts";
import { dateOf } from "./ingest.ts";

/** A report whose rows are one JSON array for each day. */
export type Report =
  | "tokens"
  | "tokens:model"
  | "tools"
  | "tools:tool_name"
  | "activity"
  | "activity:client"
  | "productivity";

/** Most sessions run in a terminal; where that is not so, the transcript says it. */
const usualClient: ClientType = "terminal-ui";

const weekDays = 7;
/** The longest trailing window of a row. */
export const monthDays = 30;

/** Makes the rows of the stale days from `firstDay` to before `endDay`. Returns how many days. */
export function renderStaleDays(database: Database, endDay: number, firstDay = 0): number {
  const days = findStaleDays(database, endDay, firstDay);
  for (const day of days) renderDay(database, day);
  return days.length;
}

/** Other requests have their turn between two days: after an update, or late events, many days are made again. */
export async function renderInTurn(
  database: Database,
  { firstDay, lastDay }: DayRange,
  signal?: AbortSignal,
): Promise<void> {
  for (const day of findStaleDays(database, lastDay + 1, firstDay)) {
    if (signal?.aborted) return;
    renderStaleDays(database, day + 1, day);
    await othersTurn();
  }
}

function findStaleDays(database: Database, endDay: number, firstDay: number): number[] {
  const sql = "SELECT day FROM stale_days WHERE day >= ? AND day < ? ORDER BY day";
  return database.all(sql, firstDay, endDay).map(({ day }) => Number(day));
}

/** Takes every row for stale: the next rendering counts everything again from the raw counts. */
export function markAllStale(database: Database): void {
  database.exec("INSERT OR IGNORE INTO stale_days SELECT DISTINCT day FROM session_days");
}

function renderDay(database: Database, day: number): void {
  database.transaction(() => {
    const { users, ...sessionDays } = readSessionDays(database, day);
    const rows = summariseDay(dateOf(day), sessionDays.sessions);
    for (const [report, text] of Object.entries(textsOf(rows))) {
      database.run("INSERT OR REPLACE INTO day_rows VALUES (?, ?, ?)", report, day, Buffer.from(text));
    }
    database.run("DELETE FROM user_days WHERE day = ?", day);
    for (const row of rows.users) {
      const user = users.get(row.user_id) ?? 0;
      database.run("INSERT INTO user_days VALUES (?, ?, ?)", day, user, Buffer.from(JSON.stringify(row)));
    }
    const active = JSON.stringify(rows.users.map(({ user_id }) => users.get(user_id) ?? 0));
    database.run("INSERT OR REPLACE INTO active_users VALUES (?, ?)", day, active);
    database.run("DELETE FROM stale_days WHERE day = ?", day);
  });
}

function readSessionDays(database: Database, day: number): { users: Map<string, number>; sessions: SessionDay[] } {
  const rows = database.all(
    `SELECT d.session, d.source, d.counts, s.client, s.first_day, s.user, u.name
       FROM session_days d JOIN sessions s ON s.id = d.session JOIN users u ON u.id = s.user
      WHERE d.day = ? ORDER BY d.session, d.source`,
    day,
  );
  const users = new Map<string, number>();
  const bySession = new Map<number, SessionDay & { bySource: Counts[] }>();
  for (const row of rows) {
    const id = Number(row.session);
    const session = bySession.get(id) ?? {
      user: String(row.name),
      client: (row.client as ClientType | null) ?? usualClient,
      isStart: Number(row.first_day) === day,
      counts: {},
      bySource: [],
    };
    users.set(session.user, Number(row.user));
    session.bySource[Number(row.source)] = JSON.parse(String(row.counts)) as Counts;
    bySession.set(id, session);
  }
  const sessions = [...bySession.values()].map(({ bySource, ...session }) => ({
    ...session,
    counts: mergeSources(bySource[sources.hook] ?? {}, bySource[sources.transcript] ?? {}),
  }));
  return { users, sessions };
}

function textsOf(rows: DayRows): Record<Report, string> {
  const list = (items: readonly unknown[]): string => items.map((item) => JSON.stringify(item)).join(",");
  return {
    tokens: list([rows.tokens]),
    "tokens:model": list(rows.tokensByModel),
    tools: list([rows.tools]),
    "tools:tool_name": list(rows.toolsByName),
    activity: list([rows.activity]),
    "activity:client": list(rows.activityByClient),
    productivity: list([rows.productivity]),
  };
}

/** The rows of one day as JSON with commas between them. */
function readDayRows(database: Database, report: Report, day: number): Uint8Array {
  const rows = database.get("SELECT rows FROM day_rows WHERE report = ? AND day = ?", report, day)?.rows;
  return rows instanceof Uint8Array ? rows : Buffer.from(textsOf(summariseDay(dateOf(day), []))[report]);
}

/** The rows of a report as JSON; those of one day have commas between them. */
export function* readRows(database: Database, report: Report, range: DayRange): Generator<Uint8Array> {
  if (report === "activity") {
    for (const row of readActivity(database, range)) yield Buffer.from(JSON.stringify(row));
    return;
  }
  for (const day of dayNumbers(range)) {
    const rows = readDayRows(database, report, day);
    if (rows.length > 0) yield rows;
  }
}

/** The activity of each day with its trailing windows. */
function readActivity(database: Database, { firstDay, lastDay }: DayRange): ActivityRow[] {
  const users = activeUsers(database, firstDay - monthDays + 1, lastDay);
  const week = slidingWindow(users, weekDays);
  const month = slidingWindow(users, monthDays);
  const rows: ActivityRow[] = [];
  for (let day = firstDay - monthDays + 1; day <= lastDay; day += 1) {
    const windows = { weekly_active_users: week(day), monthly_active_users: month(day) };
    if (day < firstDay) continue;
    const row = JSON.parse(Buffer.from(readDayRows(database, "activity", day)).toString("utf8")) as DayRows["activity"];
    rows.push({ ...row, ...windows } as ActivityRow);
  }
  return rows;
}

/** Counts different users of the last so many days. Ask for one day after the other. */
function slidingWindow(users: ReadonlyMap<number, readonly number[]>, days: number): (day: number) => number {
  const daysOfUser = new Map<number, number>();
  return (day) => {
    for (const user of users.get(day) ?? []) daysOfUser.set(user, (daysOfUser.get(user) ?? 0) + 1);
    for (const user of users.get(day - days) ?? []) {
      const left = (daysOfUser.get(user) ?? 0) - 1;
      if (left === 0) daysOfUser.delete(user);
      else daysOfUser.set(user, left);
    }
    return daysOfUser.size;
  };
}

export interface UsersPage {
  /** The rows of each user's days as JSON. They are read while they are sent. */
  rows: Iterable<Uint8Array>;
  /** The last user of the page, when there are more. */
  nextCursor: string | undefined;
}

/** Days since the epoch; both belong to the range. */
export interface DayRange {
  firstDay: number;
  lastDay: number;
}

/** The rows of the next active users behind the cursor, by user and day. */
export function readUsersPage(
  database: Database,
  range: DayRange,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): UsersPage {
  const active = new Set<number>();
  for (const users of activeUsers(database, range.firstDay, range.lastDay).values()) {
    for (const user of users) active.add(user);
  }
  const named: Row[] = [];
  for (let after = cursor ?? "", isLast = false; !isLast && named.length <= limit;) {
    const next = database.all("SELECT id, name FROM users WHERE name > ? ORDER BY name LIMIT ?", after, namesAtOnce);
    named.push(...next.filter(({ id }) => active.has(Number(id))));
    after = String(next.at(-1)?.name);
    isLast = next.length < namesAtOnce;
  }
  const page = named.slice(0, limit);
  const ids = page.map(({ id }) => Number(id));
  return {
    rows: readUserDays(database, range, ids),
    nextCursor: named.length > limit ? String(page.at(-1)?.name) : undefined,
  };
}

/** A page has 100 users at most, and most of them have done something. */
const namesAtOnce = 200;

/** Each query costs more than the rows that it finds; all users at once would cost memory. */
const usersAtOnce = 10;

function* readUserDays(database: Database, range: DayRange, users: readonly number[]): Generator<Uint8Array> {
  for (let at = 0; at < users.length; at += usersAtOnce) {
    const some = users.slice(at, at + usersAtOnce);
    const rowsOf = new Map<number, Uint8Array[]>(some.map((user) => [user, []]));
    for (const day of dayNumbers(range)) {
      const sql = "SELECT user, row FROM user_days WHERE day = ? AND user IN (SELECT value FROM json_each(?))";
      for (const { user, row } of database.all(sql, day, JSON.stringify(some))) {
        if (row instanceof Uint8Array) rowsOf.get(Number(user))?.push(row);
      }
    }
    for (const rows of rowsOf.values()) yield* rows;
  }
}

function* dayNumbers({ firstDay, lastDay }: DayRange): Generator<number> {
  for (let day = firstDay; day <= lastDay; day += 1) yield day;
}

function activeUsers(database: Database, firstDay: number, lastDay: number): Map<number, number[]> {
  const rows = database.all("SELECT day, users FROM active_users WHERE day BETWEEN ? AND ?", firstDay, lastDay);
  return new Map(rows.map(({ day, users }) => [Number(day), JSON.parse(String(users)) as number[]]));
}
